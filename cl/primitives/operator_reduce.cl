// Reduction by any commutative operator: tiles of LANES * ROWS elements to one accumulator each, then those.
//
// The order of combining is that of reduce.cl, in both families and for any group size: lane l of a tile combines
// elements l, l + LANES, l + 2 LANES, ... in that order, then the lanes are folded by halves.
//
// The text in front of this file (src/primitives/expression.hpp, src/primitives/operator_reduce.cpp) has
// INPUT_PARAMETERS, the type ACCUMULATOR, accumulator_identity(), accumulator_combine(a, b), ACCUMULATOR_AT(i), and
// RESULT_OF(accumulator) of type RESULT. With IS_ARG 1 the accumulator has a value and an index: the text then has
// genocl_operator() and genocl_operator_identity() of values, VALUE_AT(i), and accumulator_of(value, index).
//
// Defines: GROUP_SIZE, LANES, ROWS.
#include "common/types.clh"

#ifndef LANES
#error "LANES comes from the host"
#endif
#ifndef ROWS
#error "ROWS comes from the host"
#endif
#define TILE ((ulong)LANES * ROWS)
#define PARTIAL_AT(i) partials[i]

static inline void store_tile(ACCUMULATOR total, ulong tile, __global ACCUMULATOR* tiles, __global RESULT* result,
                              uint last) {
  if (last != 0)
    result[0] = RESULT_OF(total);
  else
    tiles[tile] = total;
}

#ifndef ONLY_CPU
// One group per tile. `element_at`: the accumulator of an element.
#define REDUCE_TILE_GPU(element_at)                                                                         \
  __local ACCUMULATOR lanes[LANES];                                                                         \
  const uint item = get_local_id(0);                                                                        \
  const ulong base = get_group_id(0) * TILE;                                                                \
  for (uint lane = item; lane < LANES; lane += GROUP_SIZE) {                                                \
    ACCUMULATOR sum = accumulator_identity();                                                               \
    if (base + TILE <= count) {                                                                             \
      _Pragma("unroll") for (uint row = 0; row < ROWS; row++) sum =                                         \
          accumulator_combine(sum, element_at(base + row * LANES + lane));                                  \
    } else {                                                                                                \
      for (ulong at = base + lane; at < count; at += LANES) sum = accumulator_combine(sum, element_at(at)); \
    }                                                                                                       \
    lanes[lane] = sum;                                                                                      \
  }                                                                                                         \
  for (uint half_size = LANES / 2; half_size > 0; half_size /= 2) {                                         \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                           \
    for (uint lane = item; lane < half_size; lane += GROUP_SIZE)                                            \
      lanes[lane] = accumulator_combine(lanes[lane], lanes[lane + half_size]);                              \
  }

#if IS_ARG
// An item keeps its best value and the place of that in the tile. It reads elements in ascending order, so
// that the first of equal ones counts. Accumulators of two members for each lane would take four times the local
// memory.
#define ARG_READS 8
#define KEEP_BEST(element, at)                                                 \
  if (IS_NUMBER(element) && (place == UINT_MAX || IS_BEFORE(element, best))) { \
    best = element;                                                            \
    place = at;                                                                \
  }
#define REDUCE_INPUTS_GPU                                                                                    \
  __local ACCUMULATOR lanes[GROUP_SIZE];                                                                     \
  const uint item = get_local_id(0);                                                                         \
  const ulong base = get_group_id(0) * TILE;                                                                 \
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
  for (uint half_size = GROUP_SIZE / 2; half_size > 0; half_size /= 2) {                                     \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
    if (item < half_size) lanes[item] = accumulator_combine(lanes[item], lanes[item + half_size]);           \
  }
#else
#define REDUCE_INPUTS_GPU REDUCE_TILE_GPU(ACCUMULATOR_AT)
#endif

// `last`: this launch has one tile, whose result goes to `result`.
GROUP_KERNEL void reduce_inputs_gpu(INPUT_PARAMETERS ulong count, __global ACCUMULATOR* tiles, __global RESULT* result,
                                    uint last) {
  REDUCE_INPUTS_GPU
  if (item == 0) store_tile(lanes[0], get_group_id(0), tiles, result, last);
}

GROUP_KERNEL void reduce_partials_gpu(__global const ACCUMULATOR* partials, ulong count, __global ACCUMULATOR* tiles,
                                      __global RESULT* result, uint last) {
  REDUCE_TILE_GPU(PARTIAL_AT)
  if (item == 0) store_tile(lanes[0], get_group_id(0), tiles, result, last);
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
                                     __global ACCUMULATOR* tiles, __global RESULT* result, uint last) {
  const ulong last_tile = WORKER_LAST(tile_count, share);
  for (ulong tile = WORKER_FIRST(tile_count, share); tile < last_tile; tile++) {
    REDUCE_INPUTS_CPU
    store_tile(lanes[0], tile, tiles, result, last);
  }
}

WORKER_KERNEL void reduce_partials_cpu(__global const ACCUMULATOR* partials, ulong count, ulong tile_count, ulong share,
                                       __global ACCUMULATOR* tiles, __global RESULT* result, uint last) {
  const ulong last_tile = WORKER_LAST(tile_count, share);
  for (ulong tile = WORKER_FIRST(tile_count, share); tile < last_tile; tile++) {
    REDUCE_TILE_CPU(PARTIAL_AT)
    store_tile(lanes[0], tile, tiles, result, last);
  }
}
#endif
