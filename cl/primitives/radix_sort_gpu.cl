// A pass of the radix sort for any GPU: count the digits of each tile, sum over the tiles, move each tile's items.
// Three launches, so that no group ever waits for another.
//
// Tiles are counted in chunks of `tiles_per_chunk`: one group counts a chunk, and notes for each of its tiles what came
// before it inside the chunk. Then only the chunks' counts are summed up.
#include "primitives/radix_sort_tile.clh"

#ifndef COUNT_GROUP
#error "COUNT_GROUP comes from the host"
#endif
#define COUNT_KERNEL __kernel __attribute__((reqd_work_group_size(COUNT_GROUP, 1, 1)))
#define UNROLL 8

DEFINE_SCAN_DIGITS(scan_offsets, OFFSET)

// tile_before[tile][digit]: items with the digit in the tiles of the chunk before this one. chunk_counts[digit][chunk].
COUNT_KERNEL void radix_count(const __global STORED* keys, ulong count, uint shift, uint mask, uint tiles_per_chunk,
                              uint chunks, __global uint* tile_before, __global uint* chunk_counts) {
  __local uint histogram[DIGITS];
  const uint item = get_local_id(0), chunk = get_group_id(0);
  // Uniform over the group: no barrier is missed.
  if (chunk >= chunks) return;
  const uint tiles = (uint)((count + TILE - 1) / TILE);
  const uint first_tile = chunk * tiles_per_chunk, last_tile = min(tiles, first_tile + tiles_per_chunk);
  uint before = 0;
  histogram[item] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint tile = first_tile; tile < last_tile; tile++) {
    const ulong base = (ulong)tile * TILE;
    const uint valid = (uint)min((ulong)TILE, count - base);
    const __global STORED* tile_keys = keys + base;
    uint i = item;
    for (; i + (UNROLL - 1) * COUNT_GROUP < valid; i += UNROLL * COUNT_GROUP) {
      KEY ahead[UNROLL];
#pragma unroll
      for (uint k = 0; k < UNROLL; k++) ahead[k] = LOAD_KEY(tile_keys[i + k * COUNT_GROUP]);
#pragma unroll
      for (uint k = 0; k < UNROLL; k++) atomic_inc(&histogram[digit_of(ahead[k], shift, mask)]);
    }
    for (; i < valid; i += COUNT_GROUP) atomic_inc(&histogram[digit_of(LOAD_KEY(tile_keys[i]), shift, mask)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    tile_before[(size_t)tile * DIGITS + item] = before;
    before = histogram[item];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  chunk_counts[(size_t)item * chunks + chunk] = before;
}

// One group for each digit: chunk_before[chunk][digit], and the digit's total.
COUNT_KERNEL void radix_scan(const __global uint* chunk_counts, uint chunks, __global OFFSET* chunk_before,
                             __global OFFSET* totals) {
  __local OFFSET scan[SCAN_WORDS];
  const uint item = get_local_id(0), digit = get_group_id(0);
  const __global uint* counts = chunk_counts + (size_t)digit * chunks;
  const uint share = (chunks + COUNT_GROUP - 1) / COUNT_GROUP;
  const uint first = min(chunks, item * share), last = min(chunks, first + share);
  OFFSET sum = 0;
  for (uint chunk = first; chunk < last; chunk++) sum += counts[chunk];
  OFFSET before = scan_offsets(sum, item, scan);
  if (item == COUNT_GROUP - 1) totals[digit] = before + sum;
  for (uint chunk = first; chunk < last; chunk++) {
    chunk_before[(size_t)chunk * DIGITS + digit] = before;
    before += counts[chunk];
  }
}

// One group for each tile, in the order of the tiles: neighbouring tiles write to neighbouring places at the same time.
// Groups that each own a range of tiles are half as fast.
TILE_KERNEL void radix_scatter(const __global STORED* keys_in, const __global VALUE* values_in,
                               __global STORED* keys_out, __global VALUE* values_out, ulong count, uint shift,
                               uint shift_again, uint mask, uint tiles_per_chunk, const __global uint* tile_before,
                               const __global OFFSET* chunk_before, const __global OFFSET* totals) {
  __local ulong store[STORE_WORDS];
  __local OFFSET first_of[DIGITS];
  __local OFFSET scan[SCAN_WORDS];
  const uint item = get_local_id(0), tile = get_group_id(0);
  const ulong base = (ulong)tile * TILE;
  if (base >= count) return;
  const uint valid = (uint)min((ulong)TILE, count - base);
  const uint first = item / WARP * (WARP * ITEMS) + item % WARP;

  KEY keys[ITEMS];
  uint places[ITEMS / 2];
  load_keys(keys, keys_in + base, first, valid);
  clear_ranking(store, item);
  OFFSET before = scan_offsets(item < DIGITS ? totals[item] : 0, item, scan);
  if (item < DIGITS)
    before +=
        chunk_before[(size_t)(tile / tiles_per_chunk) * DIGITS + item] + tile_before[(size_t)tile * DIGITS + item];
  barrier(CLK_LOCAL_MEM_FENCE);

  rank_keys(keys, shift, mask, item, store, places);
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint start = scan_digits(item < DIGITS ? count_digit(store, item) : 0, item, (__local uint*)scan);
  if (item < DIGITS) {
    place_warps(store, item, start);
    first_of[item] = before - start;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  place_items(keys, shift_again, mask, item, store, places);
  barrier(CLK_LOCAL_MEM_FENCE);

  store_keys(keys, places, store);
  VALUE values[ITEMS];
#if HAS_VALUES
  load_values(values, values_in + base, first, valid);
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  write_tile(store, first_of, places, values, shift, mask, item, valid, keys_out, values_out);
}
