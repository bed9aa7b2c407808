// An item processes STRIP_SLICES slices with COLUMNS cells of each, so that the neighbours in the previous and next
// slices are in registers.
//
// GROUP_SIZE items are ITEMS_ACROSS wide; in three dimensions they are GROUP_SIZE / ITEMS_ACROSS rows high, in two one
// row.
#include "jacobi/cells.clh"

#ifndef COLUMNS
#error "COLUMNS comes from the host"
#endif
#include "jacobi/stream_row.clh"
#ifndef STRIP_SLICES
#error "STRIP_SLICES comes from the host"
#endif
#ifndef ITEMS_ACROSS
#error "ITEMS_ACROSS comes from the host"
#endif

// Groups are numbered along the columns (`across` of them), then the rows of a plane (`down`; 1 in two dimensions),
// then the slices.
GROUP_KERNEL void strip_slices(__global const real* restrict from, __global real* restrict to,
                               __global const uchar* restrict fixed, uint width, uint rows, uint pitch, int low,
                               int high, uint begin, uint end EQUATION_ARGUMENTS, uint across, uint down) {
  MAKE_EQUATION;
  const uint item = get_local_id(0), group = get_group_id(0);
  const uint x = (group % across * ITEMS_ACROSS + item % ITEMS_ACROSS) * COLUMNS;
#if DIMENSIONS == 3
  const uint y = group / across % down * (GROUP_SIZE / ITEMS_ACROSS) + item / ITEMS_ACROSS;
  const int first = (int)(begin + group / across / down * STRIP_SLICES);
  if (y >= rows) return;
  // Rows outside the plane are not read; the outermost rows keep their values.
  const ulong to_up = y == 0 ? 0 : pitch, to_down = y == rows - 1 ? 0 : pitch;
#else
  const uint y = 0;
  const int first = (int)(begin + group / across * STRIP_SLICES);
  (void)down;
#endif
  if (x >= width) return;
  const ulong plane = (ulong)rows * pitch;
  ulong i = ((ulong)first * rows + y) * pitch + x;
  // Slices outside the grid are not read, nor any after the one that follows the last one written.
  const int last = min((int)end, high);
  real before[COLUMNS], middle[COLUMNS], behind[COLUMNS];
  load_row(before, from + (first <= low ? i : i - plane));
  load_row(middle, from + i);
#pragma unroll
  for (int s = 0; s < STRIP_SLICES; s++, i += plane) {
    const int slice = first + s;
    if (slice >= (int)end) break;
    load_row(behind, from + (slice >= last ? i : i + plane));
    const real left = from[x == 0 ? i : i - 1], right = from[i + COLUMNS];
#if DIMENSIONS == 3
    real up[COLUMNS], below[COLUMNS];
    load_row(up, from + i - to_up);
    load_row(below, from + i + to_down);
#endif
    const int kept = row_is_fixed(y, slice, rows, low, high EQUATION);
    real next[COLUMNS];
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
      const real west = c == 0 ? left : middle[c == 0 ? 0 : c - 1];
#if HAS_FLUX
      const real east = x + c == width - 1 ? middle[c]
                        : c == COLUMNS - 1 ? right
                                           : middle[c == COLUMNS - 1 ? c : c + 1];
#else
      const real east = c == COLUMNS - 1 ? right : middle[c == COLUMNS - 1 ? c : c + 1];
#endif
#if DIMENSIONS == 3
      const real sum =
          NEXT(real, SOURCE_AT(real, i + c), i + c, before[c], up[c], west, middle[c], east, below[c], behind[c]);
#else
      const real sum = NEXT(real, SOURCE_AT(real, i + c), i + c, before[c], 0, west, middle[c], east, 0, behind[c]);
#endif
      int keeps = kept | ((x + c == 0) & IS_FIXED(SIDE_LEFT)) | ((x + c >= width - 1) & IS_FIXED(SIDE_RIGHT));
#if HAS_FIXED
      keeps |= fixed[i + c];
#endif
      next[c] = keeps ? middle[c] : sum;
    }
    store_row(to + i, next, (int)x, width);
    copy_row(before, middle);
    copy_row(middle, behind);
  }
#if !HAS_FIXED
  (void)fixed;
#endif
}
