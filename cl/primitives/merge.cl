// Stable merge of two sorted arrays, or of each two neighbouring sorted runs of one array. For set operations of `gpu`
// kernels also a flag for each merged element.
//
// The text in front of this file (src/primitives/expression.hpp) has the type KEY and genocl_less(a, b).
//
// Defines: HAS_VALUES (0, 1), VALUE (a type), RUNS (1: neighbouring runs of an array); with `gpu` kernels
// SET_OPERATION (0: none, else as in set_operations.clh), GROUP_SIZE, ITEMS (results of an item; an odd number keeps
// items in different banks), SEARCHES (1: groups find the starts of tiles, and a_starts is not read).
#include "primitives/merge_path.clh"
#include "primitives/set_operations.clh"

// Parameters of values, in the order of those of keys.
#if HAS_VALUES
#define RUN_VALUES , __global const uchar* value_bytes
#define RANGE_VALUES , __global const uchar *first_value_bytes, __global const uchar *second_value_bytes
#define RESULT_VALUES , __global uchar* result_value_bytes
#define PASS_RESULT_VALUES , result_value_bytes
#else
#define RUN_VALUES
#define RANGE_VALUES
#define RESULT_VALUES
#define PASS_RESULT_VALUES
#endif
#if SET_OPERATION
#define RESULT_FLAGS , __global uchar* flags
#define PASS_FLAGS , flags
#define IF_FLAGS(statement) statement
#else
#define RESULT_FLAGS
#define PASS_FLAGS
#define IF_FLAGS(statement)
#endif
#define RESULT_PARAMETERS __global KEY* results RESULT_VALUES RESULT_FLAGS
#define PASS_RESULTS results PASS_RESULT_VALUES PASS_FLAGS

// Two sorted arrays, `a` and `b`, whose merge begins at result `start`.
typedef struct {
  ulong start, a_count, b_count;
  __global const KEY *a, *b;
#if HAS_VALUES
  __global const CallersValue *a_values, *b_values;
#endif
} Pair;

// RANGE_PARAMETERS: the input; `count`: all results. PAIR_OF declares the pair of the result at `position`.
#if RUNS
// Runs of `run` elements of `keys`; the last one may be shorter.
#define RANGE_PARAMETERS __global const KEY *keys, ulong count, ulong run RUN_VALUES
#define PAIR_OF(pair, position)                                                      \
  Pair pair;                                                                         \
  pair.start = (position) / (2 * run) * (2 * run);                                   \
  pair.a_count = min(run, count - pair.start);                                       \
  pair.b_count = min(run, count - pair.start - pair.a_count);                        \
  pair.a = keys + pair.start;                                                        \
  pair.b = pair.a + pair.a_count;                                                    \
  IF_VALUES(pair.a_values = (__global const CallersValue*)value_bytes + pair.start;) \
  IF_VALUES(pair.b_values = pair.a_values + pair.a_count;)
#else
#define RANGE_PARAMETERS \
  __global const KEY *first_keys, ulong first_count, __global const KEY *second_keys, ulong count RANGE_VALUES
#define PAIR_OF(pair, position)                                               \
  Pair pair;                                                                  \
  pair.start = 0;                                                             \
  pair.a_count = first_count;                                                 \
  pair.b_count = count - first_count;                                         \
  pair.a = first_keys;                                                        \
  pair.b = second_keys;                                                       \
  IF_VALUES(pair.a_values = (__global const CallersValue*)first_value_bytes;) \
  IF_VALUES(pair.b_values = (__global const CallersValue*)second_value_bytes;)
#endif

#if SET_OPERATION
// The number of elements in front of keys[at] that are equal to it.
INLINED ulong rank_of(__global const KEY* keys, ulong at) {
  if (at == 0 || genocl_less(keys[at - 1], keys[at])) return 0;
  ulong low = 1;  // keys[at - low] is equal
  while (2 * low <= at && !genocl_less(keys[at - 2 * low], keys[at])) low *= 2;
  ulong high = min(at + 1, 2 * low);  // keys[at - high] is not, or is in front of the array
  while (high - low > 1) {
    const ulong middle = low + (high - low) / 2;
    if (genocl_less(keys[at - middle], keys[at]))
      high = middle;
    else
      low = middle;
  }
  return low;
}

INLINED ulong next_rank(__global const KEY* keys, ulong at, ulong count, ulong rank) {
  return at < count && !genocl_less(keys[at - 1], keys[at]) ? rank + 1 : 0;
}

// Whether the set has element i of `a`, of `rank` among equal ones, when all smaller elements of `b` are before b[j].
INLINED uchar has_first(const Pair* pair, ulong i, ulong j, ulong rank) {
  if (SET_OPERATION == UNION) return 1;
  const bool in_both = rank < pair->b_count - j && !genocl_less(pair->a[i], pair->b[j + rank]);
  return SET_OPERATION == INTERSECTION ? in_both : !in_both;
}

