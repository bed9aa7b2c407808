// Scores of pairs, strip by strip. Each worker computes jobs: a whole pair, or adjacent tiles of an anti-diagonal of a
// long pair.
#define KEEP_CELLS 0
#include "pairwise/tile_cpu.clh"

// matrix[32 * query code + subject letter] of `letters` letters. profiles: TILE_ROWS * 32 values for each worker.
// done[job]: strips that the first launch (16-bit) computed; the second one (32-bit) continues from there.
WORKER_KERNEL void tiles_cpu(__global const uchar* queries, __global const uchar* subjects, __global const char* matrix,
                             __global const Plan* plans, __global const Job* jobs, __global int2* borders,
                             __global End* ends, __global Values* profiles, __global uint* done, uint first_job,
                             uint jobs_end, uint letters, int highest_score, uint gap_first, uint gap_extend) {
  __global Values* profile = profiles + (ulong)get_group_id(0) * MAX_SEGMENTS * CODES;
  for (uint j = first_job + (uint)get_group_id(0); j < jobs_end; j += (uint)get_num_groups(0)) {
    const Job job = jobs[j];
    const Plan plan = plans[job.pair];
    const uint begin = job.first_column * TILE_COLUMNS;
    const uint columns = min(job.columns * TILE_COLUMNS, plan.subject_length - begin);
    __global End* end = ends + plan.ends + job.first_row;
    End best = {0, 0, 0};
#if WIDE
    uint r = done[j];
    if (r == job.rows) continue;
    if (r > 0 || job.first_column > 0) best = *end;
#else
    uint r = 0;
    if (job.first_column > 0) best = *end;
#endif
    for (; r < job.rows; r++) {
      const uint tile_row = job.first_row + r, row = tile_row * TILE_ROWS;
      const uint rows = min((uint)TILE_ROWS, plan.query_length - row);
#if WIDE
      const uint base = 0;
#else
      const int2 range =
          range_of_borders(borders, &plan, tile_row, rows, job.first_column, columns, (int)gap_first, (int)gap_extend);
      const uint base = base_of(range.x, rows, columns, gap_first, gap_extend);
      if (range.y - (long)base + (long)highest_score * min(rows, columns) > MAX_NARROW) break;
#endif
      make_profile(queries + plan.query + row, rows, segments_of(rows), matrix, letters, profile);
      sweep(subjects, borders, profile, profile, &plan, tile_row, rows, job.first_column, columns, base, gap_first,
            gap_extend, &best);
    }
    *end = best;
#if !WIDE
    done[j] = r;
#endif
  }
  (void)highest_score;
  (void)done;
}
