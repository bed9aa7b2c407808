// The traceback of a pair whose tile borders are all kept, one group for each pair. The tiles on the path are computed
// again, each up to the column where the path enters, and traced cell by cell.
#define TRACE 1
#define CONCURRENT 0
#define FIND_ENDS 0
#include "pairwise/tile_gpu.clh"

// Tiles computed at a time: the one where the path enters; with one warp for each tile, also its left, upper and upper
// left neighbours. A path usually passes through three of the four.
#ifndef TILES
#error "TILES comes from the host"
#endif
#if TILES != (ONE_WARP ? 4 : 1)
#error "TILES must be 4 if a warp computes each tile, otherwise 1"
#endif
#define TILE_CELLS (TILE_COLUMNS * GROUP_SIZE)

// The origin of a cell of the tile; rows and columns are 0-based.
#define CELL_AT(row, column) ((uint)cells[(column)*GROUP_SIZE + (row) / ROWS_EACH] >> (4 * ((row) % ROWS_EACH)))

#if ONE_WARP
// Returns the items of the warp for which `condition` holds.
static inline uint items_with(int condition) {
  uint items;
  asm volatile("{ .reg .pred yes; setp.ne.s32 yes, %1, 0; vote.sync.ballot.b32 %0, yes, 0xffffffff; }"
               : "=r"(items)
               : "r"(condition));
  return items;
}

