// Several iterations in one pass along the planes of a three-dimensional grid: stream.cl with one more dimension.
//
// A group processes a tile of columns and rows, an item a patch of COLUMNS x ROWS cells of it. Level l holds the last
// two known planes of iteration l in registers. The input of level 0 lets it compute a plane of iteration 1, the input
// of level 1, and so on; the output of the last level is written. The middle plane of every level is shared through
// local memory, for the neighbours across the edges of patches: one barrier for each plane, for any number of levels,
// or two if local memory holds the planes only once. With PTX a row of 32 items is a warp: neighbours to the left and
// right come by shuffles, and local memory holds the first and the last row of each patch.
//
// The outermost columns and rows of a tile become invalid one by one with every level, so tiles overlap. The outermost
// tiles begin and end at the sides of the grid, where nothing becomes invalid.
//
// There are FUSED_STEPS levels, and a group is ITEMS_ACROSS items wide.
#include "common/ptx.clh"
#include "jacobi/cells.clh"

#ifndef FUSED_STEPS
#error "FUSED_STEPS comes from the host"
#endif
#ifndef COLUMNS
#error "COLUMNS comes from the host"
#endif
#ifndef ROWS
#error "ROWS comes from the host"
#endif
#ifndef ITEMS_ACROSS
#error "ITEMS_ACROSS comes from the host"
#endif
#include "jacobi/stream_row.clh"

// Buffers for the middle planes of a step in local memory: with two, a step may publish while the previous one is still
// read.
#ifndef TILE_BUFFERS
#error "TILE_BUFFERS comes from the host"
#endif
#if TILE_BUFFERS == 1
#define AFTER_READING barrier(CLK_LOCAL_MEM_FENCE)
#else
#define AFTER_READING
#endif

#define PATCH (COLUMNS * ROWS)
#define TILE_COLUMNS (ITEMS_ACROSS * COLUMNS)
#define TILE_ROWS (GROUP_SIZE / ITEMS_ACROSS * ROWS)
#define MARGIN ((FUSED_STEPS + COLUMNS - 1) / COLUMNS * COLUMNS)

// The rows of a patch in local memory.
#if GENOCL_PTX && ITEMS_ACROSS == 32
#define USES_SHUFFLES 1
#define SHARED_ROWS (ROWS > 2 ? 2 : ROWS)
#else
#define USES_SHUFFLES 0
#define SHARED_ROWS ROWS
#endif
#define SHARED_CELLS (TILE_COLUMNS * (GROUP_SIZE / ITEMS_ACROSS) * SHARED_ROWS)

// Column c of all patches of a row is contiguous, so that neighbouring items access neighbouring elements.
#define PLACE(row, c, across) (((row)*COLUMNS + (c)) * ITEMS_ACROSS + (across))

INLINED void publish_patch(__local real* shared, const real* patch, uint across, uint down) {
#pragma unroll
  for (int s = 0; s < SHARED_ROWS; s++) {
    const int r = s == SHARED_ROWS - 1 ? ROWS - 1 : s;
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) shared[PLACE(down * SHARED_ROWS + s, c, across)] = patch[r * COLUMNS + c];
  }
}

#if USES_SHUFFLES
// The value of the item to the left or right; the outermost items get their own.
#if REAL_BYTES == 8
INLINED real of_left_item(real value) {
  const uint2 words = as_uint2(value);
  return as_double((uint2)(ptx_shuffle_up(words.x, 1), ptx_shuffle_up(words.y, 1)));
}

INLINED real of_right_item(real value) {
  const uint2 words = as_uint2(value);
  return as_double((uint2)(ptx_shuffle_down(words.x, 1), ptx_shuffle_down(words.y, 1)));
}
#else
INLINED real of_left_item(real value) { return as_float(ptx_shuffle_up(as_uint(value), 1)); }

INLINED real of_right_item(real value) { return as_float(ptx_shuffle_down(as_uint(value), 1)); }
#endif
#endif

// With fixed cells: history[p], bit i: whether cell i is fixed in the p-th plane before the newest. Adds the newest.
INLINED void remember_fixed(uint* history, __global const uchar* fixed, const uint* places) {
#if HAS_FIXED
#pragma unroll
  for (int p = FUSED_STEPS; p > 0; p--) history[p] = history[p - 1];
  history[0] = 0;
#pragma unroll
  for (int i = 0; i < PATCH; i++) history[0] |= (uint)(fixed[places[i / COLUMNS] + i % COLUMNS] != 0) << i;
#else
  (void)history;
  (void)fixed;
  (void)places;
#endif
}

