// Several iterations in one pass down the rows of a two-dimensional grid.
//
// A group walks down a block of columns. Level l holds the last two rows of iteration l that are known, in registers:
// the row of iteration 0 that comes in lets level 0 make one of iteration 1, which comes in at level 1, and so on; what
// leaves the last level is written. In a step every level needs but one row's neighbours across the items' edges, and
// those were known a step ago: one barrier a row, however many the levels. The outermost columns of a block go wrong
// one by one with every level, so blocks overlap by MARGIN columns on each side, and walks by FUSED_STEPS rows.
//
// There are FUSED_STEPS iterations, and an item has COLUMNS columns (1 to 4).
#include "jacobi/cells.clh"

#ifndef FUSED_STEPS
#error "FUSED_STEPS comes from the host"
#endif
#ifndef COLUMNS
#error "COLUMNS comes from the host"
#endif
#include "jacobi/stream_row.clh"

// A multiple of COLUMNS, so that rows are read in vectors in their place.
#define MARGIN ((FUSED_STEPS + COLUMNS - 1) / COLUMNS * COLUMNS)
#define BLOCK_COLUMNS (GROUP_SIZE * COLUMNS - 2 * MARGIN)
// A level has the items' first columns, then their last ones.
#define STEP_EDGES ((COLUMNS > 1 ? 2 : 1) * GROUP_SIZE)

// What neighbours need of an item's newest row of a level.
INLINED void publish(__local real* level_edges, uint item, const real* row) {
  level_edges[item] = row[0];
#if COLUMNS > 1
  level_edges[GROUP_SIZE + item] = row[COLUMNS - 1];
#endif
}

// Of the equation, what a step's levels are made with: `first_cell`, the place in the arrays of the item's first column
// of row 0; `here`, the row that comes in; rows that can be read.
struct Step {
  ulong first_cell, pitch;
  int here, first, last;
};

// At sides without flux: what stands for a neighbour that the grid does not have. Bit i: whether column i is the grid's
// first, or last; bit l: whether level l's middle row is.
struct Sides {
  uint first_columns, last_columns, first_rows, last_rows;
};

// One row further: `row` is the next row of iteration 0, then that of iteration FUSED_STEPS, FUSED_STEPS rows above. Of
// each level, `above` and `middle` are the last rows known; the newest takes the place of `above`, so that the two
// change parts with every step. `edges`: what was published of `middle`; `next_edges`: of the newest. keep[i], bit l:
// whether column i of level l's middle row keeps its value. sources[l]: of level l's middle row.
INLINED void advance(real (*above)[COLUMNS], real (*middle)[COLUMNS], real* row, __local const real* edges,
                     __local real* next_edges, uint item, const int any_kept, const uint* keep, const struct Step* step,
                     const struct Sides* sides, const real (*sources)[COLUMNS] EQUATION_PARAMETER) {
  // The outermost items have no neighbour, and what they make of it is in the margin.
  const uint before = (STEP_EDGES - GROUP_SIZE) + (item == 0 ? 0 : item - 1);
  const uint after = item == GROUP_SIZE - 1 ? item : item + 1;
#pragma unroll
  for (int level = 0; level < FUSED_STEPS; level++) {
    const real left = edges[level * STEP_EDGES + before];
    const real right = edges[level * STEP_EDGES + after];
#if HAS_COEFFICIENTS
    const ulong place = step->first_cell + (ulong)clamp(step->here - 1 - level, step->first, step->last) * step->pitch;
#endif
    real next[COLUMNS];
#pragma unroll
    for (int i = 0; i < COLUMNS; i++) {
      real west = i == 0 ? left : middle[level][i == 0 ? 0 : i - 1];
      real east = i == COLUMNS - 1 ? right : middle[level][i == COLUMNS - 1 ? i : i + 1];
      real north = above[level][i], south = row[i];
#if HAS_FLUX
      if (any_kept) {
        west = sides->first_columns >> i & 1 ? middle[level][i] : west;
        east = sides->last_columns >> i & 1 ? middle[level][i] : east;
        north = sides->first_rows >> level & 1 ? middle[level][i] : north;
        south = sides->last_rows >> level & 1 ? middle[level][i] : south;
      }
#endif
#if HAS_SOURCE
      const real source = sources[level][i];
#else
      const real source = 0;
#endif
      next[i] = NEXT(real, source, place + i, north, 0, west, middle[level][i], east, 0, south);
      (void)source;
    }
    if (any_kept) {
#pragma unroll
      for (int i = 0; i < COLUMNS; i++) next[i] = keep[i] >> level & 1 ? middle[level][i] : next[i];
    }
#pragma unroll
    for (int i = 0; i < COLUMNS; i++) {
      above[level][i] = row[i];
      row[i] = next[i];
    }
    publish(next_edges + level * STEP_EDGES, item, above[level]);
  }
}

// keep[i], bit l, for `advance`, when the row that comes in has `fixed` cells: those of columns_kept, bit i, and row
// rows_kept, bit l, and where there are fixed cells theirs, which history[i] knows of the rows above.
INLINED void keep_bits(uint* keep, uint* history, __global const uchar* fixed, uint rows_kept, uint columns_kept) {
#pragma unroll
  for (int i = 0; i < COLUMNS; i++) {
    keep[i] = rows_kept | (columns_kept >> i & 1 ? ~0u : 0u);
#if HAS_FIXED
    keep[i] |= history[i];
    history[i] = history[i] << 1 | (fixed[i] != 0);
#else
    (void)history;
    (void)fixed;
#endif
  }
}