// Whether the set has element j of `b`, of `rank` among equal ones, when a[i] is the first larger element of `a`.
INLINED uchar has_second(const Pair* pair, ulong i, ulong j, ulong rank) {
  if (!TAKES_SECOND) return 0;
  return !(rank < i && !genocl_less(pair->a[i - 1 - rank], pair->b[j]));
}
#endif

#ifndef ONLY_GPU
// Result `at` of a pair, from a[i] or b[j]; neither array has ended. No branch depends on the keys.
#define MERGE_STEP(i, j, at)                                                       \
  {                                                                                \
    const KEY from_a = a[i], from_b = b[j];                                        \
    const bool second = genocl_less(from_b, from_a);                               \
    results[at] = second ? from_b : from_a;                                        \
    IF_VALUES(result_values[at] = second ? pair->b_values[j] : pair->a_values[i];) \
    at++;                                                                          \
    j += second;                                                                   \
    i += !second;                                                                  \
  }

// Results until an array can end, or result `stop` comes.
INLINED ulong safe_steps(const Pair* pair, ulong i, ulong j, ulong at, ulong stop) {
  return min(stop - at, min(pair->a_count - i, pair->b_count - j));
}

// Results [at, stop) of a pair, from a[i] and b[j] on.
INLINED void merge_part(const Pair* pair, ulong i, ulong j, ulong at, ulong stop, RESULT_PARAMETERS) {
  __global const KEY *a = pair->a, *b = pair->b;
  IF_VALUES(__global CallersValue* result_values = (__global CallersValue*)result_value_bytes;)
  while (at < stop && i < pair->a_count && j < pair->b_count)
    for (ulong steps = safe_steps(pair, i, j, at, stop); steps > 0; steps--) MERGE_STEP(i, j, at)
  for (; at < stop && i < pair->a_count; at++, i++) {
    results[at] = a[i];
    IF_VALUES(result_values[at] = pair->a_values[i];)
  }
  for (; at < stop; at++, j++) {
    results[at] = b[j];
    IF_VALUES(result_values[at] = pair->b_values[j];)
  }
}

// A step waits for the one before, so that a worker takes turns between two halves of its results of a pair.
WORKER_KERNEL void merge_cpu(RANGE_PARAMETERS, ulong share, RESULT_PARAMETERS) {
  ulong at = WORKER_FIRST(count, share);
  const ulong last = WORKER_LAST(count, share);
  IF_VALUES(__global CallersValue* result_values = (__global CallersValue*)result_value_bytes;)
  while (at < last) {
    PAIR_OF(this_pair, at)
    const Pair* pair = &this_pair;
    __global const KEY *a = pair->a, *b = pair->b;
    const ulong stop = min(last, pair->start + pair->a_count + pair->b_count), middle = at + (stop - at) / 2;
    ulong i = merge_path(a, pair->a_count, b, pair->b_count, at - pair->start), j = at - pair->start - i;
    ulong at2 = middle, i2 = merge_path(a, pair->a_count, b, pair->b_count, at2 - pair->start);
    ulong j2 = at2 - pair->start - i2;
    for (;;) {
      ulong steps = min(safe_steps(pair, i, j, at, middle), safe_steps(pair, i2, j2, at2, stop));
      if (steps == 0) break;
      for (; steps > 0; steps--) {
        MERGE_STEP(i, j, at)
        MERGE_STEP(i2, j2, at2)
      }
    }
    merge_part(pair, i, j, at, middle, PASS_RESULTS);
    merge_part(pair, i2, j2, at2, stop, PASS_RESULTS);
    at = stop;
  }
}
#endif

#ifndef ONLY_CPU
#ifndef ITEMS
#error "ITEMS comes from the host"
#endif
#define TILE ((ulong)GROUP_SIZE * ITEMS)

// a_starts[t]: the element of `a` of its pair with which tile t of the results begins.
GROUP_KERNEL void merge_partition_gpu(RANGE_PARAMETERS, ulong tiles, __global ulong* a_starts) {
  const ulong tile = get_global_id(0);
  if (tile >= tiles) return;
  PAIR_OF(pair, tile * TILE)
  a_starts[tile] = merge_path(pair.a, pair.a_count, pair.b, pair.b_count, tile * TILE - pair.start);
}

