// Scores of pairs, tile by tile, a job for each group: a whole pair (the published intra-task kernel), or one of the
// tiles of an anti-diagonal of a long pair.
#include "align/tile_group.clh"

// matrix[32 * query code + subject letter]; ends: combined with what is there when the job does not begin at column 0.
GROUP_KERNEL void tiles(__global const uchar* queries, __global const uchar* subjects, __global const char* matrix,
                        __global const Plan* plans, __global const Job* jobs, __global int2* borders,
                        __global End* ends, uint first_job, int gap_first, int gap_extend) {
  __local char scores[CODES * CODES];
  __local int2 passed[2 * GROUP_SIZE], tops[GROUP_SIZE];
  __local uchar letters[2 * GROUP_SIZE];
  __local End bests[GROUP_SIZE];
  __local Cells cells[1];
  const uint item = get_local_id(0);
  for (uint i = item; i < CODES * CODES; i += GROUP_SIZE) scores[i] = matrix[i];
  const Job job = jobs[first_job + (uint)get_group_id(0)];
  const Plan plan = plans[job.pair];
  const uint begin = job.first_column * TILE_COLUMNS;
  const uint columns = min(job.columns * TILE_COLUMNS, plan.subject_length - begin);
  End best = {0, 0, 0};
  for (uint r = 0; r < job.rows; r++) {
    sweep(queries, subjects, borders, scores, passed, tops, letters, cells, &plan, job.first_row + r, job.first_column,
          columns, gap_first, gap_extend, &best);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);  // the row border that the next one begins with
  }
  bests[item] = best;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint apart = GROUP_SIZE / 2; apart > 0; apart /= 2) {
    if (item < apart && ends_before(bests[item + apart], bests[item])) bests[item] = bests[item + apart];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) {
    __global End* end = ends + plan.ends + job.first_row;
    best = bests[0];
    if (job.first_column == 0 || ends_before(best, *end)) *end = best;
  }
}
