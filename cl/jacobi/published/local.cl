// Listing 3 of Contassot-Vivier and Vialle: a group reads a tile into local memory, one cell for each item. The items
// with all neighbours in the tile compute. In three dimensions the tile is a box.
//
// A tile has TILE_COLUMNS x TILE_ROWS x TILE_PLANES cells, edges included, one for each item of the group.
#include "jacobi/cells.clh"

#ifndef TILE_COLUMNS
#error "TILE_COLUMNS comes from the host"
#endif
#ifndef TILE_ROWS
#error "TILE_ROWS comes from the host"
#endif
#ifndef TILE_PLANES
#error "TILE_PLANES comes from the host"
#endif

#define TILE_CELLS (TILE_COLUMNS * TILE_ROWS * TILE_PLANES)
#define TILE_PLANE (TILE_COLUMNS * TILE_ROWS)

// Tiles are numbered along the columns (`across` of them), then the rows of a plane (`down`; 1 in two dimensions), then
// the slices.
__kernel __attribute__((reqd_work_group_size(TILE_CELLS, 1, 1))) void local_tiles(
    __global const real* restrict from, __global real* restrict to, __global const uchar* restrict fixed, uint width,
    uint rows, uint pitch, int low, int high, uint begin, uint end EQUATION_ARGUMENTS, uint across, uint down) {
  MAKE_EQUATION;
  __local real tile[TILE_CELLS];
  const uint item = get_local_id(0), group = get_group_id(0);
  const uint tile_y = item / TILE_COLUMNS % TILE_ROWS;
  // The cell that this item reads, starting one before the interior cells of the tile.
  int x = (int)(group % across * (TILE_COLUMNS - 2) + item % TILE_COLUMNS) - 1;
#if DIMENSIONS == 3
  const uint tile_z = item / TILE_PLANE;
  int y = (int)(group / across % down * (TILE_ROWS - 2) + tile_y) - 1;
  int slice = (int)(begin + group / across / down * (TILE_PLANES - 2) + tile_z) - 1;
  const int there =
      x >= 0 && x < (int)width && y >= 0 && y < (int)rows && slice >= low && slice <= high && slice <= (int)end;
#else
  int y = 0;
  int slice = (int)(begin + group / across * (TILE_ROWS - 2) + tile_y) - 1;
  const int there = x >= 0 && x < (int)width && slice >= low && slice <= high && slice <= (int)end;
  (void)down;
#endif
  tile[item] = there ? from[((ulong)slice * rows + y) * pitch + x] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  // The first items of each direction compute the cell after their own.
  if (item % TILE_COLUMNS >= TILE_COLUMNS - 2 || (int)tile_y >= TILE_ROWS - 2) return;
  x++;
  slice++;
  uint at = item + TILE_COLUMNS + 1;
#if DIMENSIONS == 3
  if ((int)tile_z >= TILE_PLANES - 2 || y + 1 >= (int)rows) return;
  y++;
  at += TILE_PLANE;
#endif
  if (x >= (int)width || slice >= (int)end) return;
  const ulong i = ((ulong)slice * rows + y) * pitch + x;
#if HAS_FLUX
  const uint to_left = x > 0, to_right = x < (int)width - 1;
  const int to_before = slice > low, to_behind = slice < high;
  const uint to_up = y > 0 ? TILE_COLUMNS : 0, to_down = y < (int)rows - 1 ? TILE_COLUMNS : 0;
#else
  const uint to_left = 1, to_right = 1, to_before = 1, to_behind = 1, to_up = TILE_COLUMNS, to_down = TILE_COLUMNS;
#endif
#if DIMENSIONS == 3
  const real next =
      NEXT(real, SOURCE_AT(real, i), i, tile[at - to_before * TILE_PLANE], tile[at - to_up], tile[at - to_left],
           tile[at], tile[at + to_right], tile[at + to_down], tile[at + to_behind * TILE_PLANE]);
#else
  (void)to_up;
  (void)to_down;
  const real next = NEXT(real, SOURCE_AT(real, i), i, tile[at - to_before * TILE_COLUMNS], 0, tile[at - to_left],
                         tile[at], tile[at + to_right], 0, tile[at + to_behind * TILE_COLUMNS]);
#endif
  int keeps = row_is_fixed(y, slice, rows, low, high EQUATION) | ((x == 0) & IS_FIXED(SIDE_LEFT)) |
              ((x == (int)width - 1) & IS_FIXED(SIDE_RIGHT));
#if HAS_FIXED
  keeps |= fixed[i];
#else
  (void)fixed;
#endif
  to[i] = keeps ? tile[at] : next;
}
