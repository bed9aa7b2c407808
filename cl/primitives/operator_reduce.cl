// Reduction by any commutative operator: tiles of LANES * ROWS elements to one accumulator each, then those.
//
// The order of combining is that of reduce.cl, in both families and for any group size: lane l of a tile combines
// elements l, l + LANES, l + 2 LANES, ... in that order, then the lanes are folded by halves.
//
// The text in front of this file (src/primitives/expression.hpp, src/primitives/operator_reduce.cpp) has
// INPUT_PARAMETERS, the type ACCUMULATOR, accumulator_identity(), accumulator_combine(a, b), ACCUMULATOR_AT(i), and
// RESULT_OF(accumulator) of type RESULT, and accumulator_load(pointer) of what other groups stored. With IS_ARG 1 the
// accumulator has a value and an index: the text then has genocl_operator() and genocl_operator_identity() of values,
// VALUE_AT(i), and accumulator_of(value, index).
//
// Defines: GROUP_SIZE, LANES, ROWS, and with `gpu` kernels FINISHES (1: NVIDIA only, see retire.clh).
#include "common/types.clh"

#ifndef LANES
#error "LANES comes from the host"
#endif
#ifndef ROWS
#error "ROWS comes from the host"
#endif
#define TILE ((ulong)LANES * ROWS)
#define PARTIAL_AT(i) partials[i]

// What a launch does with the result of a tile: the host's `then`.
#define KEEP_PARTIAL 0  // stores it for the next launch
#define KEEP_RESULT 1   // it is the result: the launch has one tile
#define FINISH 2        // stores it, and the last group reduces all of them, at most TILE; only with FINISHES

static inline void store_tile(ACCUMULATOR total, ulong tile, __global ACCUMULATOR* tiles, __global RESULT* result,
                              uint then) {
  if (then == KEEP_RESULT)
    result[0] = RESULT_OF(total);
  else
    tiles[tile] = total;
}

#ifndef ONLY_CPU
#include "common/ptx.clh"
#if LANES % GROUP_SIZE != 0
#error "GROUP_SIZE must divide LANES"
#endif
#define OWN (LANES / GROUP_SIZE)  // lanes of an item: item, item + GROUP_SIZE, ...

// Combines elements [base, min(base + TILE, count)) in lanes[0]. `element_at`: the accumulator of an element. Lanes are
// folded by halves: first those of an item, then those of all items.
#define REDUCE_TILE_GPU(element_at, base, count)                                                                       \
  ACCUMULATOR own[OWN];                                                                                                \
  if ((base) + TILE <= (count)) {                                                                                      \
    _Pragma("unroll 4") for (uint k = 0; k < OWN; k++) {                                                               \
      own[k] = accumulator_identity();                                                                                 \
      _Pragma("unroll") for (uint row = 0; row < ROWS; row++) own[k] =                                                 \
          accumulator_combine(own[k], element_at((base) + row * LANES + k * GROUP_SIZE + item));                       \
    }                                                                                                                  \
  } else {                                                                                                             \
    _Pragma("unroll 4") for (uint k = 0; k < OWN; k++) {                                                               \
      own[k] = accumulator_identity();                                                                                 \
      for (ulong at = (base) + k * GROUP_SIZE + item; at < (count); at += LANES)                                       \
        own[k] = accumulator_combine(own[k], element_at(at));                                                          \
    }                                                                                                                  \
  }                                                                                                                    \
  _Pragma("unroll") for (uint half_size = OWN / 2; half_size > 0; half_size /= 2)                                      \
      _Pragma("unroll") for (uint k = 0; k < half_size; k++) own[k] = accumulator_combine(own[k], own[k + half_size]); \
  lanes[item] = own[0];                                                                                                \
  FOLD_ITEMS

#define FOLD_ITEMS                                                                                 \
  for (uint half_size = GROUP_SIZE / 2; half_size > 0; half_size /= 2) {                           \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    if (item < half_size) lanes[item] = accumulator_combine(lanes[item], lanes[item + half_size]); \
  }