#if HAS_SOURCE
#define SOURCES(parity) ((const real(*)[COLUMNS])(sources + 3 - parity))
#else
#define SOURCES(parity) 0
#endif
#if HAS_FLUX
#define SET_ROWS                                  \
  sides.first_rows = bit_of_step(here - 1 - low); \
  sides.last_rows = bit_of_step(here - 1 - high)
#else
#define SET_ROWS
#endif
#define SET_STEP    \
  step.here = here; \
  SET_ROWS

// Group g walks down block g % across of the columns, the g / across'th `tall` rows of them.
GROUP_KERNEL void stream_2d(__global const real* restrict from, __global real* restrict to,
                            __global const uchar* restrict fixed, uint width, uint rows, uint pitch, int low, int high,
                            uint begin, uint end EQUATION_ARGUMENTS, uint across, uint tall) {
  MAKE_EQUATION;
  __local real edges[2][FUSED_STEPS * STEP_EDGES];
  // NVIDIA's compiler does not know that a local id is below the group's size; told so, it needs a tenth fewer
  // registers.
  const uint item = get_local_id(0) % GROUP_SIZE, walk = get_group_id(0) / across;
  const int x = (int)((get_group_id(0) - walk * across) * BLOCK_COLUMNS + item * COLUMNS) - MARGIN;
  const int top = (int)(begin + walk * tall), bottom = (int)min(begin + (walk + 1) * tall, end);
  // Rows that are read: the grid's, and what is needed of them.
  const int first = max(top - FUSED_STEPS, low), last = min(bottom - 1 + FUSED_STEPS, high);
  const int writes = item * COLUMNS >= MARGIN && item * COLUMNS < GROUP_SIZE * COLUMNS - MARGIN && x < (int)width;
  const int block_x = x - (int)item * COLUMNS;
  const int at_side = block_x <= 0 || block_x + GROUP_SIZE * COLUMNS >= (int)width;
  const int read_x = clamp(x, 0, (int)pitch - COLUMNS);
  (void)rows;

  real odd[FUSED_STEPS][COLUMNS], even[FUSED_STEPS][COLUMNS], coming[2][COLUMNS], row[COLUMNS];
  uint columns_kept = 0, history[COLUMNS];
#pragma unroll
  for (int i = 0; i < COLUMNS; i++) {
    columns_kept |= (uint)((x + i <= 0 && IS_FIXED(SIDE_LEFT)) || (x + i >= (int)width - 1 && IS_FIXED(SIDE_RIGHT)))
                    << i;
    history[i] = 0;
  }
#pragma unroll
  for (int level = 0; level < FUSED_STEPS; level++) {
#pragma unroll
    for (int i = 0; i < COLUMNS; i++) odd[level][i] = even[level][i] = 0;
    publish(edges[0] + level * STEP_EDGES, item, even[level]);
  }
  struct Step step;
  step.first = first;
  step.last = last;
  step.pitch = pitch;
  step.first_cell = (ulong)read_x;
  struct Sides sides = {0, 0, 0, 0};
#if HAS_FLUX
#pragma unroll
  for (int i = 0; i < COLUMNS; i++) {
    sides.first_columns |= (uint)(x + i == 0) << i;
    sides.last_columns |= (uint)(x + i == (int)width - 1) << i;
  }
#endif
#if HAS_SOURCE
  // Row r of these is row y + 2 - r of the source. The two newest are there a turn before they are needed.
  real sources[FUSED_STEPS + 3][COLUMNS];
#pragma unroll
  for (int r = 0; r < FUSED_STEPS + 3; r++)
    load_row(sources[r], source + (ulong)clamp(first + 2 - r, first, last) * pitch + read_x);
#endif
  load_row(coming[0], from + (ulong)min(first, last) * pitch + read_x);
  load_row(coming[1], from + (ulong)min(first + 1, last) * pitch + read_x);

  // A turn is two rows, after which the levels' registers have their parts again. What is one row too many at the end
  // is not written.
  for (int y = first; y < bottom + FUSED_STEPS; y += 2) {
#define STREAM_STEP(above, middle, parity)                                                                       \
  {                                                                                                              \
    const int here = y + parity, written = here - FUSED_STEPS;                                                   \
    uint keep[COLUMNS];                                                                                          \
    keep_bits(keep, history, fixed + (ulong)min(here, last) * pitch + read_x, FIXED_SLICES(here, low, high),     \
              columns_kept);                                                                                     \
    SET_STEP;                                                                                                    \
    const int any_kept = HAS_FIXED || at_side || written <= low || here > high;                                  \
    copy_row(row, coming[parity]);                                                                               \
    load_row(coming[parity], from + (ulong)min(here + 2, last) * pitch + read_x);                                \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                \
    if (any_kept)                                                                                                \
      advance(above, middle, row, edges[parity], edges[1 - parity], item, 1, keep, &step, &sides,                \
              SOURCES(parity) EQUATION);                                                                         \
    else                                                                                                         \
      advance(above, middle, row, edges[parity], edges[1 - parity], item, 0, keep, &step, &sides,                \
              SOURCES(parity) EQUATION);                                                                         \
    if (writes && written >= top && written < bottom) store_row(to + (ulong)written * pitch + x, row, x, width); \
  }
    STREAM_STEP(odd, even, 0)
    STREAM_STEP(even, odd, 1)
#if HAS_SOURCE
#pragma unroll
    for (int r = FUSED_STEPS + 2; r >= 2; r--) copy_row(sources[r], sources[r - 2]);
    load_row(sources[0], source + (ulong)clamp(y + 4, first, last) * pitch + read_x);
    load_row(sources[1], source + (ulong)clamp(y + 3, first, last) * pitch + read_x);
#endif
  }
}
