// Joins two matrices with too many hits to list, at one shift each (long_pairs.clh): a worker has its own grid, which
// stays in cache.
#include "pwm/long_pairs.clh"

// tasks[2 t]: first of the losses of the overlap's columns in both matrices, first of their tails; tasks[2 t + 1]:
// columns of the overlap. grids: two for each worker.
WORKER_KERNEL void join_pairs_cpu(__global const uint4* tasks, __global const uint* all_losses_a,
                                  __global const uint* all_losses_b, __global const uint* tails_a,
                                  __global const uint* tails_b, float4 frequencies, __global float* grids,
                                  __global float* results, uint last, uint count, uint share) {
  __global float* before = grids + get_group_id(0) * (ulong)(2 * GRID * GRID);
  __global float* after = before + GRID * GRID;
  uchar filled[GRID], fills[GRID];
  const uint end = WORKER_LAST(count, share);
  for (uint t = WORKER_FIRST(count, share); t < end; t++) {
    const uint4 task = tasks[2 * t];
    const uint columns = tasks[2 * t + 1].x;
    for (uint row = 0; row < GRID; row++) filled[row] = row == 0;
    for (uint cell = 0; cell < GRID; cell++) before[cell] = cell == 0;
    for (uint column = 0; column < columns; column++) {
      for (uint row = 0; row < GRID; row++) {
        __global float* const to = after + row * GRID;
        uint any = 0;
        for (uint letter = 0; letter < 4; letter++) {
          const Step step = step_of(all_losses_a + task.x, all_losses_b + task.y, column, letter, frequencies);
          if (step.a > row || step.b >= GRID || !filled[row - step.a]) continue;
          __global const float* const from = before + (row - step.a) * GRID;
          if (!any)
            for (uint i = 0; i < GRID; i++) to[i] = 0;
          any = 1;
          for (uint i = step.b; i < GRID; i++) to[i] += step.p * from[i - step.b];
        }
        fills[row] = any;
      }
      for (uint row = 0; row < GRID; row++) filled[row] = fills[row];
      __global float* const swapped = before;
      before = after;
      after = swapped;
    }
    // In the order of the group's form, so that the sum is the same to the last bit.
    float sums[GRID];
    for (uint i = 0; i < GRID; i++) sums[i] = 0;
    for (uint row = 0; row < GRID && FINE * row <= last; row++) {
      if (!filled[row]) continue;
      const float tail = (float)tails_a[task.z + last - FINE * row];
      for (uint i = 0; i < GRID; i++) sums[i] += before[row * GRID + i] * tail;
    }
    for (uint i = 0; i < GRID; i++)
      sums[i] = FINE * i <= last ? sums[i] * 0x1p-31f * ((float)tails_b[task.w + last - FINE * i] * 0x1p-31f) : 0;
    for (uint half_size = GRID / 2; half_size > 0; half_size /= 2)
      for (uint i = 0; i < half_size; i++) sums[i] += sums[i + half_size];
    results[t] = sums[0];
  }
}
