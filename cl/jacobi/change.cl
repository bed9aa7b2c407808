// One iteration that also computes the largest |new - old| and the sum of (new - old)^2 of every row. The order of
// summation is the same in both families: lane l adds columns l, l + CHANGE_LANES, l + 2 * CHANGE_LANES, ..., then lane
// l adds lane l + CHANGE_LANES / 2, l + CHANGE_LANES / 4, ..., l + 1.
#include "jacobi/cells.clh"

// Lanes of a row.
#ifndef CHANGE_LANES
#error "CHANGE_LANES comes from the host"
#endif

// Whether the device has double. Without it, integers compute the sums of squares with the same bits, so that devices
// of both kinds can share a grid. A grid of double is never on such a device.
#ifndef HAS_DOUBLE
#error "HAS_DOUBLE comes from the host"
#endif

// In periodic directions only the cells between the halos count.
#ifndef HALO_COLUMNS
#define HALO_COLUMNS 0
#endif
#ifndef HALO_ROWS
#define HALO_ROWS 0
#endif
#define OWN_COLUMNS (width - 2 * HALO_COLUMNS)
#define OWN_ROWS (rows - 2 * HALO_ROWS)

#if HAS_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double square_sum;
#define BITS_OF_SUM(sum) as_ulong(sum)

INLINED square_sum squared(real difference) { return (square_sum)difference * (square_sum)difference; }
INLINED square_sum added(square_sum a, square_sum b) { return a + b; }

#else
typedef ulong square_sum;  // the bits of a nonnegative double
#define BITS_OF_SUM(sum) (sum)

#define INFINITE 0x7ff0000000000000ul
#define HIDDEN_BIT (1ul << 52)

// The square of a float is exact in double: 48 bits, and an exponent in range.
INLINED square_sum squared(real difference) {
  const uint bits = as_uint((float)difference) & 0x7fffffffu, exponent = bits >> 23;
  if (exponent == 255) return INFINITE | ((bits & 0x7fffffu) != 0 ? HIDDEN_BIT >> 1 : 0);
  // The value is mantissa * 2^(max(exponent, 1) - 150).
  const ulong mantissa = (bits & 0x7fffffu) | (exponent != 0 ? 0x800000u : 0);
  const ulong square = mantissa * mantissa;
  if (square == 0) return 0;
  const int highest = 63 - (int)clz(square);
  return (ulong)(highest + 2 * (int)max(exponent, 1u) - 300 + 1023) << 52 |
         ((square << (52 - highest)) & (HIDDEN_BIT - 1));
}

// Rounds to nearest even, as double does. Neither operand is negative or subnormal.
INLINED square_sum added(square_sum a, square_sum b) {
  const ulong more = max(a, b), less = min(a, b);
  if (less == 0 || more >= INFINITE) return more;
  // Ten more bits below the mantissa. The last one is set if any bit shifted out is set.
  const ulong distance = (more >> 52) - (less >> 52);
  const ulong low = ((less & (HIDDEN_BIT - 1)) | HIDDEN_BIT) << 10;
  const ulong near = distance > 62 ? 1 : low >> distance | ((low & ((1ul << distance) - 1)) != 0);
  ulong exponent = more >> 52, sum = (((more & (HIDDEN_BIT - 1)) | HIDDEN_BIT) << 10) + near;
  if (sum >> 63 != 0) {
    sum = sum >> 1 | (sum & 1);
    exponent++;
  }
  const ulong rest = sum & 1023;
  ulong rounded = sum >> 10;
  rounded += rest > 512 || (rest == 512 && (rounded & 1) != 0);
  return (exponent << 52) + (rounded - HIDDEN_BIT);  // carries if rounded up to the next power of two
}
#endif

#ifndef ONLY_CPU

#define CHANGE_ROWS (GROUP_SIZE / CHANGE_LANES)

