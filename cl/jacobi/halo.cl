// Refreshes the halo of periodic directions: a cell of a halo column or row is copied from the other end.
//
// A slice has HALO_ROWS halo rows before and after its rows, and a row HALO_COLUMNS halo columns before and after its
// columns.
#include "common/items.clh"

#include "jacobi/cells.clh"

#ifndef HALO_COLUMNS
#error "HALO_COLUMNS comes from the host"
#endif
#ifndef HALO_ROWS
#error "HALO_ROWS comes from the host"
#endif

// The index of the cell that `place` is a copy of, in a direction of `length` cells with `ghosts` halo cells on both
// sides.
INLINED uint inside(uint place, uint length, uint ghosts) {
  if (place >= ghosts && place < ghosts + length) return place;
  const uint before = (ghosts + length - 1) / length * length;  // a multiple of the length
  return (place + before - ghosts) % length + ghosts;
}

// In slices from `begin` on. On a CPU an item is a held row, elsewhere a halo cell: in each slice first those left and
// right of all rows, then those above and below.
ITEM_KERNEL void refresh_halo(__global real* cells, uint width, uint rows, uint pitch, uint begin, ulong count,
                              ulong share) {
  const uint own_width = width - 2 * HALO_COLUMNS, own_rows = rows - 2 * HALO_ROWS;
#ifdef ONLY_CPU
  FOR_EACH_ITEM(i, count, share) {
    const uint row = (uint)(i % rows), own_row = inside(row, own_rows, HALO_ROWS);
    __global real* slice = cells + (begin + i / rows) * (ulong)rows * pitch;
    __global const real* from = slice + (ulong)own_row * pitch;
    __global real* to = slice + (ulong)row * pitch;
    if (row != own_row)
      for (uint x = HALO_COLUMNS; x < width - HALO_COLUMNS; x++) to[x] = from[x];
    for (uint x = 0; x < HALO_COLUMNS; x++) {
      to[x] = from[inside(x, own_width, HALO_COLUMNS)];
      to[width - 1 - x] = from[inside(width - 1 - x, own_width, HALO_COLUMNS)];
    }
  }
#else
  const uint beside = rows * 2 * HALO_COLUMNS, all = beside + 2 * HALO_ROWS * own_width;
  FOR_EACH_ITEM(i, count, share) {
    const uint number = (uint)(i % all);
    uint row, column;
    if (number < beside) {
      const uint ghosts = max(2u * HALO_COLUMNS, 1u);
      row = number / ghosts;
      column = number % ghosts;
      column += column < HALO_COLUMNS ? 0 : own_width;
    } else {
      row = (number - beside) / own_width;
      column = (number - beside) % own_width + HALO_COLUMNS;
      row += row < HALO_ROWS ? 0 : own_rows;
    }
    __global real* slice = cells + (begin + i / all) * (ulong)rows * pitch;
    slice[(ulong)row * pitch + column] =
        slice[(ulong)inside(row, own_rows, HALO_ROWS) * pitch + inside(column, own_width, HALO_COLUMNS)];
  }
#endif
}
