// Selection and partition by an expression in one pass with look-back: each element is read once. NVIDIA only, see
// look_back.clh.
//
// The text in front of this file (src/primitives/select_if.cpp) has INPUT_PARAMETERS and VALUE_AT(i) (not 0 for an
// element that is selected), of src/primitives/expression.hpp, and INPUT_AT(i), the element itself.
//
// Defines: ELEMENT (its type), REJECTS (1: elements that are not selected go to another array), GROUP_SIZE, ITEMS
// (elements of an item in a tile).
#include "common/types.clh"
#include "common/ptx.clh"

#include "primitives/look_back.clh"

#if GENOCL_PTX

#if !defined(ELEMENT) || !defined(REJECTS) || !defined(ITEMS)
#error "ELEMENT, REJECTS and ITEMS come from the host"
#endif
#define TILE ((ulong)GROUP_SIZE * ITEMS)

#if REJECTS
#define REJECTED_PARAMETERS __global ELEMENT *rejected, ulong rejected_capacity,
#else
#define REJECTED_PARAMETERS
#endif

// Copies staged elements [first, first + number) to results[at] and on, as far as those have places.
INLINED void write_staged(__local const ELEMENT* staged, uint first, uint number, __global ELEMENT* results, ulong at,
                          ulong capacity) {
  const uint writable = at < capacity ? (uint)min((ulong)number, capacity - at) : 0;
  for (uint k = get_local_id(0); k < writable; k += GROUP_SIZE) results[at + k] = staged[first + k];
}

// A warp has PTX_WARP * ITEMS neighbouring elements. An item has every 32nd of them. `control`, `words`: of
// retire_group(); all 0 at the start.
GROUP_KERNEL void select_one_pass(INPUT_PARAMETERS ulong count, volatile __global ulong* control, ulong words,
                                  __global ELEMENT* selected, ulong capacity,
                                  REJECTED_PARAMETERS __global ulong* total) {
  __local ELEMENT staged[GROUP_SIZE * ITEMS];
  __local uint warp_counts[WARPS], tile_number[1];
  __local ulong tile_start[1];
  const uint item = get_local_id(0), lane = item % PTX_WARP, warp = item / PTX_WARP;
  if (item == 0) tile_number[0] = atomic_inc((volatile __global uint*)control);
  barrier(CLK_LOCAL_MEM_FENCE);
  const ulong tile = tile_number[0], base = tile * TILE;
  const uint size = (uint)min(TILE, count - base), own = warp * (PTX_WARP * ITEMS) + lane;

  ELEMENT mine[ITEMS];
  bool flags[ITEMS];
  if (size == TILE) {  // without conditions all loads are in flight together
#pragma unroll
    for (uint k = 0; k < ITEMS; k++) {
      const ulong at = base + own + k * PTX_WARP;
      mine[k] = INPUT_AT(at);
      flags[k] = VALUE_AT(at) != 0;
    }
  } else {
#pragma unroll
    for (uint k = 0; k < ITEMS; k++) {
      const ulong at = base + own + k * PTX_WARP;
      flags[k] = false;
      if (at < count) {
        mine[k] = INPUT_AT(at);
        flags[k] = VALUE_AT(at) != 0;
      }
    }
  }
  uint votes[ITEMS], in_warp = 0;
#pragma unroll
  for (uint k = 0; k < ITEMS; k++) {
    votes[k] = ptx_ballot(flags[k]);
    in_warp += popcount(votes[k]);
  }
  if (lane == 0) warp_counts[warp] = in_warp;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint place = 0, all = 0;
#pragma unroll
  for (uint w = 0; w < WARPS; w++) {
    place += w < warp ? warp_counts[w] : 0;
    all += warp_counts[w];
  }
  if (warp == 0) publish_total(control + 2, tile, all, lane);

  // Selected elements from the front, the others behind them.
  const uint below = (1u << lane) - 1;
#pragma unroll
  for (uint k = 0; k < ITEMS; k++) {
    const uint before = place + popcount(votes[k] & below), at = own + k * PTX_WARP;
    if ((votes[k] >> lane & 1) != 0)
      staged[before] = mine[k];
    else if (REJECTS && at < size)
      staged[all + at - before] = mine[k];
    place += popcount(votes[k]);
  }
  // Late, when the tiles before have most likely come further.
  const ulong start = start_of_tile(control + 2, tile, all, tile_start, total);
  write_staged(staged, 0, all, selected, start, capacity);
#if REJECTS
  write_staged(staged, all, size - all, rejected, base - start, rejected_capacity);
#endif
  if (warp == 0) retire_group(control, words, lane);
}

#endif  // GENOCL_PTX