#if IS_ARG
// An item keeps its best value and the place of that in the tile. It reads elements in ascending order, so
// that the first of equal ones counts. Accumulators of two members for each lane would take more registers.
#define ARG_READS 8
#define KEEP_BEST(element, at)                                                 \
  if (IS_NUMBER(element) && (place == UINT_MAX || IS_BEFORE(element, best))) { \
    best = element;                                                            \
    place = at;                                                                \
  }
#define REDUCE_INPUTS_GPU                                                                                    \
  const uint size = count <= base ? 0 : (uint)min(TILE, count - base);                                       \
  VALUE best = genocl_operator_identity();                                                                   \
  uint place = UINT_MAX, next = item;                                                                        \
  for (; next + (ARG_READS - 1) * GROUP_SIZE < size; next += ARG_READS * GROUP_SIZE) {                       \
    VALUE read[ARG_READS];                                                                                   \
    _Pragma("unroll") for (uint k = 0; k < ARG_READS; k++) read[k] = VALUE_AT(base + next + k * GROUP_SIZE); \
    _Pragma("unroll") for (uint k = 0; k < ARG_READS; k++) { KEEP_BEST(read[k], next + k * GROUP_SIZE) }     \
  }                                                                                                          \
  for (; next < size; next += GROUP_SIZE) {                                                                  \
    const VALUE read = VALUE_AT(base + next);                                                                \
    KEEP_BEST(read, next)                                                                                    \
  }                                                                                                          \
  lanes[item] = place == UINT_MAX ? accumulator_identity() : accumulator_of(best, base + place);             \
  FOLD_ITEMS
#else
#define REDUCE_INPUTS_GPU REDUCE_TILE_GPU(ACCUMULATOR_AT, base, count)
#endif

#if FINISHES
#include "primitives/retire.clh"
#define CONTROL_PARAMETER , volatile __global uint* control
// The partial results of other groups.
#define PUBLISHED_AT(i) accumulator_load(tiles + (i))
#else
#define CONTROL_PARAMETER
#endif

// `control`: with FINISH 0 before and after the launch, else not used.
GROUP_KERNEL void reduce_inputs_gpu(INPUT_PARAMETERS ulong count, __global ACCUMULATOR* tiles, __global RESULT* result,
                                    uint then CONTROL_PARAMETER) {
  __local ACCUMULATOR lanes[GROUP_SIZE];
#if FINISHES
  __local uint is_last[1];
#endif
  const uint item = get_local_id(0);
  const ulong base = get_group_id(0) * TILE;
  { REDUCE_INPUTS_GPU }
  if (item == 0) store_tile(lanes[0], get_group_id(0), tiles, result, then);
#if FINISHES
  if (then != FINISH) return;
  if (item == 0) is_last[0] = is_last_group(control);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (is_last[0] == 0) return;
  {
    const ulong partials = get_num_groups(0);
    REDUCE_TILE_GPU(PUBLISHED_AT, 0ul, partials)
  }
  if (item == 0) {
    result[0] = RESULT_OF(lanes[0]);
    control[0] = 0;
  }
#endif
}

GROUP_KERNEL void reduce_partials_gpu(__global const ACCUMULATOR* partials, ulong count, __global ACCUMULATOR* tiles,
                                      __global RESULT* result, uint then) {
  __local ACCUMULATOR lanes[GROUP_SIZE];
  const uint item = get_local_id(0);
  const ulong base = get_group_id(0) * TILE;
  REDUCE_TILE_GPU(PARTIAL_AT, base, count)
  if (item == 0) store_tile(lanes[0], get_group_id(0), tiles, result, then);
}
#endif

#ifndef ONLY_GPU
// Rows that are read at once: no more streams of memory than a CPU follows.
#define ROWS_AT_ONCE 4

