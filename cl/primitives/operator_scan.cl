// Scan with any associative operator, which need not be commutative.
//
// On a CPU in two launches: totals of the workers' parts, then each part from there. On a GPU in three: totals of
// chunks, scan of the totals, scan of each chunk from there. No group waits for another.
//
// The text in front of this file (src/primitives/expression.hpp, src/primitives/operator_scan.cpp) has
// INPUT_PARAMETERS, the type ACCUMULATOR, accumulator_identity(), accumulator_combine(a, b), ACCUMULATOR_AT(i),
// INCLUSIVE_RESULT(up_to) and EXCLUSIVE_RESULT(before, mine), both of type RESULT, which is no larger than ACCUMULATOR.
// In scans by key also HEAD_AT(i), whether element i begins a run, HEAD_AFTER_FIRST(i) for i > 0, and the members
// `value` and `head` of ACCUMULATOR.
//
// `count` elements in, `results_count` out: as many, or one more, which for an exclusive scan is the total. `results`
// may be an input: an element is read before it is written, by the same item.
//
// Defines: INCLUSIVE (0, 1); with `gpu` kernels GROUP_SIZE, ITEMS (elements of an item in a tile), ONE_CHUNK (1: the
// only chunk, without offsets), RUNS (1: also operator_runs_gpu, for accumulators of keys); with `cpu` kernels STREAMS
// (parts of a worker's share that it reads side by side).
#include "common/types.clh"

#ifndef INCLUSIVE
#error "INCLUSIVE comes from the host"
#endif
#define RESULT_AT(before, mine, up_to) (INCLUSIVE ? INCLUSIVE_RESULT(up_to) : EXCLUSIVE_RESULT(before, mine))

#ifndef ONLY_CPU
#ifndef ITEMS
#error "ITEMS comes from the host"
#endif
#define TILE ((ulong)GROUP_SIZE * ITEMS)
// A word of padding for each item keeps neighbouring items in different banks.
#define SLOT(i) ((i) + (i) / ITEMS)
#define TILE_SLOTS (GROUP_SIZE * (ITEMS + 1))

// Loads a tile that ends at `last` with neighbouring items at neighbouring elements, and gives each item ITEMS
// consecutive ones. All loads of a whole tile are on their way before the first value is used.
#define LOAD_TILE(mine, slots, item, base, last)                                                                 \
  if (base + TILE <= last) {                                                                                     \
    ACCUMULATOR loaded[ITEMS];                                                                                   \
    _Pragma("unroll") for (uint k = 0; k < ITEMS; k++) loaded[k] = ACCUMULATOR_AT(base + k * GROUP_SIZE + item); \
    _Pragma("unroll") for (uint k = 0; k < ITEMS; k++) slots[SLOT(k * GROUP_SIZE + item)] = loaded[k];           \
  } else {                                                                                                       \
    for (uint place = item; place < TILE; place += GROUP_SIZE)                                                   \
      slots[SLOT(place)] = base + place < last ? ACCUMULATOR_AT(base + place) : accumulator_identity();          \
  }                                                                                                              \
  barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
  for (uint k = 0; k < ITEMS; k++) mine[k] = slots[SLOT(item * ITEMS + k)];

// Results go through pointers: an inlined function that returns a struct has intrinsics that Oclgrind cannot run.
INLINED void combine_items(const ACCUMULATOR* mine, ACCUMULATOR* total) {
  *total = mine[0];
  for (uint k = 1; k < ITEMS; k++) *total = accumulator_combine(*total, mine[k]);
}

// *value becomes the combination of the items before this one, *all that of the whole group. `lanes` is free to use
// again after the caller's next barrier.
INLINED void group_exclusive_scan(ACCUMULATOR* value, uint item, __local ACCUMULATOR* lanes, ACCUMULATOR* all) {
  lanes[item] = *value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint distance = 1; distance < GROUP_SIZE; distance *= 2) {
    if (item >= distance) *value = accumulator_combine(lanes[item - distance], *value);
    barrier(CLK_LOCAL_MEM_FENCE);
    lanes[item] = *value;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  *all = lanes[GROUP_SIZE - 1];
  *value = accumulator_identity();
  if (item != 0) *value = lanes[item - 1];
}

