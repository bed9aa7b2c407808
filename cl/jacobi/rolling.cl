// Several iterations in one pass over a tile of columns (in three dimensions of columns and rows), slice by slice. Each
// iteration except the last keeps the few slices that the next one needs, all in the cache.
//
// Iteration l is one slice behind iteration l - 1. Slice s of it replaces slice s - 1 of iteration l - 1, which is no
// longer needed: the buffer holds 2 slices for each iteration and BLOCK more, and every write hits memory that was just
// read. BLOCK slices are computed at a time, so that only 2 of the BLOCK + 2 slices read have left the level-1 cache,
// and each is loaded once for three uses. Slice s + 1 then overwrites slice s, whose neighbouring columns (and rows)
// are still needed: hence iteration l is stored LANES columns (in three dimensions, a row) before iteration l - 1.
//
// The first iteration reads `from`, the last one writes `to`. A tile starts wider than it ends, by a cell on each side
// for each iteration.
#include "jacobi/vectors.clh"

// The constants of a pass. A worker's buffer has `slots` slices of `slice` elements in rows of `row`; the first column
// of the tile is at `lead`.
struct Pass {
  __global const real* from;
  __global real* to;
  __global const uchar* fixed;
  int width, rows, low, high;
  ulong pitch, plane;
  int last;  // iteration
  __global real* buffer;
  int slots;
  ulong slice, row, lead;
#if IS_WEIGHTED || HAS_FLUX
  const struct Equation* equation;
#endif
};

// A tile is columns [x0, x1), rows [y0, y1) and slices [s0, s1) of the result.
struct Tile {
  int x0, x1, y0, y1, s0, s1;
};

// The columns and rows that an iteration needs, and the index of their first cell in a slice of the grid.
struct Part {
  int left, right, top, bottom;
  ulong in_grid;
};

// (Not returned by value: Oclgrind does not support the resulting code.)
INLINED void find_part(const struct Pass* pass, const struct Tile* tile, int iteration, struct Part* part) {
  const int more = pass->last - iteration;
  part->left = max(tile->x0 - (more + LANES - 1) / LANES * LANES, 0);
  part->right = min(tile->x1 + more, pass->width);
#if DIMENSIONS == 3
  part->top = max(tile->y0 - more, 0);
  part->bottom = min(tile->y1 + more, pass->rows);
#else
  part->top = 0;
  part->bottom = 1;
#endif
  part->in_grid = (ulong)part->top * pass->pitch + (ulong)part->left;
}

// The first cell of a part in slice `place` of the buffer, for the cells of `iteration`. The place of a slice is its
// number in iteration 0, and one less in each further iteration.
INLINED __global real* in_buffer(const struct Pass* pass, const struct Tile* tile, const struct Part* part, int place,
                                 int iteration) {
  place += place < 0 ? pass->slots : 0;
  place -= place >= pass->slots ? pass->slots : 0;
  __global real* slice = pass->buffer + (ulong)place * pass->slice;
#if DIMENSIONS == 3
  slice += (ulong)(part->top - tile->y0 + pass->last - iteration) * pass->row;
  return slice + (part->left - tile->x0 + (int)pass->lead);
#else
  return slice + (part->left - tile->x0 + (int)pass->lead - iteration * LANES);
#endif
}

INLINED void copy_cells(__global const real* source, __global real* target, ulong count) {
  ulong x = 0;
  for (; x + LANES <= count; x += LANES) *(__global loose_vector*)(target + x) = VECTOR_AT(source + x);
  for (; x < count; x++) target[x] = source[x];
}

