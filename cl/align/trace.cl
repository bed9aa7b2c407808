// The way back through a pair whose borders of tiles are kept, a group for each pair: the tiles on the path are computed
// again, each up to the column where the path comes in, and one item goes through the cells.
#define TRACE 1
#include "align/tile_group.clh"

// walks[pair]: row and column where it stands (counted from 1, 0 is the border), IN_H..., steps taken; it goes on until
// it has arrived or there are no more rows. paths[plan.path + step]: STEP_..., from the end of the alignment.
GROUP_KERNEL void trace(__global const uchar* queries, __global const uchar* subjects, __global const uint* matrix,
                        __global const Plan* plans, __global int2* borders, __global uint4* walks,
                        __global uchar* paths, int gap_first, int gap_extend) {
  __local uint scores[CODES * CODES / 4];
  __local int2 passed[2 * GROUP_SIZE], tops[GROUP_SIZE];
  __local uchar letters[4 * GROUP_SIZE];
  __local Cells cells[TILE_COLUMNS * GROUP_SIZE];
  __local uint stands[4];
  const uint item = get_local_id(0);
  for (uint i = item; i < CODES * CODES / 4; i += GROUP_SIZE) scores[i] = matrix[i];
  const Plan plan = plans[get_group_id(0)];
  uint4 walk = walks[get_group_id(0)];
  End best = {0, 0, 0};
  while (walk.z != ARRIVED && walk.x > 0) {
    const uint tile_row = (walk.x - 1) / TILE_ROWS, tile_column = (walk.y - 1) / TILE_COLUMNS;
    const uint above = tile_row * TILE_ROWS, before = tile_column * TILE_COLUMNS;
    sweep(queries, subjects, borders, (__local const char*)scores, passed, tops, letters, cells, &plan, tile_row, tile_column,
          walk.y - before, gap_first, gap_extend, &best);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
      while (walk.z != ARRIVED && walk.x > above && walk.y > before) {
        const uint y = walk.x - 1 - above, x = walk.y - 1 - before;
        const uint cell = (uint)cells[x * GROUP_SIZE + y / ROWS_EACH] >> (4 * (y % ROWS_EACH));
        if (walk.z == IN_H) {
          walk.z = cell & 3;
          if (walk.z == IN_H) walk.z = ARRIVED;
        }
        if (walk.z == ARRIVED) continue;
        paths[plan.path + walk.w] = (uchar)walk.z;
        walk.w++;
        if (walk.z == STEP_PAIR) {
          walk.x--;
          walk.y--;
          walk.z = IN_H;
        } else if (walk.z == STEP_DELETION) {
          walk.y--;
          if ((cell & CELL_E_OPENS) != 0) walk.z = IN_H;
        } else {
          walk.x--;
          if ((cell & CELL_F_OPENS) != 0) walk.z = IN_H;
        }
      }
      if (walk.y == 0) walk.z = ARRIVED;
      stands[0] = walk.x;
      stands[1] = walk.y;
      stands[2] = walk.z;
      stands[3] = walk.w;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    walk = (uint4)(stands[0], stands[1], stands[2], stands[3]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) walks[get_group_id(0)] = walk;
}
