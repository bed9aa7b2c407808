// Scan in one pass with look-back: each element is read once and written once. NVIDIA only, see look_back.clh.
//
// Defines: as scan.cl; WIDE (1: RESULT has 64 bits), ROWS (quads of each item; ROWS * GROUP_SIZE is a multiple of
// 1024).
#include "common/types.clh"
#include "common/ptx.clh"
#include "primitives/look_back.clh"
#include "primitives/scan_quads.clh"

#if GENOCL_PTX

#ifndef ROWS
#error "ROWS comes from the host"
#endif
#define ONE_PASS_TILE ((ulong)GROUP_SIZE * ROWS * 4)
// One total for each row and warp, in the order of the elements; the first warp scans them, some for each of its items.
#define TOTALS (ROWS * WARPS)
#define TOTALS_PER_LANE (TOTALS / PTX_WARP)
#if ROWS * GROUP_SIZE % 1024 != 0
#error "ROWS * GROUP_SIZE must be a multiple of 1024"
#endif

// `control`, `words`: of retire_group(); all 0 at the start.
GROUP_KERNEL void scan_one_pass(__global const INPUT* values, ulong count, ulong results_count,
                                volatile __global ulong* control, ulong words, __global RESULT* results) {
  __local RESULT totals[TOTALS];
  __local uint tile_number[1];
  const uint item = get_local_id(0), lane = item % PTX_WARP, warp = item / PTX_WARP;
  if (item == 0) tile_number[0] = atomic_inc((volatile __global uint*)control);
  barrier(CLK_LOCAL_MEM_FENCE);
  const ulong tile = tile_number[0], base = tile * ONE_PASS_TILE, at = base + item * 4;

  QUAD(RESULT) quads[ROWS];
  if (base + ONE_PASS_TILE <= count) {
#pragma unroll
    for (uint row = 0; row < ROWS; row++)
      quads[row] = GENOCL_JOIN(convert_, QUAD(RESULT))(((const __global QUAD(INPUT)*)(values + at))[row * GROUP_SIZE]);
  } else {
#pragma unroll
    for (uint row = 0; row < ROWS; row++) quads[row] = load_quad(values, count, at + row * GROUP_SIZE * 4);
  }

  RESULT before[ROWS];  // in the warp's part of the row
#pragma unroll
  for (uint row = 0; row < ROWS; row++) {
    const RESULT up_to = warp_inclusive_scan(total_of_quad(quads[row]), lane);
    const RESULT below = result_up(up_to, 1);
    before[row] = lane == 0 ? (RESULT)IDENTITY : below;
    if (lane == PTX_WARP - 1) totals[row * WARPS + warp] = up_to;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  if (warp == 0) {
    RESULT mine[TOTALS_PER_LANE], sum = (RESULT)IDENTITY;
#pragma unroll
    for (uint i = 0; i < TOTALS_PER_LANE; i++) {
      mine[i] = sum;
      sum = combine(sum, totals[lane * TOTALS_PER_LANE + i]);
    }
    const RESULT up_to = warp_inclusive_scan(sum, lane);
    const RESULT below = result_up(up_to, 1);
    RESULT start = lane == 0 ? (RESULT)IDENTITY : below;
    // The last lane holds the tile's total; all need it, the first publishes it.
    RESULT total = lane == PTX_WARP - 1 ? up_to : (RESULT)IDENTITY;
#pragma unroll
    for (uint mask = PTX_WARP / 2; mask > 0; mask /= 2) total = combine(total, result_exchange(total, mask));
    publish_total(control + 2, tile, total, lane);
    start = combine(complete_tile(control + 2, tile, total, lane), start);
#pragma unroll
    for (uint i = 0; i < TOTALS_PER_LANE; i++) totals[lane * TOTALS_PER_LANE + i] = combine(start, mine[i]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  if (base + ONE_PASS_TILE <= results_count) {
#pragma unroll
    for (uint row = 0; row < ROWS; row++)
      ((__global QUAD(RESULT)*)(results + at))[row * GROUP_SIZE] =
          scan_of_quad(quads[row], combine(totals[row * WARPS + warp], before[row]));
  } else {
#pragma unroll
    for (uint row = 0; row < ROWS; row++)
      store_quad(results, results_count, at + row * GROUP_SIZE * 4,
                 scan_of_quad(quads[row], combine(totals[row * WARPS + warp], before[row])));
  }
  if (warp == 0) retire_group(control, words, lane);
}

#endif  // GENOCL_PTX