// Computes `iteration` for n slices (a constant) from `slice` on, which is at `place` in the buffer.
INLINED void relax_slices(const int n, const struct Pass* pass, const struct Tile* tile, int iteration, int slice,
                          int place) {
  struct Part part;
  find_part(pass, tile, iteration, &part);
  const ulong count = (ulong)(part.right - part.left);
  const int is_first = iteration == 1, is_last = iteration == pass->last;
  __global const real* origin = pass->from + (ulong)slice * pass->plane + part.in_grid;
  struct Sources sources;
  sources.pitch = is_first ? pass->pitch : pass->row;
  sources.fixed = pass->fixed + (ulong)slice * pass->plane + part.in_grid;
  sources.plane = pass->plane;
  __global real* targets[BLOCK];
  FOR_BLOCK(i, n,
            targets[i] = is_last ? pass->to + (ulong)(slice + i) * pass->plane + part.in_grid
                                 : in_buffer(pass, tile, &part, place + i, iteration))
  const ulong target_pitch = is_last ? pass->pitch : pass->row;

#if IS_WEIGHTED || HAS_FLUX
  const struct Equation* const equation = pass->equation;
  sources.equation = equation;
  sources.place = (ulong)slice * pass->plane + part.in_grid;
  sources.to_up = sources.to_down = sources.pitch;
#endif

  const int keeps = ((slice == pass->low) & IS_FIXED(SIDE_PREVIOUS)) | ((slice == pass->high) & IS_FIXED(SIDE_NEXT));
  if (n == 1 && keeps) {
    for (int y = part.top; y < part.bottom; y++, origin += pass->pitch, targets[0] += target_pitch)
      copy_cells(origin, targets[0], count);
    return;
  }
  FOR_SOURCES(i, n + 2,
              sources.at[i] = is_first ? origin + (i - 1) * (long)pass->plane
                                       : in_buffer(pass, tile, &part, place + i, iteration - 1))
#if HAS_FLUX
  if (n == 1) {  // slices at the ends of the grid are computed one by one
    if (slice == pass->low) sources.at[0] = sources.at[1];
    if (slice == pass->high) sources.at[2] = sources.at[1];
  }
#endif
  for (int y = part.top; y < part.bottom; y++) {
    if (DIMENSIONS == 3 && (((y == 0) & IS_FIXED(SIDE_UP)) | ((y == pass->rows - 1) & IS_FIXED(SIDE_DOWN)))) {
      FOR_BLOCK(i, n, copy_cells(origin + i * pass->plane, targets[i], count))
    } else {
#if HAS_FLUX
      // The next writes overwrite the sources of these cells.
      real first_cells[BLOCK], last_cells[BLOCK];
      sources.to_up = y == 0 ? 0 : sources.pitch;
      sources.to_down = y == pass->rows - 1 ? 0 : sources.pitch;
      if (part.left == 0) relax_side(n, &sources, 0, 1, IS_FIXED(SIDE_LEFT), origin, first_cells);
      if (part.right == pass->width)
        relax_side(n, &sources, count - 1, 0, IS_FIXED(SIDE_RIGHT), origin + count - 1, last_cells);
#endif
      ulong made = 0;
#if HAS_FLUX
      if (is_first && sources.place == 0) made = relax_by_cells(n, &sources, targets, count);
#endif
      if (is_last)
        relax_exactly(n, &sources, targets, made, count);
      else
        relax_loosely(n, &sources, targets, made, count);
#if HAS_FLUX
      if (part.left == 0) {
        FOR_BLOCK(i, n, targets[i][0] = first_cells[i])
      }
      if (part.right == pass->width) {
        FOR_BLOCK(i, n, targets[i][count - 1] = last_cells[i])
      }
#else
      if (part.left == 0) {
        FOR_BLOCK(i, n, targets[i][0] = origin[i * pass->plane])
      }
      if (part.right == pass->width) {
        FOR_BLOCK(i, n, targets[i][count - 1] = origin[i * pass->plane + count - 1])
      }
#endif
    }
    FOR_SOURCES(i, n + 2, sources.at[i] += sources.pitch)
    FOR_BLOCK(i, n, targets[i] += target_pitch)
    sources.fixed += pass->pitch;
#if IS_WEIGHTED || HAS_FLUX
    sources.place += pass->pitch;
#endif
    origin += pass->pitch;
  }
}

INLINED void relax_tile(const struct Pass* pass, const struct Tile* tile) {
  const int last = pass->last;
  // The first iteration starts `last - 1` slices before the tile; the blocks of the last one start with the tile.
  const int before = (2 * last - 2 + BLOCK - 1) / BLOCK * BLOCK;
  int slot = 0;  // of slice `step`
  for (int step = tile->s0 + last - before; step - last < tile->s1; step += BLOCK) {
    for (int iteration = 1; iteration <= last; iteration++) {
      const int more = last - iteration, slice = step - iteration, place = slot - 2 * iteration;
      const int first = max(tile->s0 - more, pass->low), end = min(tile->s1 + more, pass->high + 1);
      if (slice >= max(first, pass->low + 1) && slice + BLOCK <= min(end, pass->high))
        relax_slices(BLOCK, pass, tile, iteration, slice, place);
      else
        for (int i = max(first - slice, 0); i < min(end - slice, BLOCK); i++)
          relax_slices(1, pass, tile, iteration, slice + i, place + i);
    }
    slot += BLOCK;
    slot -= slot >= pass->slots ? pass->slots : 0;
  }
}

// Workers take tiles in turn; `taken` counts them. Requires iterations >= 1, and tile_rows = 1 in 2D.
WORKER_KERNEL void rolling(__global const real* restrict from, __global real* restrict to,
                           __global const uchar* restrict fixed, uint width, uint rows, uint pitch, int low, int high,
                           uint begin, uint end EQUATION_ARGUMENTS, __global real* restrict buffers,
                           volatile __global uint* taken, uint iterations, uint tile_columns, uint tile_rows,
                           uint tile_slices, uint slots, ulong buffer_slice, uint buffer_row, uint lead) {
  MAKE_EQUATION;
  struct Pass pass;
  pass.from = from;
  pass.to = to;
  pass.fixed = fixed;
  pass.width = (int)width;
  pass.rows = (int)rows;
  pass.low = low;
  pass.high = high;
  pass.pitch = pitch;
  pass.plane = (ulong)rows * pitch;
  pass.last = (int)iterations;
  pass.buffer = buffers + get_group_id(0) * slots * buffer_slice;
  pass.slots = (int)slots;
  pass.slice = buffer_slice;
  pass.row = buffer_row;
  pass.lead = lead;
#if IS_WEIGHTED || HAS_FLUX
  pass.equation = equation;
#endif
  const uint across = (width + tile_columns - 1) / tile_columns, down = (rows + tile_rows - 1) / tile_rows;
  const uint tiles = across * down * ((end - begin + tile_slices - 1) / tile_slices);
  for (uint number = atomic_inc(taken); number < tiles; number = atomic_inc(taken)) {
    struct Tile tile;
    tile.x0 = (int)(number % across * tile_columns);
    tile.x1 = (int)min((uint)tile.x0 + tile_columns, width);
    tile.y0 = (int)(number / across % down * tile_rows);
    tile.y1 = (int)min((uint)tile.y0 + tile_rows, rows);
    tile.s0 = (int)(begin + number / across / down * tile_slices);
    tile.s1 = (int)min((uint)tile.s0 + tile_slices, end);
    relax_tile(&pass, &tile);
  }
}
