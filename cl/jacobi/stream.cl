// Several iterations in one pass down the rows of a two-dimensional grid.
//
// A group walks down a block of columns. Level l holds the last two rows of iteration l that are known, in registers:
// the row of iteration 0 that comes in lets level 0 make one of iteration 1, which comes in at level 1, and so on; what
// leaves the last level is written. In a step every level needs but one row's neighbours across the items' edges, and
// those were known a step ago: one barrier a row, whatever the depth. The outermost columns of a block go wrong one by
// one with every level, so blocks overlap by MARGIN columns on each side, and strips of rows by DEPTH.
//
// DEPTH: iterations. COLUMNS: of an item (1, 2 or 4).
#include "jacobi/cells.clh"

#ifndef DEPTH
#define DEPTH 4
#endif
#ifndef COLUMNS
#define COLUMNS 2
#endif
#include "jacobi/stream_row.clh"
#include "jacobi/stream_edges.clh"

// A multiple of COLUMNS, so that rows are read in vectors in their place.
#define MARGIN ((DEPTH + COLUMNS - 1) / COLUMNS * COLUMNS)
#define BLOCK_COLUMNS (BLOCK_ITEMS * COLUMNS - 2 * MARGIN)

// One row further: `row` is the next row of iteration 0, then that of iteration DEPTH, DEPTH rows above. Of each level,
// `above` and `middle` are the last rows known; the newest takes the place of `above`, so that the two change parts
// with every step. `edges`: what was published of `middle`; `next_edges`: of the newest. keep[i]: bit l says whether
// column i of level l's middle row keeps its value.
INLINED void advance(real (*above)[COLUMNS], real (*middle)[COLUMNS], real* row, __local const real* edges,
                     __local real* next_edges, uint item, const int any_kept, const uint* keep) {
#pragma unroll
  for (int level = 0; level < DEPTH; level++) {
    const real left = left_neighbour(edges + level * LEVEL_EDGES, item, middle[level]);
    const real right = right_neighbour(edges + level * LEVEL_EDGES, item, middle[level]);
    real next[COLUMNS];
#pragma unroll
    for (int i = 0; i < COLUMNS; i++) {
      const real west = i == 0 ? left : middle[level][i == 0 ? 0 : i - 1];
      const real east = i == COLUMNS - 1 ? right : middle[level][i == COLUMNS - 1 ? i : i + 1];
      next[i] = ((((above[level][i] + west) + middle[level][i]) + east) + row[i]) * SHARE_OF_SUM;
    }
    if (any_kept) {
#pragma unroll
      for (int i = 0; i < COLUMNS; i++) next[i] = (keep[i] >> level) & 1 ? middle[level][i] : next[i];
    }
#pragma unroll
    for (int i = 0; i < COLUMNS; i++) {
      above[level][i] = row[i];
      row[i] = next[i];
    }
    publish(next_edges + level * LEVEL_EDGES, item, above[level]);
  }
}

// Group g does block g % across of the columns in the g / across'th strip of `tall` rows.
GROUP_KERNEL void stream_2d(__global const real* restrict from, __global real* restrict to,
                            __global const uchar* restrict fixed, uint width, uint rows, uint pitch, int low, int high,
                            uint begin, uint end, uint across, uint tall) {
  __local real edges[2][DEPTH * LEVEL_EDGES];
  const uint item = get_local_id(0) % BLOCK_ITEMS;
  const uint number = get_group_id(0) * (GROUP_SIZE / BLOCK_ITEMS) + get_local_id(0) / BLOCK_ITEMS;
  const uint strip = number / across;
  const int x = (int)((number - strip * across) * BLOCK_COLUMNS + item * COLUMNS) - MARGIN;
  const int top = (int)(begin + strip * tall), bottom = (int)min(begin + (strip + 1) * tall, end);
  // Rows that are read: the grid's, and what is needed of them.
  const int first = max(top - DEPTH, low), last = min(bottom - 1 + DEPTH, high);
  const int writes = item * COLUMNS >= MARGIN && item * COLUMNS < BLOCK_ITEMS * COLUMNS - MARGIN && x < (int)width;
  const int block_x = x - (int)item * COLUMNS;
  const int at_side = block_x <= 0 || block_x + BLOCK_ITEMS * COLUMNS >= (int)width;
  const int read_x = clamp(x, 0, (int)pitch - COLUMNS);
  (void)rows;

  real odd[DEPTH][COLUMNS], even[DEPTH][COLUMNS], coming[2][COLUMNS], row[COLUMNS];
  uint column_kept = 0, history[COLUMNS];
#pragma unroll
  for (int i = 0; i < COLUMNS; i++) {
    column_kept |= (uint)(x + i <= 0 || x + i >= (int)width - 1) << i;
    history[i] = 0;
  }
#pragma unroll
  for (int level = 0; level < DEPTH; level++) {
#pragma unroll
    for (int i = 0; i < COLUMNS; i++) odd[level][i] = even[level][i] = 0;
    publish(edges[0] + level * LEVEL_EDGES, item, even[level]);
  }
  load_row(coming[0], from + (ulong)min(first, last) * pitch + read_x);
  load_row(coming[1], from + (ulong)min(first + 1, last) * pitch + read_x);

  // A turn is two rows, after which the levels' registers have their parts again. What is one row too many at the end
  // is not written.
  for (int y = first; y < bottom + DEPTH; y += 2) {
#define STREAM_STEP(above, middle, parity)                                                                       \
  {                                                                                                              \
    const int here = y + parity, written = here - DEPTH;                                                         \
    uint keep[COLUMNS];                                                                                          \
    keep_bits(keep, history, fixed, column_kept, here, last, low, high, pitch, read_x);                          \
    const int any_kept = HAS_FIXED || at_side || written <= low || here > high;                                  \
    copy_row(row, coming[parity]);                                                                               \
    load_row(coming[parity], from + (ulong)min(here + 2, last) * pitch + read_x);                                \
    STREAM_BARRIER;                                                                                              \
    if (any_kept)                                                                                                \
      advance(above, middle, row, edges[parity], edges[1 - parity], item, 1, keep);                              \
    else                                                                                                         \
      advance(above, middle, row, edges[parity], edges[1 - parity], item, 0, keep);                              \
    if (writes && written >= top && written < bottom) store_row(to + (ulong)written * pitch + x, row, x, width); \
  }
    STREAM_STEP(odd, even, 0)
    STREAM_STEP(even, odd, 1)
  }
}