// CHANGE_LANES items process each row.
GROUP_KERNEL void change_gpu(__global const real* restrict from, __global real* restrict to,
                             __global const uchar* restrict fixed, uint width, uint rows, uint pitch, int low, int high,
                             uint begin, uint end EQUATION_ARGUMENTS, __global real* restrict largest,
                             __global ulong* restrict squares) {
  MAKE_EQUATION;
  __local real max_of[CHANGE_ROWS][CHANGE_LANES];
  __local square_sum sum_of[CHANGE_ROWS][CHANGE_LANES];
  const uint lane = get_local_id(0) % CHANGE_LANES, mine = get_local_id(0) / CHANGE_LANES;
  const ulong count = (ulong)(end - begin) * OWN_ROWS, number = (ulong)get_group_id(0) * CHANGE_ROWS + mine;
  real max_here = 0;
  square_sum sum_here = 0;
  if (number < count) {
    const uint row = (uint)(number % OWN_ROWS) + HALO_ROWS;
    const int slice = (int)(begin + number / OWN_ROWS);
    const ulong first = ((ulong)slice * rows + row) * pitch + HALO_COLUMNS;
    const int row_fixed = row_is_fixed(row, slice, rows, low, high EQUATION);
    for (uint x = lane; x < OWN_COLUMNS; x += CHANGE_LANES) {
      const ulong i = first + x;
      const real value = next_value(from, fixed, i, x + HALO_COLUMNS, width, row_fixed, row, rows, slice, low, high,
                                    pitch, (ulong)rows * pitch EQUATION);
      to[i] = value;
      const real difference = value - from[i];
      max_here = fmax(max_here, fabs(difference));
      sum_here = added(sum_here, squared(difference));
    }
  }
  max_of[mine][lane] = max_here;
  sum_of[mine][lane] = sum_here;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = CHANGE_LANES / 2; step > 0; step /= 2) {
    if (lane < step) {
      max_of[mine][lane] = fmax(max_of[mine][lane], max_of[mine][lane + step]);
      sum_of[mine][lane] = added(sum_of[mine][lane], sum_of[mine][lane + step]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0 && number < count) {
    largest[number] = max_of[mine][0];
    squares[number] = BITS_OF_SUM(sum_of[mine][0]);
  }
}

#endif
#ifndef ONLY_GPU

WORKER_KERNEL void change_cpu(__global const real* restrict from, __global real* restrict to,
                              __global const uchar* restrict fixed, uint width, uint rows, uint pitch, int low,
                              int high, uint begin, uint end EQUATION_ARGUMENTS, __global real* restrict largest,
                              __global ulong* restrict squares, ulong share) {
  MAKE_EQUATION;
  const ulong count = (ulong)(end - begin) * OWN_ROWS, last = WORKER_LAST(count, share);
  for (ulong number = WORKER_FIRST(count, share); number < last; number++) {
    real max_of[CHANGE_LANES];
    square_sum sum_of[CHANGE_LANES];
    for (uint lane = 0; lane < CHANGE_LANES; lane++) max_of[lane] = 0;
    for (uint lane = 0; lane < CHANGE_LANES; lane++) sum_of[lane] = 0;
    const uint row = (uint)(number % OWN_ROWS) + HALO_ROWS;
    const int slice = (int)(begin + number / OWN_ROWS);
    const ulong first = ((ulong)slice * rows + row) * pitch + HALO_COLUMNS;
    const int row_fixed = row_is_fixed(row, slice, rows, low, high EQUATION);
    for (uint x0 = 0; x0 < OWN_COLUMNS; x0 += CHANGE_LANES) {
      const uint lanes = min((uint)CHANGE_LANES, OWN_COLUMNS - x0);
      for (uint lane = 0; lane < lanes; lane++) {
        const ulong i = first + x0 + lane;
        const real value = next_value(from, fixed, i, x0 + lane + HALO_COLUMNS, width, row_fixed, row, rows, slice, low,
                                      high, pitch, (ulong)rows * pitch EQUATION);
        to[i] = value;
        const real difference = value - from[i];
        max_of[lane] = fmax(max_of[lane], fabs(difference));
        sum_of[lane] = added(sum_of[lane], squared(difference));
      }
    }
    for (uint step = CHANGE_LANES / 2; step > 0; step /= 2)
      for (uint lane = 0; lane < step; lane++) {
        max_of[lane] = fmax(max_of[lane], max_of[lane + step]);
        sum_of[lane] = added(sum_of[lane], sum_of[lane + step]);
      }
    largest[number] = max_of[0];
    squares[number] = BITS_OF_SUM(sum_of[0]);
  }
}

#endif