// Group g combines elements [g * chunk, (g + 1) * chunk); `chunk` is a multiple of a tile.
GROUP_KERNEL void operator_scan_totals_gpu(INPUT_PARAMETERS ulong count, ulong chunk, __global ACCUMULATOR* totals) {
  __local ACCUMULATOR slots[TILE_SLOTS];
  __local ACCUMULATOR lanes[GROUP_SIZE];
  const uint item = get_local_id(0);
  const ulong first = get_group_id(0) * chunk, last = min(count, first + chunk);
  ACCUMULATOR carry = accumulator_identity();
  for (ulong base = first; base < last; base += TILE) {
    ACCUMULATOR mine[ITEMS];
    LOAD_TILE(mine, slots, item, base, last)
    ACCUMULATOR own;
    combine_items(mine, &own);
    lanes[item] = own;
    for (uint distance = 1; distance < GROUP_SIZE; distance *= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (item % (2 * distance) == 0) lanes[item] = accumulator_combine(lanes[item], lanes[item + distance]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    carry = accumulator_combine(carry, lanes[0]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) totals[get_group_id(0)] = carry;
}

// One group: each total becomes the combination of the chunks before it.
GROUP_KERNEL void operator_scan_offsets_gpu(__global ACCUMULATOR* totals, uint chunks) {
  __local ACCUMULATOR lanes[GROUP_SIZE];
  const uint item = get_local_id(0);
  ACCUMULATOR carry = accumulator_identity();
  for (uint base = 0; base < chunks; base += GROUP_SIZE) {
    const uint at = base + item;
    ACCUMULATOR value = accumulator_identity();
    if (at < chunks) value = totals[at];
    ACCUMULATOR all;
    group_exclusive_scan(&value, item, lanes, &all);
    if (at < chunks) totals[at] = accumulator_combine(carry, value);
    carry = accumulator_combine(carry, all);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

GROUP_KERNEL void operator_scan_gpu(INPUT_PARAMETERS ulong count, ulong results_count, ulong chunk,
                                    __global const ACCUMULATOR* offsets, __global RESULT* results) {
  __local ACCUMULATOR slots[TILE_SLOTS];
  __local ACCUMULATOR lanes[GROUP_SIZE];
  // The results of a tile take the place of its elements, which are in registers by then.
  __local RESULT* const tile_results = (__local RESULT*)slots;
  const uint item = get_local_id(0);
  const ulong first = get_group_id(0) * chunk, last = min(count, first + chunk);
#if ONE_CHUNK
  ACCUMULATOR carry = accumulator_identity();
#else
  ACCUMULATOR carry = offsets[get_group_id(0)];
#endif
  for (ulong base = first; base < last; base += TILE) {
    ACCUMULATOR mine[ITEMS], before, all;
    LOAD_TILE(mine, slots, item, base, last)
    combine_items(mine, &before);
    group_exclusive_scan(&before, item, lanes, &all);
    before = accumulator_combine(carry, before);
    for (uint k = 0; k < ITEMS; k++) {
      const ACCUMULATOR up_to = accumulator_combine(before, mine[k]);
      tile_results[SLOT(item * ITEMS + k)] = RESULT_AT(before, mine[k], up_to);
      before = up_to;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < ITEMS; k++) {
      const uint place = k * GROUP_SIZE + item;
      if (base + place < last) results[base + place] = tile_results[SLOT(place)];
    }
    carry = accumulator_combine(carry, all);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0 && get_group_id(0) == get_num_groups(0) - 1 && results_count > count)
    results[count] = INCLUSIVE_RESULT(carry);
}

#if RUNS
#include "primitives/group_sum.clh"

// One group: key and total of each run among at most TILE elements.
GROUP_KERNEL void operator_runs_gpu(INPUT_PARAMETERS ulong count, __global KEY* unique_keys, ulong key_capacity,
                                    __global RESULT* totals, ulong total_capacity, __global ulong* number) {
  __local ACCUMULATOR slots[TILE_SLOTS];
  __local ACCUMULATOR lanes[GROUP_SIZE];
  __local uint heads[GROUP_SIZE];
  const uint item = get_local_id(0);
  ACCUMULATOR mine[ITEMS], before, all;
  LOAD_TILE(mine, slots, item, (ulong)0, count)
  uint run = 0;
  for (uint k = 0; k < ITEMS; k++) run += mine[k].head != 0 ? 1 : 0;
  uint count_of_runs;
  run = sum_before(run, item, heads, &count_of_runs);
  if (item == 0) number[0] = count_of_runs;
  combine_items(mine, &before);
  group_exclusive_scan(&before, item, lanes, &all);
  for (uint k = 0; k < ITEMS; k++) {
    const uint at = item * ITEMS + k;
    before = accumulator_combine(before, mine[k]);
    run += mine[k].head != 0 ? 1 : 0;
    // The last element of a run has its total.
    if (at < count && (at + 1 == count || slots[SLOT(at + 1)].head != 0)) {
      if (run <= key_capacity) unique_keys[run - 1] = keys[at];
      if (run <= total_capacity) totals[run - 1] = INCLUSIVE_RESULT(before);
    }
  }
}
#endif
#endif

#ifndef ONLY_GPU
#ifndef STREAMS
#error "STREAMS comes from the host"
#endif

// totals[worker * STREAMS + stream]. `share` is a multiple of STREAMS.
#ifdef HEAD_AT
#define BLOCK 16

// The total of each part is that of its elements from the last that begins a run on. That one is searched from the end:
// where runs are short, few elements are read.
WORKER_KERNEL void operator_scan_totals_cpu(INPUT_PARAMETERS ulong count, ulong share, __global ACCUMULATOR* totals) {
  const ulong first = WORKER_FIRST(count, share), last = WORKER_LAST(count, share), part = share / STREAMS;
  for (uint stream = 0; stream < STREAMS; stream++) {
    const ulong begin = min(last, first + stream * part), end = min(last, begin + part);
    ACCUMULATOR total = accumulator_identity();
    if (begin < end) {
      ulong at = end;
      while (at >= begin + BLOCK && at > BLOCK) {
        uint heads = 0;
        for (uint k = 1; k <= BLOCK; k++) heads |= HEAD_AFTER_FIRST(at - k) ? 1 : 0;
        if (heads != 0) break;
        at -= BLOCK;
      }
      while (at > begin && !HEAD_AT(at - 1)) at--;
      total.head = at > begin ? 1 : 0;
      at -= total.head;
      VALUE sum = VALUE_AT(at);
      at++;
      // An operation waits for the one before: four quarters take turns.
      const ulong quarter = (end - at) / 4;
      if (quarter > 0) {
        VALUE a = VALUE_AT(at), b = VALUE_AT(at + quarter), c = VALUE_AT(at + 2 * quarter);
        VALUE d = VALUE_AT(at + 3 * quarter);
        for (ulong k = at + 1; k < at + quarter; k++) {
          a = genocl_operator(a, VALUE_AT(k));
          b = genocl_operator(b, VALUE_AT(k + quarter));
          c = genocl_operator(c, VALUE_AT(k + 2 * quarter));
          d = genocl_operator(d, VALUE_AT(k + 3 * quarter));
        }
        sum = genocl_operator(sum, genocl_operator(genocl_operator(a, b), genocl_operator(c, d)));
      }
      for (at += 4 * quarter; at < end; at++) sum = genocl_operator(sum, VALUE_AT(at));
      total.value = sum;
    }
    totals[get_group_id(0) * STREAMS + stream] = total;
  }
}

// Element `at`, which begins a run if `begins`, after the elements with `sum`. A step takes six cycles after the one
// before; with eight parts side by side their lines of cache displace each other (2^24 elements: a third of the rate).
#define SCAN_STEP(at, begins, sum)                                             \
  {                                                                            \
    const bool head = begins;                                                  \
    const VALUE value = VALUE_AT(at), joined = genocl_operator(sum, value);    \
    const VALUE up_to = head ? value : joined;                                 \
    results[at] = INCLUSIVE ? up_to : head ? genocl_operator_identity() : sum; \
    sum = up_to;                                                               \
  }

WORKER_KERNEL void operator_scan_cpu(INPUT_PARAMETERS ulong count, ulong results_count, ulong share,
                                     __global const ACCUMULATOR* totals, __global RESULT* results) {
  const ulong first = WORKER_FIRST(count, share), last = WORKER_LAST(count, share), part = share / STREAMS;
  ACCUMULATOR before = accumulator_identity();
  for (ulong i = 0; i < get_group_id(0) * STREAMS; i++) before = accumulator_combine(before, totals[i]);
  if (first == last) return;
  totals += get_group_id(0) * STREAMS;
  VALUE sums[STREAMS];
  sums[0] = before.value;
  if (last - first == share) {
    for (uint stream = 1; stream < STREAMS; stream++) {
      before = accumulator_combine(before, totals[stream - 1]);
      sums[stream] = before.value;
    }
    for (uint stream = 0; stream < STREAMS; stream++) {
      const ulong at = first + stream * part;
      SCAN_STEP(at, HEAD_AT(at), sums[stream])
    }
    for (ulong at = first + 1; at < first + part; at++)
#pragma unroll
      for (uint stream = 0; stream < STREAMS; stream++)
        SCAN_STEP(at + stream * part, HEAD_AFTER_FIRST(at + stream * part), sums[stream])
  } else {
    SCAN_STEP(first, HEAD_AT(first), sums[0])
    for (ulong at = first + 1; at < last; at++) SCAN_STEP(at, HEAD_AFTER_FIRST(at), sums[0])
  }
}
#else
WORKER_KERNEL void operator_scan_totals_cpu(INPUT_PARAMETERS ulong count, ulong share, __global ACCUMULATOR* totals) {
  const ulong first = WORKER_FIRST(count, share), last = WORKER_LAST(count, share), part = share / STREAMS;
  ACCUMULATOR sums[STREAMS];
  for (uint stream = 0; stream < STREAMS; stream++) sums[stream] = accumulator_identity();
  if (last - first == share) {
    for (ulong at = first; at < first + part; at++)
#pragma unroll
      for (uint stream = 0; stream < STREAMS; stream++)
        sums[stream] = accumulator_combine(sums[stream], ACCUMULATOR_AT(at + stream * part));
  } else {
    for (ulong at = first; at < last; at++) sums[0] = accumulator_combine(sums[0], ACCUMULATOR_AT(at));
  }
  for (uint stream = 0; stream < STREAMS; stream++) totals[get_group_id(0) * STREAMS + stream] = sums[stream];
}

WORKER_KERNEL void operator_scan_cpu(INPUT_PARAMETERS ulong count, ulong results_count, ulong share,
                                     __global const ACCUMULATOR* totals, __global RESULT* results) {
  const ulong first = WORKER_FIRST(count, share), last = WORKER_LAST(count, share), part = share / STREAMS;
  ACCUMULATOR before = accumulator_identity();
  for (ulong i = 0; i < get_group_id(0) * STREAMS; i++) before = accumulator_combine(before, totals[i]);
  totals += get_group_id(0) * STREAMS;
  if (last - first == share) {
    ACCUMULATOR starts[STREAMS];
    starts[0] = before;
    for (uint stream = 1; stream < STREAMS; stream++)
      starts[stream] = accumulator_combine(starts[stream - 1], totals[stream - 1]);
    for (ulong at = first; at < first + part; at++)
#pragma unroll
      for (uint stream = 0; stream < STREAMS; stream++) {
        const ACCUMULATOR mine = ACCUMULATOR_AT(at + stream * part);
        const ACCUMULATOR up_to = accumulator_combine(starts[stream], mine);
        results[at + stream * part] = RESULT_AT(starts[stream], mine, up_to);
        starts[stream] = up_to;
      }
    before = starts[STREAMS - 1];
  } else {
    for (ulong at = first; at < last; at++) {
      const ACCUMULATOR mine = ACCUMULATOR_AT(at);
      const ACCUMULATOR up_to = accumulator_combine(before, mine);
      results[at] = RESULT_AT(before, mine, up_to);
      before = up_to;
    }
  }
  if (last == count && (first < last || count == 0))
    for (ulong at = count; at < results_count; at++) results[at] = INCLUSIVE_RESULT(before);
}
#endif
#endif
