// One iteration, and of every row the largest |new - old| and the sum of (new - old)^2, which is made in one order in
// both families: lane l of 64 adds those of columns l, l + 64, ... in turn, then lane l takes in lane l + 32's, then
// l + 16's, ... and l + 1's.
#include "jacobi/kernels/cells.clh"

#define CHANGE_LANES 64

// Whether the device has double; without it the sums are made in float (and stored as the double of that value).
#ifndef HAS_DOUBLE
#define HAS_DOUBLE 0
#endif

#if HAS_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double square_sum;
#define BITS_OF_DOUBLE(sum) as_ulong(sum)
#else
typedef float square_sum;
#define BITS_OF_DOUBLE(sum) widened(sum)
#endif

#if !HAS_DOUBLE
// The bits of the double with the value of a float that is not negative.
static inline ulong widened(float value) {
  const uint bits = as_uint(value), exponent = bits >> 23;
  ulong mantissa = bits & 0x7fffffu;
  if (exponent == 255) return 0x7ff0000000000000ul | mantissa << 29;
  if (exponent != 0) return (ulong)(exponent + 896) << 52 | mantissa << 29;
  if (mantissa == 0) return 0;
  // Subnormal: the leading one becomes the hidden one.
  const uint shift = clz((uint)mantissa) - 8;
  return (ulong)(897 - shift) << 52 | ((mantissa << shift) & 0x7fffffu) << 29;
}
#endif

INLINED square_sum squared(real difference) { return (square_sum)difference * (square_sum)difference; }

#ifndef ONLY_LANES

#define CHANGE_ROWS (GROUP_SIZE / CHANGE_LANES)

// 64 items for each row.
GROUP_KERNEL void change_group(__global const real* restrict from, __global real* restrict to,
                               __global const uchar* restrict fixed, uint width, uint rows, uint pitch, int low,
                               int high, uint begin, uint end, __global real* restrict largest,
                               __global ulong* restrict squares) {
  __local real max_of[CHANGE_ROWS][CHANGE_LANES];
  __local square_sum sum_of[CHANGE_ROWS][CHANGE_LANES];
  const uint lane = get_local_id(0) % CHANGE_LANES, mine = get_local_id(0) / CHANGE_LANES;
  const ulong count = (ulong)(end - begin) * rows, number = (ulong)get_group_id(0) * CHANGE_ROWS + mine;
  real max_here = 0;
  square_sum sum_here = 0;
  if (number < count) {
    const ulong first = ((ulong)begin * rows + number) * pitch;
    const int row_fixed = row_keeps((uint)(number % rows), (int)(begin + number / rows), rows, low, high);
    for (uint x = lane; x < width; x += CHANGE_LANES) {
      const ulong i = first + x;
      const real value = next_value(from, fixed, i, x, width, row_fixed, pitch, (ulong)rows * pitch);
      to[i] = value;
      const real difference = value - from[i];
      max_here = fmax(max_here, fabs(difference));
      sum_here += squared(difference);
    }
  }
  max_of[mine][lane] = max_here;
  sum_of[mine][lane] = sum_here;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = CHANGE_LANES / 2; step > 0; step /= 2) {
    if (lane < step) {
      max_of[mine][lane] = fmax(max_of[mine][lane], max_of[mine][lane + step]);
      sum_of[mine][lane] += sum_of[mine][lane + step];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0 && number < count) {
    largest[number] = max_of[mine][0];
    squares[number] = BITS_OF_DOUBLE(sum_of[mine][0]);
  }
}

#endif
#ifndef ONLY_GROUP

WORKER_KERNEL void change_lanes(__global const real* restrict from, __global real* restrict to,
                                __global const uchar* restrict fixed, uint width, uint rows, uint pitch, int low,
                                int high, uint begin, uint end, __global real* restrict largest,
                                __global ulong* restrict squares, ulong share) {
  const ulong count = (ulong)(end - begin) * rows, last = WORKER_LAST(count, share);
  for (ulong number = WORKER_FIRST(count, share); number < last; number++) {
    real max_of[CHANGE_LANES];
    square_sum sum_of[CHANGE_LANES];
    for (uint lane = 0; lane < CHANGE_LANES; lane++) max_of[lane] = 0;
    for (uint lane = 0; lane < CHANGE_LANES; lane++) sum_of[lane] = 0;
    const ulong first = ((ulong)begin * rows + number) * pitch;
    const int row_fixed = row_keeps((uint)(number % rows), (int)(begin + number / rows), rows, low, high);
    for (uint x0 = 0; x0 < width; x0 += CHANGE_LANES) {
      const uint lanes = min((uint)CHANGE_LANES, width - x0);
      for (uint lane = 0; lane < lanes; lane++) {
        const ulong i = first + x0 + lane;
        const real value = next_value(from, fixed, i, x0 + lane, width, row_fixed, pitch, (ulong)rows * pitch);
        to[i] = value;
        const real difference = value - from[i];
        max_of[lane] = fmax(max_of[lane], fabs(difference));
        sum_of[lane] += squared(difference);
      }
    }
    for (uint step = CHANGE_LANES / 2; step > 0; step /= 2)
      for (uint lane = 0; lane < step; lane++) {
        max_of[lane] = fmax(max_of[lane], max_of[lane + step]);
        sum_of[lane] += sum_of[lane + step];
      }
    largest[number] = max_of[0];
    squares[number] = BITS_OF_DOUBLE(sum_of[0]);
  }
}

#endif