// The constants of all levels of a step, and of all steps except `here`, the input plane.
struct Step {
  int here, first, last;  // readable planes
  ulong size;             // of a plane
  // Zero-flux sides. Bit i: whether cell i of the patch has no neighbour there; bit l: whether the middle plane of
  // level l has none before or after it.
  uint no_left, no_right, no_up, no_down, no_before, no_behind;
};

// Advances one level by one plane. `plane` is the next plane of iteration `level`; on return that of iteration level +
// 1, one plane before. `before` and `middle` are the last known planes; the newest replaces `before`. `shared`:
// `middle` of all patches. planes_kept, bit l: whether level l's middle plane is fixed as a whole; cells_kept, bit i:
// whether cell i is fixed in all planes; history[l + 1], with fixed cells, bit i: whether it is fixed in that of level
// l. `places`: the indices of the patch's rows in a plane.
INLINED void advance_level(real* before, const real* middle, real* plane, __local const real* shared, uint across,
                           uint down, int level, const int any_kept, uint planes_kept, uint cells_kept,
                           const uint* history, const struct Step* step, const uint* places EQUATION_PARAMETER) {
  // The outermost items have no neighbour; their results are in the margin, or on a side of the grid.
#if !USES_SHUFFLES
  const uint left_item = across == 0 ? 0 : across - 1;
  const uint right_item = across == ITEMS_ACROSS - 1 ? across : across + 1;
#endif
  const uint up_row = down == 0 ? 0 : down * SHARED_ROWS - 1;
  const uint down_row = min((down + 1) * SHARED_ROWS, (uint)(GROUP_SIZE / ITEMS_ACROSS * SHARED_ROWS) - 1);
#if IS_WEIGHTED
  const ulong first_cell = (ulong)clamp(step->here - 1 - level, step->first, step->last) * step->size;
#endif
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
#if USES_SHUFFLES
    const real left = of_left_item(middle[r * COLUMNS + COLUMNS - 1]), right = of_right_item(middle[r * COLUMNS]);
#else
    const real left = shared[PLACE(down * ROWS + r, COLUMNS - 1, left_item)];
    const real right = shared[PLACE(down * ROWS + r, 0, right_item)];
#endif
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
      const int i = r * COLUMNS + c;
      real north = r == 0 ? shared[PLACE(up_row, c, across)] : middle[r == 0 ? 0 : i - COLUMNS];
      real west = c == 0 ? left : middle[c == 0 ? 0 : i - 1];
      real east = c == COLUMNS - 1 ? right : middle[c == COLUMNS - 1 ? 0 : i + 1];
      real south = r == ROWS - 1 ? shared[PLACE(down_row, c, across)] : middle[r == ROWS - 1 ? 0 : i + COLUMNS];
      real front = before[i], back = plane[i];
#if HAS_FLUX
      if (any_kept) {
        west = step->no_left >> i & 1 ? middle[i] : west;
        east = step->no_right >> i & 1 ? middle[i] : east;
        north = step->no_up >> i & 1 ? middle[i] : north;
        south = step->no_down >> i & 1 ? middle[i] : south;
        front = step->no_before >> level & 1 ? middle[i] : front;
        back = step->no_behind >> level & 1 ? middle[i] : back;
      }
#endif
#if IS_WEIGHTED
      const ulong cell = first_cell + places[r] + c;
      (void)cell;
#endif
      real next = NEXT(real, SOURCE_AT(real, cell), cell, front, north, west, middle[i], east, south, back);
      if (any_kept) {
        uint keeps = planes_kept >> level | cells_kept >> i;
#if HAS_FIXED
        keeps |= history[level + 1] >> i;
#endif
        next = keeps & 1 ? middle[i] : next;
      }
      before[i] = plane[i];
      plane[i] = next;
    }
  }
#if !HAS_FIXED
  (void)history;
#endif
}

