// Compaction in one pass with look-back: each flag is read once. NVIDIA only, see look_back.clh.
//
// Defines: FLAG, ELEMENT (types), INDICES (see compact_flags.clh), GROUP_SIZE, ROWS (quads of flags of each item: as
// many as 64 bits hold, 16).
#include "common/types.clh"
#include "common/ptx.clh"

#include "primitives/look_back.clh"
#include "primitives/compact_flags.clh"
#define WRITE_BATCH 8
#include "primitives/compact_stage.clh"

#if GENOCL_PTX

#ifndef ROWS
#error "ROWS comes from the host"
#endif
// Counts of four rows are scanned as the bytes of one word: a warp's row has at most 128 set flags.
#define ROWS_PER_WORD 4
#define COUNT_WORDS (ROWS / ROWS_PER_WORD)
#define ONE_PASS_TILE ((ulong)GROUP_SIZE * ROWS * 4)
// A count for each row and warp, in the order of the elements; the first warp scans them, some for each of its items.
#define COUNTS (ROWS * WARPS)
#define COUNTS_PER_LANE (COUNTS / PTX_WARP)

// `control`, `words`: of retire_group(); all 0 at the start.
GROUP_KERNEL void compact_one_pass(__global const uchar* values_bytes, __global const FLAG* flags, ulong count,
                                   volatile __global ulong* control, ulong words, __global uchar* results_bytes,
                                   ulong capacity, __global ulong* total) {
  __global const CallersElement* values = (__global const CallersElement*)values_bytes;
  __global CallersElement* results = (__global CallersElement*)results_bytes;
  __local ushort places[ONE_PASS_TILE];
  __local uint starts[COUNTS];
  __local uint tile_number[1], tile_total[1];
  __local ulong tile_start[1];
  const uint item = get_local_id(0), lane = item % PTX_WARP, warp = item / PTX_WARP;
  if (item == 0) tile_number[0] = atomic_inc((volatile __global uint*)control);
  barrier(CLK_LOCAL_MEM_FENCE);
  const ulong tile = tile_number[0], base = tile * ONE_PASS_TILE;

  uint set[ROWS];
#pragma unroll
  for (uint row = 0; row < ROWS; row++) set[row] = load_flags(flags, count, base + (row * GROUP_SIZE + item) * 4);

  uint before[COUNT_WORDS];
#pragma unroll
  for (uint word = 0; word < COUNT_WORDS; word++) {
    uint packed = 0;
#pragma unroll
    for (uint row = 0; row < ROWS_PER_WORD; row++) packed |= popcount(set[word * ROWS_PER_WORD + row]) << (8 * row);
    uint up_to = packed;
#pragma unroll
    for (uint distance = 1; distance < PTX_WARP; distance *= 2) {
      const uint below = ptx_shuffle_up(up_to, distance);
      up_to += lane >= distance ? below : 0;
    }
    before[word] = up_to - packed;
    if (lane == PTX_WARP - 1)
#pragma unroll
      for (uint row = 0; row < ROWS_PER_WORD; row++)
        starts[(word * ROWS_PER_WORD + row) * WARPS + warp] = up_to >> (8 * row) & 255;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  if (warp == 0) {
    uint mine[COUNTS_PER_LANE], sum = 0;
#pragma unroll
    for (uint i = 0; i < COUNTS_PER_LANE; i++) {
      mine[i] = sum;
      sum += starts[lane * COUNTS_PER_LANE + i];
    }
    uint up_to = sum;
#pragma unroll
    for (uint distance = 1; distance < PTX_WARP; distance *= 2) {
      const uint below = ptx_shuffle_up(up_to, distance);
      up_to += lane >= distance ? below : 0;
    }
#pragma unroll
    for (uint i = 0; i < COUNTS_PER_LANE; i++) starts[lane * COUNTS_PER_LANE + i] = up_to - sum + mine[i];
    if (lane == PTX_WARP - 1) tile_total[0] = up_to;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  const uint all = tile_total[0];
  if (warp == 0) publish_total(control + 2, tile, all, lane);
#pragma unroll
  for (uint row = 0; row < ROWS; row++)
    stage_places(places, set[row], (row * GROUP_SIZE + item) * 4,
                 starts[row * WARPS + warp] + (before[row / ROWS_PER_WORD] >> (8 * (row % ROWS_PER_WORD)) & 255));
  // Late, when the tiles before have most likely come further.
  const ulong start = start_of_tile(control + 2, tile, all, tile_start, total);
  write_places(places, all, values, base, results, capacity, start);
  if (warp == 0) retire_group(control, words, lane);
}

#endif  // GENOCL_PTX
