// A work-item for each cell.
#include "jacobi/cells.clh"

#ifndef ONLY_CPU

// Columns of a group's tile; it has GROUP_SIZE / TILE_COLUMNS rows.
#ifndef TILE_COLUMNS
#error "TILE_COLUMNS comes from the host"
#endif

// Group g computes tile g % across of band g / across of rows.
GROUP_KERNEL void naive_gpu(__global const real* restrict from, __global real* restrict to,
                            __global const uchar* restrict fixed, uint width, uint rows, uint pitch, int low, int high,
                            uint begin, uint end EQUATION_ARGUMENTS, uint across) {
  MAKE_EQUATION;
  const uint item = get_local_id(0), group = get_group_id(0), band = group / across;
  const uint x = (group - band * across) * TILE_COLUMNS + item % TILE_COLUMNS;
  const ulong number = (ulong)band * (GROUP_SIZE / TILE_COLUMNS) + item / TILE_COLUMNS;
#if DIMENSIONS == 3
  const ulong slice = begin + number / rows;
  const uint row = (uint)(number % rows);
#else
  const ulong slice = begin + number;
  const uint row = 0;
#endif
  if (x >= width || slice >= end) return;
  const ulong i = (slice * rows + row) * pitch + x;
  to[i] = next_value(from, fixed, i, x, width, row_is_fixed(row, (int)slice, rows, low, high EQUATION), row, rows,
                     (int)slice, low, high, pitch, (ulong)rows * pitch EQUATION);
}

#endif
#ifndef ONLY_GPU

// The rows of all slices are divided among the workers.
WORKER_KERNEL void naive_cpu(__global const real* restrict from, __global real* restrict to,
                             __global const uchar* restrict fixed, uint width, uint rows, uint pitch, int low, int high,
                             uint begin, uint end EQUATION_ARGUMENTS, ulong share) {
  MAKE_EQUATION;
  const ulong count = (ulong)(end - begin) * rows, last = WORKER_LAST(count, share);
  const ulong plane = (ulong)rows * pitch;
  for (ulong number = WORKER_FIRST(count, share); number < last; number++) {
    const ulong i = ((ulong)begin * rows + number) * pitch;
    const uint row = (uint)(number % rows);
    const int slice = (int)(begin + number / rows);
    if (row_is_fixed(row, slice, rows, low, high EQUATION)) {
      for (uint x = 0; x < width; x++) to[i + x] = from[i + x];
      continue;
    }
#if HAS_FLUX
    for (uint x = 0; x < width; x++)
      to[i + x] = next_value(from, fixed, i + x, x, width, 0, row, rows, slice, low, high, pitch, plane EQUATION);
#else
    to[i] = from[i];
#if HAS_FIXED
    for (uint x = 1; x < width - 1; x++)
      to[i + x] = next_value(from, fixed, i + x, x, width, 0, row, rows, slice, low, high, pitch, plane EQUATION);
#else
    (void)fixed;
    for (uint x = 1; x < width - 1; x++) to[i + x] = relaxed(from + i + x, i + x, pitch, plane EQUATION);
#endif
    to[i + width - 1] = from[i + width - 1];
#endif
  }
}

#endif
