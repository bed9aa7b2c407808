// Scores of pairs, tile by tile. Each group computes a job: a whole pair (the published intra-task kernel), or adjacent
// tiles of an anti-diagonal of a long pair.
#define TRACE 0
#include "pairwise/tile_gpu.clh"

// matrix[32 * query code + subject letter]. ends: combined with the existing end if the job does not begin at column 0.
// next_job (CONCURRENT): the first job without a group; the job of a strip follows that of the strip above it.
GROUP_KERNEL void tiles_gpu(__global const uchar* queries, __global const uchar* subjects, __global const uint* matrix,
                            __global const Plan* plans, __global const Job* jobs, __global int2* borders,
                            __global End* ends, volatile __global uint* next_job, uint first_job, int gap_first,
                            int gap_extend) {
  __local uint scores[CODES * CODES / 4];
  __local int2 passed[2 * GROUP_SIZE], tops[GROUP_SIZE];
  __local uchar letters[4 * GROUP_SIZE];
  __local End bests[GROUP_SIZE];
  __local Cells cells[1];
  const uint item = get_local_id(0);
  for (uint i = item; i < CODES * CODES / 4; i += GROUP_SIZE) scores[i] = matrix[i];
#if CONCURRENT
  __local uint taken[1];
  if (item == 0) taken[0] = atomic_inc(next_job);
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint number = first_job + taken[0];
#else
  const uint number = first_job + (uint)get_group_id(0);
  (void)next_job;
#endif
  const Job job = jobs[number];
  const Plan plan = plans[job.pair];
  const uint begin = job.first_column * TILE_COLUMNS;
  const uint columns = min(job.columns * TILE_COLUMNS, plan.subject_length - begin);
  __global End* end = ends + plan.ends + job.first_row;
  End best = {0, 0, 0};
  if (job.first_column > 0) best = *end;
  for (uint r = 0; r < job.rows; r++) {
    sweep(queries, subjects, borders, (__local const char*)scores, passed, tops, letters, cells, &plan,
          job.first_row + r, job.first_column, columns, gap_first, gap_extend, &best);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);  // the next row begins with this border
  }
  bests[item] = best;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint apart = GROUP_SIZE / 2; apart > 0; apart /= 2) {
    if (item < apart && ends_before(bests[item + apart], bests[item])) bests[item] = bests[item + apart];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) *end = bests[0];
}