// Advances all levels by one plane, when `shared` has all their middle planes.
INLINED void advance(real (*before)[PATCH], real (*middle)[PATCH], real* plane, __local real (*shared)[SHARED_CELLS],
                     uint across, uint down, const int any_kept, uint planes_kept, uint cells_kept, const uint* history,
                     const struct Step* step, const uint* places EQUATION_PARAMETER) {
#pragma unroll
  for (int level = 0; level < FUSED_STEPS; level++)
    advance_level(before[level], middle[level], plane, shared[level], across, down, level, any_kept, planes_kept,
                  cells_kept, history, step, places EQUATION);
}

INLINED void publish_all(__local real (*shared)[SHARED_CELLS], real (*middle)[PATCH], uint across, uint down) {
#pragma unroll
  for (int level = 0; level < FUSED_STEPS; level++) publish_patch(shared[level], middle[level], across, down);
}

INLINED void copy_patch(real* to, const real* from) {
#pragma unroll
  for (int i = 0; i < PATCH; i++) to[i] = from[i];
}

INLINED void load_patch(real* patch, __global const real* from, const uint* places) {
#pragma unroll
  for (int r = 0; r < ROWS; r++) load_row(patch + r * COLUMNS, from + places[r]);
}

// rows_written, bit r: whether the group writes row r.
INLINED void store_patch(__global real* to, const real* patch, const uint* places, uint rows_written, int x,
                         uint width) {
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    if (rows_written >> r & 1) store_row(to + places[r], patch + r * COLUMNS, x, width);
}

#if HAS_FLUX
#define SET_STEP                                \
  step.here = here;                             \
  step.no_before = bit_of_step(here - 1 - low); \
  step.no_behind = bit_of_step(here - 1 - high)
#else
#define SET_STEP step.here = here
#endif

// What the groups share.
struct Grid {
  uint width, rows, pitch;
  int low, high;
};

// Bit r: whether the group writes row r of an item's patch at (x, y). Margins are not written, and outermost tiles have
// none at the sides of the grid.
INLINED uint rows_to_write(const struct Grid* grid, int tile_x, int tile_y, int x, int y) {
  const int last_x = tile_x + TILE_COLUMNS >= (int)grid->width, last_y = tile_y + TILE_ROWS >= (int)grid->rows;
  if ((x - tile_x < MARGIN && tile_x > 0) || (x - tile_x >= TILE_COLUMNS - MARGIN && !last_x) || x >= (int)grid->width)
    return 0;
  uint written = 0;
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    const int row = y + r - tile_y;
    const int valid = (row >= FUSED_STEPS || tile_y == 0) && (row < TILE_ROWS - FUSED_STEPS || last_y);
    written |= (uint)(valid && y + r < (int)grid->rows) << r;
  }
  return written;
}

// Bit i: whether cell i of a patch at (x, y) is fixed in all planes.
INLINED uint fixed_cells(const struct Grid* grid, int x, int y EQUATION_PARAMETER) {
  uint kept = 0;
#pragma unroll
  for (int i = 0; i < PATCH; i++) {
    const int column = x + i % COLUMNS, row = y + i / COLUMNS;
    const int outermost = (column <= 0 && IS_FIXED(SIDE_LEFT)) ||
                          (column >= (int)grid->width - 1 && IS_FIXED(SIDE_RIGHT)) || (row <= 0 && IS_FIXED(SIDE_UP)) ||
                          (row >= (int)grid->rows - 1 && IS_FIXED(SIDE_DOWN));
    kept |= (uint)outermost << i;
  }
  return kept;
}

// Which cells of a patch at (x, y) have no neighbour on a zero-flux side.
INLINED void set_missing_neighbours(struct Step* step, const struct Grid* grid, int x, int y) {
#if HAS_FLUX
#pragma unroll
  for (int i = 0; i < PATCH; i++) {
    const int column = x + i % COLUMNS, row = y + i / COLUMNS;
    step->no_left |= (uint)(column == 0) << i;
    step->no_right |= (uint)(column == (int)grid->width - 1) << i;
    step->no_up |= (uint)(row == 0) << i;
    step->no_down |= (uint)(row == (int)grid->rows - 1) << i;
  }
#else
  (void)step;
  (void)grid;
  (void)x;
  (void)y;
#endif
}

