// Reduction of tiles of 16,384 elements to one value each; the host calls it again on those until one is left. On
// NVIDIA GPUs the last of at most 1,024 groups reduces their values in the same launch.
//
// The order of combining is the same in both kernels and for any group size, so that float sums have the same bits
// everywhere: lane l of a tile combines elements l, l + 1024, l + 2048, ... in that order, then the lanes are folded by
// halves.
//
// Defines: INPUT, RESULT (types), COMBINE, IDENTITY, LESSER, GREATER (names, see combine.clh), GROUP_SIZE, LANES, ROWS
// (1,024 and 16).
#include "common/types.clh"
#include "primitives/combine.clh"

#ifndef LANES
#error "LANES comes from the host"
#endif
#ifndef ROWS
#error "ROWS comes from the host"
#endif
#define TILE ((ulong)LANES * ROWS)

#ifndef ONLY_CPU
#include "common/ptx.clh"
#define QUADS (LANES / 4)

CALLERS_VECTOR(InputQuad, QUAD(INPUT), INPUT);

// The four lanes at q of a tile that has only `left` < TILE values.
#define COMBINE_LEFT(lane, value_at, left, q)                                \
  for (uint row = 0; row < ROWS; row++) {                                    \
    const ulong at = row * LANES + (q)*4;                                    \
    if (at < (left)) lane.x = combine(lane.x, (RESULT)value_at(at));         \
    if (at + 1 < (left)) lane.y = combine(lane.y, (RESULT)value_at(at + 1)); \
    if (at + 2 < (left)) lane.z = combine(lane.z, (RESULT)value_at(at + 2)); \
    if (at + 3 < (left)) lane.w = combine(lane.w, (RESULT)value_at(at + 3)); \
  }

// Returns the combination of all lanes to item 0, to others the identity.
INLINED RESULT fold_lanes(__local QUAD(RESULT) * lanes, uint item) {
  for (uint half_size = QUADS / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint q = item; q < half_size; q += GROUP_SIZE) lanes[q] = combine(lanes[q], lanes[q + half_size]);
  }
  if (item != 0) return (RESULT)IDENTITY;
  const QUAD(RESULT) all = lanes[0];
  return combine(combine(all.x, all.z), combine(all.y, all.w));
}

#if GENOCL_PTX
#include "primitives/retire.clh"
// `finishes`: the last group combines the results of all groups, at most TILE, in finished[0]. `control`: 0 before and
// after the launch. Neither is used without `finishes`.
#define FINISH_PARAMETERS , uint finishes, __global RESULT *finished, volatile __global uint *control
#define RESULT_AT(at) ((volatile __global const RESULT*)results)[at]
#else
#define FINISH_PARAMETERS
#endif

// One group per tile; an item owns lanes 4q to 4q + 3 for q = its number, and on where the group is smaller than 256.
GROUP_KERNEL void reduce_gpu(__global const INPUT* values, ulong count, __global RESULT* results FINISH_PARAMETERS) {
  __local QUAD(RESULT) lanes[QUADS];
#if GENOCL_PTX
  __local uint is_last[1];
#endif
  const uint item = get_local_id(0);
  const ulong base = get_group_id(0) * TILE;
  const ulong left = count > base ? count - base : 0;
  const __global InputQuad* quads = (const __global InputQuad*)(values + base);
#define VALUE_OF(at) values[base + (at)]

  for (uint q = item; q < QUADS; q += GROUP_SIZE) {
    QUAD(RESULT) lane = (QUAD(RESULT))((RESULT)IDENTITY);
    if (left >= TILE) {
#pragma unroll
      for (uint row = 0; row < ROWS; row++)
        lane = combine(lane, GENOCL_JOIN(convert_, QUAD(RESULT))(quads[row * QUADS + q]));
    } else {
      COMBINE_LEFT(lane, VALUE_OF, left, q)
    }
    lanes[q] = lane;
  }
  const RESULT of_tile = fold_lanes(lanes, item);
  if (item == 0) results[get_group_id(0)] = of_tile;
#if GENOCL_PTX
  if (finishes == 0) return;
  if (item == 0) is_last[0] = is_last_group(control);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (is_last[0] == 0) return;
  const ulong groups = get_num_groups(0);
  for (uint q = item; q < QUADS; q += GROUP_SIZE) {
    QUAD(RESULT) lane = (QUAD(RESULT))((RESULT)IDENTITY);
    COMBINE_LEFT(lane, RESULT_AT, groups, q)
    lanes[q] = lane;
  }
  const RESULT of_all = fold_lanes(lanes, item);
  if (item == 0) {
    finished[0] = of_all;
    control[0] = 0;
  }
#endif
}
#endif

#ifndef ONLY_GPU
// Rows that are read at once, and adjacent lanes: they stay in registers, and are no more streams of memory than a CPU
// prefetches. The source uses vectors: Intel's driver generates slow code for AVX-512 from a loop over single lanes.
#define ROWS_AT_ONCE 4
#define WIDE(type) GENOCL_JOIN(type, 16)
// As aligned as one element is: a caller's buffer may begin anywhere.
typedef WIDE(INPUT) RelaxedInput __attribute__((aligned(sizeof(INPUT))));

static inline WIDE(RESULT) load_wide(__global const INPUT* values) {
  return GENOCL_JOIN(convert_, WIDE(RESULT))(*(__global const RelaxedInput*)values);
}

// Each worker takes `share` tiles, one after the other.
WORKER_KERNEL void reduce_cpu(__global const INPUT* values, ulong count, ulong tiles, ulong share,
                              __global RESULT* results) {
  const ulong last_tile = WORKER_LAST(tiles, share);
  for (ulong tile = WORKER_FIRST(tiles, share); tile < last_tile; tile++) {
    const __global INPUT* from = values + tile * TILE;
    const ulong left = count > tile * TILE ? count - tile * TILE : 0;
    WIDE(RESULT) wide_lanes[LANES / 16];
    RESULT* const lanes = (RESULT*)wide_lanes;
    for (uint wide = 0; wide < LANES / 16; wide++) wide_lanes[wide] = (WIDE(RESULT))((RESULT)IDENTITY);
    if (left >= TILE) {
      for (uint row = 0; row < ROWS; row += ROWS_AT_ONCE)
        for (uint wide = 0; wide < LANES / 16; wide++) {
          WIDE(RESULT) lane = wide_lanes[wide];
#pragma unroll
          for (uint next = 0; next < ROWS_AT_ONCE; next++)
            lane = combine(lane, load_wide(from + (row + next) * LANES + wide * 16));
          wide_lanes[wide] = lane;
        }
    } else {
      for (uint at = 0; at < left; at++) lanes[at % LANES] = combine(lanes[at % LANES], (RESULT)from[at]);
    }
    for (uint half_size = LANES / 32; half_size > 0; half_size /= 2)
      for (uint wide = 0; wide < half_size; wide++)
        wide_lanes[wide] = combine(wide_lanes[wide], wide_lanes[wide + half_size]);
    for (uint half_size = 8; half_size > 0; half_size /= 2)
      for (uint lane = 0; lane < half_size; lane++) lanes[lane] = combine(lanes[lane], lanes[lane + half_size]);
    results[tile] = lanes[0];
  }
}
#endif
