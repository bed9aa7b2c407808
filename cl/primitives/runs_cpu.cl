// Keys and totals of runs of equal keys on a CPU: counts of the runs that begin in each part, then each part's runs at
// their places, then totals of the runs that cross borders of parts.
//
// A worker's share is STREAMS parts, which it reads side by side: a chain of dependent operations per part.
//
// The text in front of this file (src/primitives/runs_cpu.cpp) has the types KEY and VALUE, DIFFERENT(a, b) of two
// keys, and with HAS_TOTALS INPUT_PARAMETERS, VALUE_AT(i) and genocl_operator(a, b). Without, INPUT_PARAMETERS is
// empty.
//
// Defines: STREAMS, HAS_TOTALS (0: keys alone), MERGES (0: a total is the first value of its run).
#include "common/types.clh"

#ifndef STREAMS
#error "STREAMS comes from the host"
#endif
#ifndef HAS_TOTALS
#error "HAS_TOTALS comes from the host"
#endif
#ifndef MERGES
#error "MERGES comes from the host"
#endif

CALLERS_ELEMENT(CallersKey, KEY);

#define BLOCK 16

static inline ulong count_heads(__global const CallersKey* keys, ulong at, ulong last) {
  if (at >= last) return 0;
  ulong total = 0;
  if (at == 0) {
    total = 1;
    at = 1;
  }
  while (at + BLOCK <= last) {
    // Sums of 32 bits vectorize better; none exceeds 2^24.
    const ulong stop = min(last - BLOCK, at + ((ulong)BLOCK << 23));
    uint sums[BLOCK];
    for (uint i = 0; i < BLOCK; i++) sums[i] = 0;
    for (; at <= stop; at += BLOCK)
      for (uint i = 0; i < BLOCK; i++) sums[i] += DIFFERENT(keys[at + i], keys[at + i - 1]) ? 1 : 0;
    for (uint i = 0; i < BLOCK; i++) total += sums[i];
  }
  for (; at < last; at++) total += DIFFERENT(keys[at], keys[at - 1]) ? 1 : 0;
  return total;
}

// counts[worker * STREAMS + stream]. `share` is a multiple of STREAMS.
WORKER_KERNEL void runs_count_cpu(__global const uchar* keys_bytes, ulong count, ulong share, __global ulong* counts) {
  __global const CallersKey* keys = (__global const CallersKey*)keys_bytes;
  const ulong part = share / STREAMS, first_part = get_group_id(0) * STREAMS;
  for (uint stream = 0; stream < STREAMS; stream++) {
    const ulong first = min(count, (first_part + stream) * part);
    counts[first_part + stream] = count_heads(keys, first, min(count, first + part));
  }
}

#if HAS_TOTALS
static inline VALUE total_of(bool head, VALUE total, VALUE value) {
  return head ? value : genocl_operator(total, value);
}
#define TOTAL_OF(head, total, at) total_of(head, total, VALUE_AT(at))
#define WRITE_TOTAL(run, total) totals[run] = total
#else
#define TOTAL_OF(head, total, at) (total)
#define WRITE_TOTAL(run, total)
#endif

// Parts that a loop reads side by side: more need more registers than processors have.
#define WIDTH (HAS_TOTALS ? 2 : 4)

// Writes the rest of the runs of the worker's parts: elements from at[k] on, of the run of place run[k] with total[k].
// Every element writes the key and the total of its run up to there, without a branch, and the next element of the run
// overwrites them.
#define WRITE_SIDE_BY_SIDE(at, run, total, steps)          \
  for (uint first = 0; first < STREAMS; first += WIDTH) {  \
    ulong places[WIDTH];                                   \
    VALUE sums[WIDTH];                                     \
    _Pragma("unroll") for (uint k = 0; k < WIDTH; k++) {   \
      places[k] = run[first + k];                          \
      sums[k] = total[first + k];                          \
    }                                                      \
    for (ulong step = 0; step < steps; step++) {           \
      _Pragma("unroll") for (uint k = 0; k < WIDTH; k++) { \
        const ulong i = at[first + k] + step;              \
        const KEY key = keys[i];                           \
        const bool head = DIFFERENT(key, keys[i - 1]);     \
        sums[k] = TOTAL_OF(head, sums[k], i);              \
        places[k] += head ? 1 : 0;                         \
        unique_keys[places[k]] = key;                      \
        WRITE_TOTAL(places[k], sums[k]);                   \
      }                                                    \
    }                                                      \
    _Pragma("unroll") for (uint k = 0; k < WIDTH; k++) {   \
      at[first + k] += steps;                              \
      run[first + k] = places[k];                          \
      total[first + k] = sums[k];                          \
    }                                                      \
  }