#define REDUCE_TILE_CPU(element_at)                                                                 \
  const ulong base = tile * TILE;                                                                   \
  ACCUMULATOR lanes[LANES];                                                                         \
  for (uint lane = 0; lane < LANES; lane++) lanes[lane] = accumulator_identity();                   \
  if (base + TILE <= count) {                                                                       \
    for (uint row = 0; row < ROWS; row += ROWS_AT_ONCE)                                             \
      for (uint lane = 0; lane < LANES; lane++) {                                                   \
        ACCUMULATOR sum = lanes[lane];                                                              \
        _Pragma("unroll") for (uint next = 0; next < ROWS_AT_ONCE; next++) sum =                    \
            accumulator_combine(sum, element_at(base + (row + next) * LANES + lane));               \
        lanes[lane] = sum;                                                                          \
      }                                                                                             \
  } else {                                                                                          \
    for (ulong at = base; at < count; at++)                                                         \
      lanes[(at - base) % LANES] = accumulator_combine(lanes[(at - base) % LANES], element_at(at)); \
  }                                                                                                 \
  for (uint half_size = LANES / 2; half_size > 0; half_size /= 2)                                   \
    for (uint lane = 0; lane < half_size; lane++)                                                   \
      lanes[lane] = accumulator_combine(lanes[lane], lanes[lane + half_size]);

#if IS_ARG
// Accumulators of two members prevent vector instructions. So the value of a tile is reduced alone, and its first place
// is searched while the tile is in the cache.
#define REDUCE_INPUTS_CPU                                                                                           \
  const ulong base = tile * TILE;                                                                                   \
  const uint size = (uint)min(TILE, count - base);                                                                  \
  VALUE best[LANES];                                                                                                \
  for (uint lane = 0; lane < LANES; lane++) best[lane] = genocl_operator_identity();                                \
  if (size == TILE) {                                                                                               \
    for (uint row = 0; row < ROWS; row++)                                                                           \
      for (uint lane = 0; lane < LANES; lane++)                                                                     \
        best[lane] = genocl_operator(best[lane], VALUE_AT(base + row * LANES + lane));                              \
  } else {                                                                                                          \
    for (uint i = 0; i < size; i++) best[i % LANES] = genocl_operator(best[i % LANES], VALUE_AT(base + i));         \
  }                                                                                                                 \
  for (uint half_size = LANES / 2; half_size > 0; half_size /= 2)                                                   \
    for (uint lane = 0; lane < half_size; lane++) best[lane] = genocl_operator(best[lane], best[lane + half_size]); \
  uint first = 0;                                                                                                   \
  for (uint found = 0; first + LANES <= size; first += LANES) {                                                     \
    for (uint lane = 0; lane < LANES; lane++) found |= VALUE_AT(base + first + lane) == best[0];                    \
    if (found != 0) break;                                                                                          \
  }                                                                                                                 \
  while (first < size && !(VALUE_AT(base + first) == best[0])) first++;                                             \
  ACCUMULATOR lanes[1];                                                                                             \
  lanes[0] = first < size ? accumulator_of(VALUE_AT(base + first), base + first) : accumulator_identity();
#else
#define REDUCE_INPUTS_CPU REDUCE_TILE_CPU(ACCUMULATOR_AT)
#endif

WORKER_KERNEL void reduce_inputs_cpu(INPUT_PARAMETERS ulong count, ulong tile_count, ulong share,
                                     __global ACCUMULATOR* tiles, __global RESULT* result, uint then) {
  const ulong last_tile = WORKER_LAST(tile_count, share);
  for (ulong tile = WORKER_FIRST(tile_count, share); tile < last_tile; tile++) {
    REDUCE_INPUTS_CPU
    store_tile(lanes[0], tile, tiles, result, then);
  }
}

WORKER_KERNEL void reduce_partials_cpu(__global const ACCUMULATOR* partials, ulong count, ulong tile_count, ulong share,
                                       __global ACCUMULATOR* tiles, __global RESULT* result, uint then) {
  const ulong last_tile = WORKER_LAST(tile_count, share);
  for (ulong tile = WORKER_FIRST(tile_count, share); tile < last_tile; tile++) {
    REDUCE_TILE_CPU(PARTIAL_AT)
    store_tile(lanes[0], tile, tiles, result, then);
  }
}
#endif
