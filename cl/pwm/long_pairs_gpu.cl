// Joins two matrices with too many hits to list, at one shift each (long_pairs.clh): a group has two grids; an item
// has columns of them.
#include "pwm/long_pairs.clh"

// tasks[2 t]: first of the losses of the overlap's columns in both matrices, first of their tails; tasks[2 t + 1]:
// columns of the overlap. grids: two for each group.
GROUP_KERNEL void join_pairs_gpu(__global const uint4* tasks, __global const uint* all_losses_a,
                                 __global const uint* all_losses_b, __global const uint* tails_a,
                                 __global const uint* tails_b, float4 frequencies, __global float* grids,
                                 __global float* results, uint last, uint count) {
  __local uchar filled[2][GRID];
  __local float sums[GRID];
  __local Step steps[4];
  const uint item = (uint)get_local_id(0);
  __global float* before = grids + get_group_id(0) * (ulong)(2 * GRID * GRID);
  __global float* after = before + GRID * GRID;
  for (uint t = (uint)get_group_id(0); t < count; t += (uint)get_num_groups(0)) {
    const uint4 task = tasks[2 * t];
    const uint columns = tasks[2 * t + 1].x;
    for (uint row = item; row < GRID; row += GROUP_SIZE) {
      filled[0][row] = row == 0;
      before[row] = row == 0;
    }
    uint side = 0;
    for (uint column = 0; column < columns; column++, side ^= 1) {
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      if (item < 4) steps[item] = step_of(all_losses_a + task.x, all_losses_b + task.y, column, item, frequencies);
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint row = item; row < GRID; row += GROUP_SIZE) {
        uint any = 0;
        for (uint letter = 0; letter < 4; letter++)
          if (steps[letter].a <= row && steps[letter].b < GRID) any |= filled[side][row - steps[letter].a];
        filled[side ^ 1][row] = (uchar)any;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint row = 0; row < GRID; row++) {
        if (!filled[side ^ 1][row]) continue;
        for (uint i = item; i < GRID; i += GROUP_SIZE) {
          float sum = 0;
          for (uint letter = 0; letter < 4; letter++) {
            const Step step = steps[letter];
            if (step.a <= row && step.b <= i && filled[side][row - step.a])
              sum += step.p * before[(row - step.a) * GRID + i - step.b];
          }
          after[row * GRID + i] = sum;
        }
      }
      __global float* const swapped = before;
      before = after;
      after = swapped;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint i = item; i < GRID; i += GROUP_SIZE) {
      float of_column = 0;
      for (uint row = 0; row < GRID && FINE * row <= last; row++)
        if (filled[side][row]) of_column += before[row * GRID + i] * (float)tails_a[task.z + last - FINE * row];
      sums[i] = FINE * i <= last ? of_column * 0x1p-31f * ((float)tails_b[task.w + last - FINE * i] * 0x1p-31f) : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_size = GRID / 2; half_size > 0; half_size /= 2) {
      for (uint i = item; i < half_size; i += GROUP_SIZE) sums[i] += sums[i + half_size];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0) results[t] = sums[0];
  }
}
