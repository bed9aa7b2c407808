// Several iterations in one pass down the rows of a two-dimensional grid.
//
// A group processes a block of columns from top to bottom. Level l holds the last two known rows of iteration l in
// registers. The next row of iteration 0 lets level 0 compute a row of iteration 1, which is the input of level 1, and
// so on; the output of the last level is written. In a step every level needs the edges of the neighbouring items in
// one row only, known since the step before: one barrier for each row, for any number of levels. The outermost columns
// of a block become invalid one by one with every level, so blocks overlap by MARGIN columns on each side, and the
// ranges of groups by FUSED_STEPS rows.
//
// There are FUSED_STEPS levels, and an item has COLUMNS columns (1 to 4).
#include "jacobi/cells.clh"

#ifndef FUSED_STEPS
#error "FUSED_STEPS comes from the host"
#endif
#ifndef COLUMNS
#error "COLUMNS comes from the host"
#endif
#include "jacobi/stream_row.clh"

// A multiple of COLUMNS, so that rows are read in aligned vectors.
#define MARGIN ((FUSED_STEPS + COLUMNS - 1) / COLUMNS * COLUMNS)
#define BLOCK_COLUMNS (GROUP_SIZE * COLUMNS - 2 * MARGIN)
// The first columns of all items, then their last ones.
#define STEP_EDGES ((COLUMNS > 1 ? 2 : 1) * GROUP_SIZE)

// The edges of an item's newest row of a level, for its neighbours.
INLINED void publish(__local real* level_edges, uint item, const real* row) {
  level_edges[item] = row[0];
#if COLUMNS > 1
  level_edges[GROUP_SIZE + item] = row[COLUMNS - 1];
#endif
}

// The indices that a step needs for the equation: `first_cell`, the index of the item's first column in row 0; `here`,
// the input row; the readable rows.
struct Step {
  ulong first_cell, pitch;
  int here, first, last;
};

// Zero-flux sides, where a cell replaces its missing neighbour. Bit i: whether column i is the first or last of the
// grid; bit l: whether the middle row of level l is.
struct Sides {
  uint first_columns, last_columns, first_rows, last_rows;
};

// Advances all levels by one row. `row` is the next row of iteration 0; on return that of iteration FUSED_STEPS,
// FUSED_STEPS rows above. `above` and `middle` are the last known rows of each level; the newest replaces `above`, so
// that the two alternate with every step. `edges`: the published edges of `middle`; `next_edges`: of the newest.
// keep[i], bit l: whether column i of level l's middle row is fixed. sources[l]: the source of level l's middle row.
INLINED void advance(real (*above)[COLUMNS], real (*middle)[COLUMNS], real* row, __local const real* edges,
                     __local real* next_edges, uint item, const int any_kept, const uint* keep, const struct Step* step,
                     const struct Sides* sides, const real (*sources)[COLUMNS] EQUATION_PARAMETER) {
  // The outermost items have no neighbour; their results are in the margin.
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

// Sets keep[i], bit l, for `advance`: whether column i (columns_kept, bit i) or row l (rows_kept, bit l) is fixed, or
// the cell is in the mask. `fixed` is the mask of the input row; history[i] has the rows above.
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

// Group g processes block g % across of the columns, and range g / across of `tall` rows.
GROUP_KERNEL void stream_2d(__global const real* restrict from, __global real* restrict to,
                            __global const uchar* restrict fixed, uint width, uint rows, uint pitch, int low, int high,
                            uint begin, uint end EQUATION_ARGUMENTS, uint across, uint tall) {
  MAKE_EQUATION;
  __local real edges[2][FUSED_STEPS * STEP_EDGES];
  // The modulus tells NVIDIA's compiler that a local id is below the group's size, which saves a tenth of the
  // registers.
  const uint item = get_local_id(0) % GROUP_SIZE, walk = get_group_id(0) / across;
  const int x = (int)((get_group_id(0) - walk * across) * BLOCK_COLUMNS + item * COLUMNS) - MARGIN;
  const int top = (int)(begin + walk * tall), bottom = (int)min(begin + (walk + 1) * tall, end);
  // The readable rows: those of the grid that this range needs.
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
  // Row r of these is row y + 2 - r of the source. The two newest are loaded a turn before they are needed.
  real sources[FUSED_STEPS + 3][COLUMNS];
#pragma unroll
  for (int r = 0; r < FUSED_STEPS + 3; r++)
    load_row(sources[r], source + (ulong)clamp(first + 2 - r, first, last) * pitch + read_x);
#endif
  load_row(coming[0], from + (ulong)min(first, last) * pitch + read_x);
  load_row(coming[1], from + (ulong)min(first + 1, last) * pitch + read_x);

  // A turn is two rows, after which the registers of the levels have their roles again. An excess row at the end is not
  // written.
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
