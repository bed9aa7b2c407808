// Compaction in one pass with look-back: each flag is read once. NVIDIA only, see look_back.clh.
//
// Defines: FLAG, ELEMENT (types), INDICES (see compact_flags.clh), GROUP_SIZE of at least 256.
#include "common/types.clh"
#include "common/ptx.clh"

// Counts of tiles before are 64-bit sums.
#define INPUT ulong
#define RESULT ulong
#define WIDE 1
#define COMBINE sum
#define IDENTITY 0
#include "primitives/combine.clh"
#include "primitives/look_back.clh"
#include "primitives/compact_flags.clh"

#if GENOCL_PTX

#define ROWS 4
#define ONE_PASS_TILE ((ulong)GROUP_SIZE * ROWS * 4)
// A count for each row and warp, in the order of the elements; the first warp scans them, some for each of its items.
#define COUNTS (ROWS * WARPS)
#define COUNTS_PER_LANE (COUNTS / PTX_WARP)

// `control`: the tile counter in [0], states from [2], all 0 at the start.
GROUP_KERNEL void compact_one_pass(__global const ELEMENT* values, __global const FLAG* flags, ulong count,
                                   volatile __global ulong* control, __global ELEMENT* results, ulong capacity,
                                   __global ulong* total) {
  __local ulong starts[COUNTS];
  __local uint tile_number[1];
  const uint item = get_local_id(0), lane = item % PTX_WARP, warp = item / PTX_WARP;
  if (item == 0) tile_number[0] = atomic_inc((volatile __global uint*)control);
  barrier(CLK_LOCAL_MEM_FENCE);
  const ulong tile = tile_number[0], at = tile * ONE_PASS_TILE + item * 4;

  uint4 set[ROWS];
#pragma unroll
  for (uint row = 0; row < ROWS; row++) set[row] = load_flags(flags, count, at + row * GROUP_SIZE * 4);

  // A warp's row has at most 128 set flags: all four rows are scanned as the bytes of one word.
  uint packed = 0;
#pragma unroll
  for (uint row = 0; row < ROWS; row++) packed |= count_flags(set[row]) << (8 * row);
  uint up_to = packed;
#pragma unroll
  for (uint distance = 1; distance < PTX_WARP; distance *= 2) {
    const uint below = ptx_shuffle_up(up_to, distance);
    if (lane >= distance) up_to += below;
  }
  if (lane == PTX_WARP - 1)
#pragma unroll
    for (uint row = 0; row < ROWS; row++) starts[row * WARPS + warp] = up_to >> (8 * row) & 255;
  const uint before = up_to - packed;
  barrier(CLK_LOCAL_MEM_FENCE);

  if (warp == 0) {
    ulong mine[COUNTS_PER_LANE], sum = 0;
#pragma unroll
    for (uint i = 0; i < COUNTS_PER_LANE; i++) {
      mine[i] = sum;
      sum += starts[lane * COUNTS_PER_LANE + i];
    }
    const ulong sum_up_to = warp_inclusive_scan(sum, lane);
    ulong all = lane == PTX_WARP - 1 ? sum_up_to : 0;
#pragma unroll
    for (uint mask = PTX_WARP / 2; mask > 0; mask /= 2) all += result_exchange(all, mask);
    const ulong tile_start = publish_and_look_back(control + 2, tile, all, lane);
#pragma unroll
    for (uint i = 0; i < COUNTS_PER_LANE; i++) starts[lane * COUNTS_PER_LANE + i] = tile_start + sum_up_to - sum + mine[i];
    if (lane == 0 && tile == get_num_groups(0) - 1) total[0] = tile_start + all;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

#pragma unroll
  for (uint row = 0; row < ROWS; row++)
    store_selected(values, set[row], at + row * GROUP_SIZE * 4, results, capacity,
                   starts[row * WARPS + warp] + (before >> (8 * row) & 255));
}

#endif  // GENOCL_PTX
