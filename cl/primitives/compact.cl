// Compaction by groups: set flags counted for each chunk (here), those counts scanned (scan_totals of scan.cl), each
// chunk's elements written from there. No group waits for another.
//
// Defines: FLAG, ELEMENT (types), INDICES (see compact_flags.clh), GROUP_SIZE.
#include "common/types.clh"

// Counts inside a tile are scanned as the sums they are.
#define INPUT uint
#define RESULT uint
#define COMBINE sum
#define IDENTITY 0
#include "primitives/combine.clh"
#include "primitives/tile_scan.clh"
#include "primitives/compact_flags.clh"
#define WRITE_BATCH 1
#include "primitives/compact_stage.clh"

// Group g counts flags [g * chunk, (g + 1) * chunk); a chunk has fewer than 2^32. The last group's entry is followed by
// one more, for the total that the scan leaves there.
GROUP_KERNEL void compact_count(__global const FLAG* flags, ulong count, ulong chunk, __global ulong* counts) {
  __local uint lanes[GROUP_SIZE];
  const uint item = get_local_id(0);
  const ulong first = get_group_id(0) * chunk, last = min(count, first + chunk);
  uint set = 0;
  for (ulong at = first + item * 4; at < last; at += GROUP_SIZE * 4 * TILE_ROWS) {
#pragma unroll
    for (uint row = 0; row < TILE_ROWS; row++) set += popcount(load_flags(flags, last, at + row * GROUP_SIZE * 4));
  }
  lanes[item] = set;
  for (uint half_size = GROUP_SIZE / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < half_size) lanes[item] += lanes[item + half_size];
  }
  if (item == 0) {
    counts[get_group_id(0)] = lanes[0];
    if (get_group_id(0) == get_num_groups(0) - 1) counts[get_num_groups(0)] = 0;
  }
}

// `starts`: the scanned counts, with the total at the end.
GROUP_KERNEL void compact_write(__global const uchar* values_bytes, __global const FLAG* flags, ulong count,
                                ulong chunk, __global const ulong* starts, __global uchar* results_bytes,
                                ulong capacity, __global ulong* total) {
  __global const CallersElement* values = (__global const CallersElement*)values_bytes;
  __global CallersElement* results = (__global CallersElement*)results_bytes;
  __local uint4 tile_values[TILE_SCAN_VALUES / 4];
  __local uint group_totals[GROUP_SCAN_VALUES];
  __local ushort places[TILE];
  const uint item = get_local_id(0);
  const ulong first = get_group_id(0) * chunk, last = min(count, first + chunk);
  ulong start = starts[get_group_id(0)];
  if (item == 0 && get_group_id(0) == 0) total[0] = starts[get_num_groups(0)];
  for (ulong base = first; base < last; base += TILE) {
    uint rows[TILE_ROWS];
#pragma unroll
    for (uint row = 0; row < TILE_ROWS; row++)
      rows[row] = load_flags(flags, last, base + (row * GROUP_SIZE + item) * 4);
    uint all;
    const uint4 before =
        tile_exclusive_scan((uint4)(popcount(rows[0]), popcount(rows[1]), popcount(rows[2]), popcount(rows[3])),
                            tile_values, group_totals, &all);
    stage_places(places, rows[0], item * 4, before.x);
    stage_places(places, rows[1], (GROUP_SIZE + item) * 4, before.y);
    stage_places(places, rows[2], (GROUP_SIZE * 2 + item) * 4, before.z);
    stage_places(places, rows[3], (GROUP_SIZE * 3 + item) * 4, before.w);
    barrier(CLK_LOCAL_MEM_FENCE);
    write_places(places, all, values, base, results, capacity, start);
    start += all;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
