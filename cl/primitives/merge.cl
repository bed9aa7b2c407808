// Stable merge of two sorted arrays, or of each two neighbouring sorted runs of one array. For set operations of `gpu`
// kernels the elements of the set (ONE_PASS, NVIDIA only, see look_back.clh), or a flag for each merged element.
//
// The text in front of this file (src/primitives/expression.hpp) has the type KEY and genocl_less(a, b).
//
// Defines: HAS_VALUES (0, 1), VALUE (a type), RUNS (1: neighbouring runs of an array); with `gpu` kernels
// SET_OPERATION (0: none, else as in set_operations.clh), ONE_PASS (0, 1), GROUP_SIZE, ITEMS (results of an item; an
// odd number keeps items in different banks), SEARCHES (1: groups find the starts of tiles, and a_starts is not read).
#include "primitives/merge_path.clh"
#include "primitives/set_operations.clh"
#include "common/ptx.clh"
#if ONE_PASS
#include "primitives/look_back.clh"
#endif

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
#define IF_SET(statement) statement
#if ONE_PASS
#define IF_FLAGS(statement)
#else
#define IF_FLAGS(statement) statement
#endif
#else
#define RESULT_FLAGS
#define PASS_FLAGS
#define IF_FLAGS(statement)
#define IF_SET(statement)
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

// A part of a sorted array: elements [first, first + size), which are also in local memory.
typedef struct {
  __global const KEY* keys;  // of the whole array
  __local const KEY* part;
  ulong first, count;  // count: of the whole array
  uint size;
} Part;

INLINED KEY key_at(const Part* part, ulong at) {
  const ulong in_part = at - part->first;
  return in_part < part->size ? part->part[in_part] : part->keys[at];
}

// rank_of() element i of the part; 0 for i = size.
INLINED ulong rank_in(const Part* part, uint i) {
  if (i >= part->size || (i > 0 && genocl_less(part->part[i - 1], part->part[i]))) return 0;
  return rank_of(part->keys, part->first + i);
}

// Whether the set has element `key` of `a`, of `rank` among equal ones, when all smaller elements of `b` are before
// element j of its part. `next`: that element, for j < b->size.
INLINED bool has_first(const Part* b, uint j, ulong rank, KEY key, KEY next) {
  if (SET_OPERATION == UNION) return true;
  bool in_both;
  if (rank == 0 && j < b->size)
    in_both = !genocl_less(key, next);
  else
    in_both = rank < b->count - b->first - j && !genocl_less(key, key_at(b, b->first + j + rank));
  return SET_OPERATION == INTERSECTION ? in_both : !in_both;
}

// Whether the set has element `key` of `b`, of `rank` among equal ones, when element i of the part of `a` is the first
// larger one.
INLINED bool has_second(const Part* a, uint i, ulong rank, KEY key) {
  if (!TAKES_SECOND) return false;
  if (rank < i) return genocl_less(a->part[i - 1 - (uint)rank], key);
  return rank >= a->first + i || genocl_less(a->keys[a->first + i - 1 - rank], key);
}
#endif

#define SEARCHES_BY_WARPS (SEARCHES && GENOCL_PTX && GROUP_SIZE % 32 == 0)
#if SEARCHES_BY_WARPS
// merge_path() by a whole warp, which compares 32 pairs at a time.
INLINED ulong warp_merge_path(const Pair* pair, ulong diagonal) {
  const uint lane = get_local_id(0) % PTX_WARP;
  ulong low = diagonal > pair->b_count ? diagonal - pair->b_count : 0, high = min(diagonal, pair->a_count);
  while (low < high) {
    const ulong stride = (high - low + PTX_WARP - 1) / PTX_WARP, at = low + (lane + 1) * stride - 1;
    const bool is_after = at >= high || genocl_less(pair->b[diagonal - 1 - at], pair->a[at]);
    const uint after = ptx_ballot(is_after);  // 0: the path is at `high`
    const uint before = after == 0 ? PTX_WARP : popcount(~after & (after - 1));
    const ulong part = low + before * stride;
    high = after == 0 ? high : min(high, part + stride - 1);
    low = min(part, high);
  }
  return low;
}
#endif

#if ONE_PASS
#define OUTPUT_PARAMETERS \
  volatile __global ulong *control, ulong words, __global KEY *results, ulong capacity, __global ulong *total
#else
#define OUTPUT_PARAMETERS RESULT_PARAMETERS
#endif