// Groups are numbered along the columns (`across` of them), then the rows (`down`), then ranges of `tall` planes.
GROUP_KERNEL void stream_3d(__global const real* restrict from, __global real* restrict to,
                            __global const uchar* restrict fixed, uint width, uint rows, uint pitch, int low, int high,
                            uint begin, uint end EQUATION_ARGUMENTS, uint across, uint down, uint tall) {
  MAKE_EQUATION;
  __local real shared[TILE_BUFFERS * FUSED_STEPS][SHARED_CELLS];
  const struct Grid grid = {width, rows, pitch, low, high};
  const uint item = get_local_id(0) % GROUP_SIZE;  // as in stream.cl
  const uint item_x = item % ITEMS_ACROSS, item_y = item / ITEMS_ACROSS;
  const uint group = get_group_id(0), walk = group / across / down;
  const int tile_x = (int)(group % across * (TILE_COLUMNS - 2 * MARGIN));
  const int tile_y = (int)(group / across % down * (TILE_ROWS - 2 * FUSED_STEPS));
  const int x = tile_x + (int)(item_x * COLUMNS), y = tile_y + (int)(item_y * ROWS);
  const int begin_here = (int)(begin + walk * tall), end_here = (int)min(begin + (walk + 1) * tall, end);
  // The readable planes: those of the grid that this range needs.
  const int first = max(begin_here - FUSED_STEPS, low), last = min(end_here - 1 + FUSED_STEPS, high);
  const int at_side =
      tile_x <= 0 || tile_x + TILE_COLUMNS >= (int)width || tile_y <= 0 || tile_y + TILE_ROWS >= (int)rows;
  const ulong size = (ulong)rows * pitch;

  real odd[FUSED_STEPS][PATCH], even[FUSED_STEPS][PATCH], coming[PATCH], plane[PATCH];
  uint history[FUSED_STEPS + 1];
  uint places[ROWS];  // in a plane; a plane has fewer than 2^32 elements
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    places[r] = (uint)clamp(y + r, 0, (int)rows - 1) * pitch + clamp(x, 0, (int)pitch - COLUMNS);
  const uint rows_written = rows_to_write(&grid, tile_x, tile_y, x, y);
  const uint cells_kept = fixed_cells(&grid, x, y EQUATION);
  struct Step step = {0, first, last, size, 0, 0, 0, 0, 0, 0};
  set_missing_neighbours(&step, &grid, x, y);
  load_patch(coming, from + (ulong)min(first, last) * size, places);
#pragma unroll
  for (int level = 0; level < FUSED_STEPS; level++) {
    history[level] = 0;
#pragma unroll
    for (int i = 0; i < PATCH; i++) odd[level][i] = even[level][i] = 0;
  }
  history[FUSED_STEPS] = 0;

  // A turn is two planes, after which the registers of the levels have their roles again. An excess plane at the end is
  // not written.
  for (int z = first; z < end_here + FUSED_STEPS; z += 2) {
#define STREAM_STEP(before, middle, parity)                                                                          \
  {                                                                                                                  \
    const int here = z + parity, written = here - FUSED_STEPS;                                                       \
    const int any_kept = HAS_FIXED || at_side || written <= low || here > high;                                      \
    remember_fixed(history, fixed + (ulong)min(here, last) * size, places);                                          \
    copy_patch(plane, coming);                                                                                       \
    load_patch(coming, from + (ulong)min(here + 1, last) * size, places);                                            \
    publish_all(shared + parity % TILE_BUFFERS * FUSED_STEPS, middle, item_x, item_y);                               \
    SET_STEP;                                                                                                        \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
    if (any_kept)                                                                                                    \
      advance(before, middle, plane, shared + parity % TILE_BUFFERS * FUSED_STEPS, item_x, item_y, 1,                \
              FIXED_SLICES(here, low, high), cells_kept, history, &step, places EQUATION);                           \
    else                                                                                                             \
      advance(before, middle, plane, shared + parity % TILE_BUFFERS * FUSED_STEPS, item_x, item_y, 0, 0, cells_kept, \
              history, &step, places EQUATION);                                                                      \
    AFTER_READING;                                                                                                   \
    if (written >= begin_here && written < end_here)                                                                 \
      store_patch(to + (ulong)written * size, plane, places, rows_written, x, width);                                \
  }
    STREAM_STEP(odd, even, 0)
    STREAM_STEP(even, odd, 1)
  }
}
