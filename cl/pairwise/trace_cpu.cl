// The traceback of pairs whose tile borders are all kept, pair by pair for each worker. H of the tiles on the path is
// computed again, up to the row and column where the path enters. If a cell is neither 0 nor a pair of letters, H to
// its left shows whether it is E.
#define KEEP_CELLS 1
#include "pairwise/tile_cpu.clh"

typedef struct {
  const Plan* plan;
  __global const Value* cells;
  __global const int2* top;   // of column 1 of the tile
  __global const int2* left;  // of the corner
  int has_top, has_left;
  uint segments, base;
  uint above, before;  // rows and columns of the plan before the tile
  int gap_first, gap_extend, highest;
} Tile;

// Returns H of a cell of the tile, the first one being (1, 1), or of a border: row 0, column 0.
static inline int value_at(const Tile* tile, uint row, uint column) {
  if (column == 0)
    return tile->has_left ? tile->left[row].x
                          : left_h(tile->plan, tile->above + row, tile->gap_first, tile->gap_extend);
  if (row == 0)
    return tile->has_top ? tile->top[column - 1].x
                         : top_h(tile->plan, tile->before + column, tile->gap_first, tile->gap_extend);
  const uint vector = (column - 1) * tile->segments + (row - 1) % tile->segments;
  return (int)(tile->cells[vector * LANES + (row - 1) / tile->segments] + tile->base);
}

// Returns whether E of a cell is `value`, which is above 0 and at least E.
static inline int is_e(const Tile* tile, uint row, uint column, int value) {
  long needed = (long)value + tile->gap_first;
  for (uint c = column; c-- > 1; needed += tile->gap_extend) {
    if (needed > tile->highest) return 0;
    if (value_at(tile, row, c) == needed) return 1;
  }
  // `needed` is that of column 0, where E was stored as column 1 uses it.
#if !LOCAL
  if (!tile->has_left) return left_h(tile->plan, tile->above + row, tile->gap_first, tile->gap_extend) == needed;
#endif
  return tile->has_left && tile->left[row].y == needed - tile->gap_first;
}

// walks[pair]: row and column (1-based; 0 is the border), state (IN_H...), number of steps; values[pair]: E or F there.
// The trace continues until it has arrived or has passed the first row, or, with 16 bits, a tile needs 32.
// paths[plan.path + step]: STEP_..., from the end of the alignment. profiles: TILE_ROWS * 32 values for each worker,
// kept: TILE_ROWS * TILE_COLUMNS.
WORKER_KERNEL void trace_cpu(__global const uchar* queries, __global const uchar* subjects, __global const char* matrix,
                             __global const Plan* plans, __global int2* borders, __global uint4* walks,
                             __global int* values, __global const int* scores, __global uchar* paths,
                             __global Values* profiles, __global Values* kept, uint pairs, uint letters,
                             int highest_score, int gap_first, int gap_extend) {
  __global Values* profile = profiles + (ulong)get_group_id(0) * MAX_SEGMENTS * CODES;
  __global Values* cells = kept + (ulong)get_group_id(0) * MAX_SEGMENTS * TILE_COLUMNS;
  for (uint pair = (uint)get_group_id(0); pair < pairs; pair += (uint)get_num_groups(0)) {
    const Plan plan = plans[pair];
    uint4 walk = walks[pair];
    int value = values[pair];
    while (walk.z != ARRIVED && walk.x > 0) {
      const uint tile_row = (walk.x - 1) / TILE_ROWS, tile_column = (walk.y - 1) / TILE_COLUMNS;
      const uint above = tile_row * TILE_ROWS, before = tile_column * TILE_COLUMNS;
      const uint rows = walk.x - above;
      Tile tile;
      tile.plan = &plan;
      tile.above = above;
      tile.before = before;
      tile.segments = segments_of(rows);
      tile.cells = (__global const Value*)cells;
      tile.has_top = tile_row > 0 || plan.has_top != 0;
      tile.has_left = tile_column > 0;
      tile.top = borders + row_border(&plan, tile_row) + before;
      tile.left = tile.has_left ? borders + column_border(&plan, tile_row, tile_column, TILE_ROWS) : borders;
      tile.gap_first = gap_first;
      tile.gap_extend = gap_extend;
      tile.highest = scores[pair];
#if WIDE
      tile.base = 0;
#else
      const int2 range =
          range_of_borders(borders, &plan, tile_row, rows, tile_column, walk.y - before, gap_first, gap_extend);
      tile.base = base_of(range.x, rows, walk.y - before, (uint)gap_first, (uint)gap_extend);
      if (range.y - (long)tile.base + (long)highest_score * min(rows, walk.y - before) > MAX_NARROW) break;
#endif
      End best = {0, 0, 0};
      make_profile(queries + plan.query + above, rows, tile.segments, matrix, letters, profile);
      sweep(subjects, borders, profile, cells, &plan, tile_row, rows, tile_column, walk.y - before, tile.base,
            (uint)gap_first, (uint)gap_extend, &best);
      while (walk.z != ARRIVED && walk.x > above && walk.y > before) {
        const uint row = walk.x - above, column = walk.y - before;
        if (walk.z == IN_H) {
          value = value_at(&tile, row, column);
          const int score = matrix[queries[plan.query + walk.x - 1] * CODES + subjects[plan.subject + walk.y - 1]];
          if (value == 0)
            walk.z = ARRIVED;
          else if (value == value_at(&tile, row - 1, column - 1) + score)
            walk.z = STEP_PAIR;
          else
            walk.z = is_e(&tile, row, column, value) ? IN_E : IN_F;
        }
        if (walk.z == ARRIVED) continue;
        paths[plan.path + walk.w] = (uchar)walk.z;
        walk.w++;
        if (walk.z == STEP_PAIR) {
          walk.x--;
          walk.y--;
          walk.z = IN_H;
        } else if (walk.z == IN_E) {
          walk.y--;
          if (value == value_at(&tile, row, column - 1) - gap_first) walk.z = IN_H;
          value += gap_extend;
        } else {
          walk.x--;
          if (value == value_at(&tile, row - 1, column) - gap_first) walk.z = IN_H;
          value += gap_extend;
        }
      }
      if (walk.y == 0) walk.z = ARRIVED;
    }
    walks[pair] = walk;
    values[pair] = value;
  }
  (void)highest_score;
}
