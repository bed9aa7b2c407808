// One iteration by blocks of columns (the paper's code for CPUs). A worker processes its slices one block of columns
// (in three dimensions of columns and rows) after the other, so that a slice read as the next one stays in the cache as
// the centre and the previous one.
#include "jacobi/vectors.clh"

INLINED void copy_row(__global const real* source, __global real* target, uint count) {
  for (uint x = 0; x < count; x++) target[x] = source[x];
}

// Each worker has `share` of the slices [begin, end).
WORKER_KERNEL void blocked(__global const real* restrict from, __global real* restrict to,
                           __global const uchar* restrict fixed, uint width, uint rows, uint pitch, int low, int high,
                           uint begin, uint end EQUATION_ARGUMENTS, uint block_columns, uint block_rows, ulong share) {
  MAKE_EQUATION;
  const ulong plane = (ulong)rows * pitch, count = end - begin;
  const uint first = begin + (uint)WORKER_FIRST(count, share), last = begin + (uint)WORKER_LAST(count, share);
  for (uint y0 = 0; y0 < rows; y0 += block_rows)
    for (uint x0 = 0; x0 < width; x0 += block_columns) {
      const uint columns = min(block_columns, width - x0);
      for (uint slice = first; slice < last; slice++)
        for (uint y = y0; y < min(y0 + block_rows, rows); y++) {
          const ulong i = (ulong)slice * plane + (ulong)y * pitch + x0;
          if (row_is_fixed(y, (int)slice, rows, low, high EQUATION)) {
            copy_row(from + i, to + i, columns);
            continue;
          }
          struct Sources sources;
          sources.at[0] = from + i - plane;
          sources.at[1] = from + i;
          sources.at[2] = from + i + plane;
          sources.pitch = pitch;
          sources.fixed = fixed + i;
          sources.plane = plane;
#if IS_WEIGHTED || HAS_FLUX
          sources.place = i;
          sources.equation = equation;
          sources.to_up = y == 0 ? 0 : pitch;
          sources.to_down = y == rows - 1 ? 0 : pitch;
#endif
#if HAS_FLUX
          if ((int)slice == low) sources.at[0] = sources.at[1];
          if ((int)slice == high) sources.at[2] = sources.at[1];
#endif
          __global real* target = to + i;
          ulong made = 0;
#if HAS_FLUX
          if (i == 0) made = relax_by_cells(1, &sources, &target, columns);
#endif
          relax_exactly(1, &sources, &target, made, columns);
          const ulong last_x = columns - 1;
#if HAS_FLUX
          real cells[1];
          if (x0 == 0) {
            relax_side(1, &sources, 0, 1, IS_FIXED(SIDE_LEFT), from + i, cells);
            *target = cells[0];
          }
          if (x0 + columns == width) {
            relax_side(1, &sources, last_x, 0, IS_FIXED(SIDE_RIGHT), from + i + last_x, cells);
            target[last_x] = cells[0];
          }
#else
          if (x0 == 0) *target = from[i];
          if (x0 + columns == width) target[last_x] = from[i + last_x];
#endif
        }
    }
}