// Traces through a tile until the path leaves it, by one warp, up to 32 cells at a time: each item examines one cell,
// and the trace stops at the first one that differs from those before it.
INLINED uint4 walk_tile(uint4 walk, uint above, uint before, __local const Cells* cells, __global uchar* path) {
  const uint item = SWEEP_ITEM;
  while (walk.z != ARRIVED && walk.x > above && walk.y > before) {
    const uint rows = walk.x - above, columns = walk.y - before;  // remaining in the tile
    const uint kind = walk.z == IN_H ? STEP_PAIR : walk.z;
    const uint y = kind != STEP_DELETION ? rows - 1 - min(item, rows - 1) : rows - 1;
    const uint x = kind != STEP_INSERTION ? columns - 1 - min(item, columns - 1) : columns - 1;
    const uint left = kind == STEP_PAIR ? min(rows, columns) : kind == STEP_DELETION ? columns : rows;
    const uint cell = CELL_AT(y, x);
    const int last = kind == STEP_PAIR       ? (cell & 3) != STEP_PAIR
                     : kind == STEP_DELETION ? (cell & CELL_E_OPENS) != 0
                                             : (cell & CELL_F_OPENS) != 0;
    const uint stops = items_with(last && item < left);
    // The last letter of a gap is one of its steps; a cell that is no pair is not one.
    const uint stop = stops != 0 ? popcount((stops & (0u - stops)) - 1) + (kind != STEP_PAIR ? 1 : 0) : min(left, 32u);
    if (item < stop) path[walk.w + item] = (uchar)kind;
    walk.w += stop;
    if (kind != STEP_INSERTION) walk.y -= stop;
    if (kind != STEP_DELETION) walk.x -= stop;
    if (kind != STEP_PAIR) {
      if (stops != 0) walk.z = IN_H;
    } else if (stops != 0) {
      const uint how = CELL_AT(walk.x - 1 - above, walk.y - 1 - before) & 3;
      walk.z = how == IN_H ? ARRIVED : how;
    }
  }
  if (walk.y == 0) walk.z = ARRIVED;
  return walk;
}
#else
// Traces through a tile until the path leaves it. The first item does this and shares the new position.
INLINED uint4 walk_tile(uint4 walk, uint above, uint before, __local const Cells* cells, __global uchar* path,
                        __local uint* stands) {
  if (get_local_id(0) == 0) {
    while (walk.z != ARRIVED && walk.x > above && walk.y > before) {
      const uint cell = CELL_AT(walk.x - 1 - above, walk.y - 1 - before);
      if (walk.z == IN_H) {
        walk.z = cell & 3;
        if (walk.z == IN_H) walk.z = ARRIVED;
      }
      if (walk.z == ARRIVED) continue;
      path[walk.w] = (uchar)walk.z;
      walk.w++;
      const uint step = walk.z;
      if (step == STEP_PAIR || (cell & (step == STEP_DELETION ? CELL_E_OPENS : CELL_F_OPENS)) != 0) walk.z = IN_H;
      if (step != STEP_INSERTION) walk.y--;
      if (step != STEP_DELETION) walk.x--;
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
  return walk;
}
#endif

// walks[pair]: row and column (1-based; 0 is the border), state (IN_H...), number of steps. The trace continues until
// it has arrived or has passed the first row. paths[plan.path + step]: STEP_..., from the end of the alignment.
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE * TILES, 1, 1))) void trace_gpu(
    __global const uchar* queries, __global const uchar* subjects, __global const uint* matrix,
    __global const Plan* plans, __global int2* borders, __global uint4* walks, __global uchar* paths, int gap_first,
    int gap_extend) {
  __local uint scores[CODES * CODES / 4];
  __local int2 passed[2 * GROUP_SIZE], tops[TILES * GROUP_SIZE];
  __local uchar letters[TILES * 4 * GROUP_SIZE];
  __local Cells cells[TILES * TILE_CELLS];
  __local uint stands[4];
  for (uint i = get_local_id(0); i < CODES * CODES / 4; i += GROUP_SIZE * TILES) scores[i] = matrix[i];
  const Plan plan = plans[get_group_id(0)];
  uint4 walk = walks[get_group_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);  // one item writes it
  End best = {0, 0, 0};
  while (walk.z != ARRIVED && walk.x > 0) {
    const uint tile_row = (walk.x - 1) / TILE_ROWS, tile_column = (walk.y - 1) / TILE_COLUMNS;
#if ONE_WARP
    const uint mine = (uint)get_local_id(0) / GROUP_SIZE;
    if (mine / 2 <= tile_row && mine % 2 <= tile_column)
      sweep(queries, subjects, borders, (__local const char*)scores, passed, tops + mine * GROUP_SIZE,
            letters + mine * 4 * GROUP_SIZE, cells + mine * TILE_CELLS, &plan, tile_row - mine / 2,
            tile_column - mine % 2, mine % 2 == 0 ? walk.y - tile_column * TILE_COLUMNS : TILE_COLUMNS, gap_first,
            gap_extend, &best);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (mine == 0) {
      for (;;) {
        const uint up = tile_row - (walk.x - 1) / TILE_ROWS, left = tile_column - (walk.y - 1) / TILE_COLUMNS;
        if (walk.z == ARRIVED || walk.x == 0 || up > 1 || left > 1) break;
        walk = walk_tile(walk, (tile_row - up) * TILE_ROWS, (tile_column - left) * TILE_COLUMNS,
                         cells + (2 * up + left) * TILE_CELLS, paths + plan.path);
      }
      if (get_local_id(0) == 0) {
        stands[0] = walk.x;
        stands[1] = walk.y;
        stands[2] = walk.z;
        stands[3] = walk.w;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    walk = (uint4)(stands[0], stands[1], stands[2], stands[3]);
    barrier(CLK_LOCAL_MEM_FENCE);
#else
    const uint before = tile_column * TILE_COLUMNS;
    sweep(queries, subjects, borders, (__local const char*)scores, passed, tops, letters, cells, &plan, tile_row,
          tile_column, walk.y - before, gap_first, gap_extend, &best);
    barrier(CLK_LOCAL_MEM_FENCE);
    walk = walk_tile(walk, tile_row * TILE_ROWS, before, cells, paths + plan.path, stands);
#endif
  }
  if (get_local_id(0) == 0) walks[get_group_id(0)] = walk;
}
