// Scan in three launches: totals of chunks, scan of those totals, scan of each chunk from there. Reads the input twice
// and writes once. No group waits for another.
//
// `count` elements in, `results_count` out: as many, or one more, which for an exclusive scan is the total.
//
// Defines besides those of the included files: ONE_CHUNK (1: the only chunk, scanned without totals).
#include "common/types.clh"
#include "primitives/combine.clh"
#include "primitives/scan_quads.clh"
#include "primitives/tile_scan.clh"

// Group g combines elements [g * chunk, (g + 1) * chunk). The order does not matter: integers only.
GROUP_KERNEL void scan_chunk_totals(__global const INPUT* values, ulong count, ulong chunk, __global RESULT* totals) {
  __local RESULT lanes[GROUP_SIZE];
  const uint item = get_local_id(0);
  const ulong first = get_group_id(0) * chunk, last = min(count, first + chunk);
  RESULT total = (RESULT)IDENTITY;
  for (ulong at = first + item * 4; at < last; at += GROUP_SIZE * 4 * TILE_ROWS) {
    QUAD(RESULT) rows[TILE_ROWS];
#pragma unroll
    for (uint row = 0; row < TILE_ROWS; row++) rows[row] = load_quad(values, last, at + row * GROUP_SIZE * 4);
#pragma unroll
    for (uint row = 0; row < TILE_ROWS; row++) total = combine(total, total_of_quad(rows[row]));
  }
  lanes[item] = total;
  for (uint half_size = GROUP_SIZE / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < half_size) lanes[item] = combine(lanes[item], lanes[item + half_size]);
  }
  if (item == 0) totals[get_group_id(0)] = lanes[0];
}

// One group: replaces the total of each chunk by the total of the chunks before it.
GROUP_KERNEL void scan_totals(__global RESULT* totals, uint count) {
  __local RESULT values[GROUP_SCAN_VALUES];
  const uint item = get_local_id(0);
  RESULT carry = (RESULT)IDENTITY;
  for (uint base = 0; base < count; base += GROUP_SIZE) {
    const uint at = base + item;
    const RESULT value = at < count ? totals[at] : (RESULT)IDENTITY;
    RESULT all;
    const RESULT before = group_exclusive_scan(value, values, &all);
    if (at < count) totals[at] = combine(carry, before);
    carry = combine(carry, all);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// Group g scans chunk g, tile after tile. In place is allowed: an element is read before it is written, by the same
// item.
GROUP_KERNEL void scan_chunks(__global const INPUT* values, ulong count, ulong results_count, ulong chunk,
                              __global const RESULT* totals, __global RESULT* results) {
  __local QUAD(RESULT) tile_values[TILE_SCAN_VALUES / 4];
  __local RESULT group_values[GROUP_SCAN_VALUES];
  const uint item = get_local_id(0);
  const ulong first = get_group_id(0) * chunk, last = min(results_count, first + chunk);
#if ONE_CHUNK
  RESULT carry = (RESULT)IDENTITY;
#else
  RESULT carry = totals[get_group_id(0)];
#endif
  for (ulong base = first; base < last; base += TILE) {
    QUAD(RESULT) rows[TILE_ROWS];
    const ulong at = base + item * 4;
#pragma unroll
    for (uint row = 0; row < TILE_ROWS; row++) rows[row] = load_quad(values, count, at + row * GROUP_SIZE * 4);
    RESULT all;
    const QUAD(RESULT) before = tile_exclusive_scan(
        (QUAD(RESULT))(total_of_quad(rows[0]), total_of_quad(rows[1]), total_of_quad(rows[2]), total_of_quad(rows[3])),
        tile_values, group_values, &all);
    store_quad(results, last, at, scan_of_quad(rows[0], combine(carry, before.x)));
    store_quad(results, last, at + GROUP_SIZE * 4, scan_of_quad(rows[1], combine(carry, before.y)));
    store_quad(results, last, at + GROUP_SIZE * 8, scan_of_quad(rows[2], combine(carry, before.z)));
    store_quad(results, last, at + GROUP_SIZE * 12, scan_of_quad(rows[3], combine(carry, before.w)));
    carry = combine(carry, all);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