// The same for first values: each element goes to the place of the next run, and stays there if it begins that run.
#define WRITE_FIRST_VALUES(at, run, ends, last)       \
  for (uint stream = 0; stream < STREAMS; stream++) { \
    ulong i = at[stream], next = run[stream] + 1;     \
    while (next < ends[stream]) {                     \
      const KEY key = keys[i];                        \
      unique_keys[next] = key;                        \
      totals[next] = VALUE_AT(i);                     \
      next += DIFFERENT(key, keys[i - 1]) ? 1 : 0;    \
      i++;                                            \
    }                                                 \
    at[stream] = last[stream];                        \
  }

// `leads`: for each part the total of the elements before its first run, if the last run of the part before continues.
WORKER_KERNEL void runs_write_cpu(INPUT_PARAMETERS __global const uchar* keys_bytes, ulong count, ulong share,
                                  __global const ulong* counts, __global VALUE* leads,
                                  __global uchar* unique_keys_bytes, ulong key_capacity, __global VALUE* totals,
                                  ulong total_capacity, __global ulong* number) {
  __global const CallersKey* keys = (__global const CallersKey*)keys_bytes;
  __global CallersKey* unique_keys = (__global CallersKey*)unique_keys_bytes;
  const ulong part = share / STREAMS, first_part = get_group_id(0) * STREAMS;
  ulong to = 0, at[STREAMS], last[STREAMS], run[STREAMS], ends[STREAMS], steps = share;
  for (ulong i = 0; i < first_part; i++) to += counts[i];

  // Each part up to the first element of its first run. `run` is that run's place, `at` the next element.
  VALUE total[STREAMS];
  for (uint stream = 0; stream < STREAMS; stream++) {
    const ulong first = min(count, (first_part + stream) * part), end = min(count, first + part);
    ulong i = first;
    total[stream] = 0;
    for (; i > 0 && i < end && !DIFFERENT(keys[i], keys[i - 1]); i++)
      if (MERGES) total[stream] = TOTAL_OF(i == first, total[stream], i);
    if (MERGES && i > first) leads[first_part + stream] = total[stream];
    run[stream] = to;
    if (i < end) {
      total[stream] = TOTAL_OF(true, total[stream], i);
      if (to < key_capacity) unique_keys[to] = keys[i];
      if (to < total_capacity) WRITE_TOTAL(to, total[stream]);
      i++;
    }
    to += counts[first_part + stream];
    at[stream] = i;
    last[stream] = end;
    ends[stream] = to;
    steps = min(steps, end - i);
  }
  if (get_group_id(0) == get_num_groups(0) - 1) number[0] = to;

  if (to <= (HAS_TOTALS ? min(key_capacity, total_capacity) : key_capacity)) {
#if MERGES || !HAS_TOTALS
    WRITE_SIDE_BY_SIDE(at, run, total, steps)
#else
    WRITE_FIRST_VALUES(at, run, ends, last)
#endif
  }
  // The remainder: elements of longer parts, and runs that may exceed the results.
  for (uint stream = 0; stream < STREAMS; stream++)
    for (ulong i = at[stream]; i < last[stream]; i++) {
      const KEY key = keys[i];
      const bool head = DIFFERENT(key, keys[i - 1]);
      total[stream] = TOTAL_OF(head, total[stream], i);
      run[stream] += head ? 1 : 0;
      if (run[stream] < key_capacity) unique_keys[run[stream]] = key;
      if (run[stream] < total_capacity) WRITE_TOTAL(run[stream], total[stream]);
    }
}

// One worker: the runs of a few elements in one launch.
WORKER_KERNEL void runs_small_cpu(INPUT_PARAMETERS __global const uchar* keys_bytes, uint count,
                                  __global uchar* unique_keys_bytes, ulong key_capacity, __global VALUE* totals,
                                  ulong total_capacity, __global ulong* number) {
  __global const CallersKey* keys = (__global const CallersKey*)keys_bytes;
  __global CallersKey* unique_keys = (__global CallersKey*)unique_keys_bytes;
  VALUE total = 0;
  uint runs = 0;
  for (uint i = 0; i < count; i++) {
    const KEY key = keys[i];
    const bool head = i == 0 || DIFFERENT(key, keys[i == 0 ? 0 : i - 1]);
    total = TOTAL_OF(head, total, i);
    runs += head ? 1 : 0;
    if (runs <= key_capacity) unique_keys[runs - 1] = key;
    if (runs <= total_capacity) WRITE_TOTAL(runs - 1, total);
  }
  number[0] = runs;
}

#if MERGES
// One worker: adds the leads to the totals of their runs, in the order of the parts.
WORKER_KERNEL void runs_merge_cpu(__global const uchar* keys_bytes, ulong count, ulong part,
                                  __global const ulong* counts, __global const VALUE* leads, __global VALUE* totals,
                                  ulong total_capacity) {
  __global const CallersKey* keys = (__global const CallersKey*)keys_bytes;
  ulong runs = 0, index = 0;
  for (ulong first = 0; first < count; first += part, index++) {
    if (first > 0 && !DIFFERENT(keys[first], keys[first - 1]) && runs - 1 < total_capacity)
      totals[runs - 1] = genocl_operator(totals[runs - 1], leads[index]);
    runs += counts[index];
  }
}
#endif