// A group merges a tile. With RUNS a run is a multiple of a tile.
GROUP_KERNEL void merge_gpu(RANGE_PARAMETERS, __global const ulong* a_starts, RESULT_PARAMETERS) {
  __local KEY tile_keys[GROUP_SIZE * ITEMS + 1];  // the last one is read, but not used
  IF_VALUES(__local ushort tile_places[GROUP_SIZE * ITEMS];)
  IF_FLAGS(__local uchar tile_flags[GROUP_SIZE * ITEMS];)
  const uint item = get_local_id(0);
  const ulong first = get_group_id(0) * TILE, last = min(count, first + TILE);
  PAIR_OF(pair, first)
  const bool ends_pair = last == pair.start + pair.a_count + pair.b_count;
#if SEARCHES
  __local ulong starts[2];
  if (item == 0) starts[0] = merge_path(pair.a, pair.a_count, pair.b, pair.b_count, first - pair.start);
  if (item == GROUP_SIZE / 2)
    starts[1] = ends_pair ? pair.a_count : merge_path(pair.a, pair.a_count, pair.b, pair.b_count, last - pair.start);
  barrier(CLK_LOCAL_MEM_FENCE);
  const ulong a_first = starts[0], a_last = starts[1];
#else
  const ulong a_first = a_starts[get_group_id(0)];
  const ulong a_last = ends_pair ? pair.a_count : a_starts[get_group_id(0) + 1];
#endif
  const ulong b_first = first - pair.start - a_first;
  // The parts have last - first elements if the arrays are sorted, and are inside the arrays otherwise.
  const uint a_size = a_last > a_first ? (uint)min(a_last - a_first, last - first) : 0;
  const uint b_size = (uint)min(last - first - a_size, pair.b_count - b_first), size = a_size + b_size;
  KEY keys_of_item[ITEMS];
  __global const KEY *const a_part = pair.a + a_first, *const b_part = pair.b + b_first;
#pragma unroll
  for (uint k = 0; k < ITEMS; k++) {  // all loads are in flight together
    const uint at = k * GROUP_SIZE + item;
    if (at < size) keys_of_item[k] = at < a_size ? a_part[at] : b_part[at - a_size];
  }
#pragma unroll
  for (uint k = 0; k < ITEMS; k++) {
    const uint at = k * GROUP_SIZE + item;
    if (at < size) tile_keys[at] = keys_of_item[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  const uint from = min(item * ITEMS, size), number = min((uint)ITEMS, size - from);
  uint i = merge_path_local(tile_keys, a_size, tile_keys + a_size, b_size, from), j = from - i;
  IF_VALUES(ushort places[ITEMS];)
#if SET_OPERATION
  uchar flags_of_item[ITEMS];
  ulong a_rank = i < a_size ? rank_of(pair.a, a_first + i) : 0;
  ulong b_rank = j < b_size ? rank_of(pair.b, b_first + j) : 0;
#endif
  KEY from_a = tile_keys[i], from_b = tile_keys[a_size + j];
#pragma unroll
  for (uint k = 0; k < ITEMS; k++) {
    if (k < number) {
      const bool second = j < b_size && (i >= a_size || genocl_less(from_b, from_a));
      keys_of_item[k] = second ? from_b : from_a;
      IF_VALUES(places[k] = (ushort)(second ? a_size + j : i);)
#if SET_OPERATION
      if (second) {
        flags_of_item[k] = has_second(&pair, a_first + i, b_first + j, b_rank);
        b_rank = next_rank(pair.b, b_first + j + 1, pair.b_count, b_rank);
      } else {
        flags_of_item[k] = has_first(&pair, a_first + i, b_first + j, a_rank);
        a_rank = next_rank(pair.a, a_first + i + 1, pair.a_count, a_rank);
      }
#endif
      j += second;
      i += !second;
      const KEY next = tile_keys[second ? a_size + j : i];
      from_a = second ? from_a : next;
      from_b = second ? next : from_b;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint k = 0; k < ITEMS; k++) {
    if (k < number) {
      tile_keys[from + k] = keys_of_item[k];
      IF_VALUES(tile_places[from + k] = places[k];)
      IF_FLAGS(tile_flags[from + k] = flags_of_item[k];)
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = item; k < size; k += GROUP_SIZE) {
    results[first + k] = tile_keys[k];
    IF_FLAGS(flags[first + k] = tile_flags[k];)
  }
#if HAS_VALUES
  __global CallersValue* result_values = (__global CallersValue*)result_value_bytes + first;
  __global const CallersValue *const a_values = pair.a_values + a_first, *const b_values = pair.b_values + b_first;
  CallersValue values[ITEMS];
#pragma unroll
  for (uint k = 0; k < ITEMS; k++) {
    const uint at = k * GROUP_SIZE + item;
    if (at < size) {
      const uint place = tile_places[at];
      values[k] = place < a_size ? a_values[place] : b_values[place - a_size];
    }
  }
#pragma unroll
  for (uint k = 0; k < ITEMS; k++) {
    const uint at = k * GROUP_SIZE + item;
    if (at < size) result_values[at] = values[k];
  }
#endif
}
#endif