// A group merges a tile. With RUNS a run is a multiple of a tile. ONE_PASS: the elements of the set are written at
// once, as far as they fit `results`. `control`, `words`: of retire_group(); all 0 at the start.
GROUP_KERNEL void merge_gpu(RANGE_PARAMETERS, __global const ulong* a_starts, OUTPUT_PARAMETERS) {
  // The results of the last item and of those behind it may reach beyond the tile. They are not used.
  __local KEY tile_keys[(GROUP_SIZE + 1) * ITEMS];
  IF_VALUES(__local ushort tile_places[(GROUP_SIZE + 1) * ITEMS];)
  IF_FLAGS(__local uchar tile_flags[(GROUP_SIZE + 1) * ITEMS];)
  const uint item = get_local_id(0);
#if ONE_PASS
  __local uint tile_number[1], warp_counts[WARPS];
  __local ulong tile_start[1];
  if (item == 0) tile_number[0] = atomic_inc((volatile __global uint*)control);
  barrier(CLK_LOCAL_MEM_FENCE);
  const ulong tile = tile_number[0];
#else
  const ulong tile = get_group_id(0);
#endif
  const ulong first = tile * TILE, last = min(count, first + TILE);
  PAIR_OF(pair, first)
#if SEARCHES
  __local ulong starts[2];
#if SEARCHES_BY_WARPS
  for (uint which = item / PTX_WARP; which < 2; which += GROUP_SIZE / PTX_WARP) {
    const ulong start = warp_merge_path(&pair, (which == 0 ? first : last) - pair.start);
    if (item % PTX_WARP == 0) starts[which] = start;
  }
#else
  if (item == 0) starts[0] = merge_path(pair.a, pair.a_count, pair.b, pair.b_count, first - pair.start);
  if (item == GROUP_SIZE / 2) starts[1] = merge_path(pair.a, pair.a_count, pair.b, pair.b_count, last - pair.start);
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  const ulong a_first = starts[0], a_last = starts[1];
#else
  const ulong a_first = a_starts[tile];
  const bool ends_pair = last == pair.start + pair.a_count + pair.b_count;
  const ulong a_last = ends_pair ? pair.a_count : a_starts[tile + 1];
#endif
  const ulong b_first = first - pair.start - a_first;
  // The parts have last - first elements if the arrays are sorted, and are inside the arrays otherwise.
  const uint a_size = a_last > a_first ? (uint)min(a_last - a_first, last - first) : 0;
  const uint b_size = (uint)min(last - first - a_size, pair.b_count - b_first), size = a_size + b_size;
  KEY keys_of_item[ITEMS];
  __global const KEY *const a_part = pair.a + a_first, *const b_part = pair.b + b_first;
  if (size == TILE) {  // without conditions all loads are in flight together
#pragma unroll
    for (uint k = 0; k < ITEMS; k++) {
      const uint at = k * GROUP_SIZE + item;
      keys_of_item[k] = at < a_size ? a_part[at] : b_part[at - a_size];
    }
#pragma unroll
    for (uint k = 0; k < ITEMS; k++) tile_keys[k * GROUP_SIZE + item] = keys_of_item[k];
  } else {
    for (uint at = item; at < size; at += GROUP_SIZE) tile_keys[at] = at < a_size ? a_part[at] : b_part[at - a_size];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  const uint from = min(item * ITEMS, size);
  uint i = merge_path_local(tile_keys, a_size, tile_keys + a_size, b_size, from), j = from - i;
  IF_VALUES(ushort places[ITEMS];)
#if SET_OPERATION
  const Part a = {pair.a, tile_keys, a_first, pair.a_count, a_size};
  const Part b = {pair.b, tile_keys + a_size, b_first, pair.b_count, b_size};
  ulong a_rank = SET_OPERATION == UNION ? 0 : rank_in(&a, i), b_rank = TAKES_SECOND ? rank_in(&b, j) : 0;
  uint kept = 0;  // a bit for each result of the item
#endif
  KEY from_a = tile_keys[i], from_b = tile_keys[a_size + j];
#pragma unroll
  for (uint k = 0; k < ITEMS; k++) {
    const bool second = j < b_size && (i >= a_size || genocl_less(from_b, from_a));
    const KEY key = second ? from_b : from_a;
    keys_of_item[k] = key;
    IF_VALUES(places[k] = (ushort)(second ? a_size + j : i);)
    IF_SET(if (second ? has_second(&a, i, b_rank, key) : has_first(&b, j, a_rank, key, from_b)) kept |= 1u << k;)
    j += second;
    i += !second;
    const KEY next = tile_keys[second ? a_size + j : i];
    IF_SET(const ulong rank = genocl_less(key, next) ? 0 : (second ? b_rank : a_rank) + 1;)
    IF_SET(a_rank = second ? a_rank : rank;)
    IF_SET(b_rank = second ? rank : b_rank;)
    from_a = second ? from_a : next;
    from_b = second ? next : from_b;
  }
#if ONE_PASS
  const uint lane = item % PTX_WARP, warp = item / PTX_WARP;
  const uint number = min((uint)ITEMS, size - from);
  kept &= (1u << number) - 1;
  const uint own = popcount(kept);
  uint up_to = own;
#pragma unroll
  for (uint distance = 1; distance < PTX_WARP; distance *= 2) {
    const uint below = ptx_shuffle_up(up_to, distance);
    up_to += lane >= distance ? below : 0;
  }
  if (lane == PTX_WARP - 1) warp_counts[warp] = up_to;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint place = up_to - own, all = 0;
#pragma unroll
  for (uint w = 0; w < WARPS; w++) {
    place += w < warp ? warp_counts[w] : 0;
    all += warp_counts[w];
  }
  if (warp == 0) publish_total(control + 2, tile, all, lane);
#pragma unroll
  for (uint k = 0; k < ITEMS; k++)
    if ((kept >> k & 1) != 0) tile_keys[place++] = keys_of_item[k];
  // Late, when the tiles before have most likely come further.
  const ulong start = start_of_tile(control + 2, tile, all, tile_start, total);
  const uint writable = start < capacity ? (uint)min((ulong)all, capacity - start) : 0;
  for (uint k = item; k < writable; k += GROUP_SIZE) results[start + k] = tile_keys[k];
  if (warp == 0) retire_group(control, words, lane);
#else
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint k = 0; k < ITEMS; k++) {
    tile_keys[from + k] = keys_of_item[k];
    IF_VALUES(tile_places[from + k] = places[k];)
    IF_FLAGS(tile_flags[from + k] = kept >> k & 1;)
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (size == TILE) {
#pragma unroll
    for (uint k = 0; k < ITEMS; k++) results[first + k * GROUP_SIZE + item] = tile_keys[k * GROUP_SIZE + item];
  } else {
    for (uint k = item; k < size; k += GROUP_SIZE) results[first + k] = tile_keys[k];
  }
  IF_FLAGS(for (uint k = item; k < size; k += GROUP_SIZE) flags[first + k] = tile_flags[k];)
#endif
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
