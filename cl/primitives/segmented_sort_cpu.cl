// Sorts the segments of at most SMALL elements on a CPU: each worker those that begin in its share of the array, the
// shortest by insertion, the others by merging.
//
// Arrays hold keys as the caller stores them; comparisons encode them.
//
// Defines besides those of sort_keys.clh and segments.clh: SMALL.
#include "common/types.clh"
#include "primitives/sort_keys.clh"
#include "primitives/segments.clh"

#ifndef SMALL
#error "SMALL comes from the host"
#endif
#define RUN 16

// Swaps neighbours that stand the wrong way round, without a branch: at such lengths every second one would be
// mispredicted.
#define ORDER_NEIGHBOURS(i)                                           \
  do {                                                                \
    const bool swap = key[i] > key[i + 1];                            \
    const KEY lesser = swap ? key[i + 1] : key[i];                    \
    const KEY greater = swap ? key[i] : key[i + 1];                   \
    IF_VALUES(const uint of_lesser = swap ? value[i + 1] : value[i]); \
    IF_VALUES(value[i + 1] = swap ? value[i] : value[i + 1]);         \
    IF_VALUES(value[i] = of_lesser);                                  \
    key[i] = lesser, key[i + 1] = greater;                            \
  } while (false)

// Up to four elements. Only neighbours change places, and only when they differ: stable.
static inline void sort_few(__global STORED* keys, __global uint* values, uint count) {
  KEY key[4] = {encode_key(keys[0]), encode_key(keys[1]), KEY_ALL, KEY_ALL};
  if (count > 2) key[2] = encode_key(keys[2]);
  if (count > 3) key[3] = encode_key(keys[3]);
  IF_VALUES(uint value[4]);
  IF_VALUES(for (uint i = 0; i < 4; i++) value[i] = i < count ? values[i] : 0);
  ORDER_NEIGHBOURS(0);
  ORDER_NEIGHBOURS(2);
  ORDER_NEIGHBOURS(1);
  ORDER_NEIGHBOURS(0);
  ORDER_NEIGHBOURS(2);
  ORDER_NEIGHBOURS(1);
  for (uint i = 0; i < count; i++) {
    keys[i] = decode_key(key[i]);
    IF_VALUES(values[i] = value[i]);
  }
}

static inline void insertion_sort(__global STORED* keys, __global uint* values, uint count) {
  for (uint next = 1; next < count; next++) {
    const STORED stored = keys[next];
    const KEY key = encode_key(stored);
    IF_VALUES(const uint value = values[next]);
    uint place = next;
    for (; place > 0 && encode_key(keys[place - 1]) > key; place--) {
      keys[place] = keys[place - 1];
      IF_VALUES(values[place] = values[place - 1]);
    }
    keys[place] = stored;
    IF_VALUES(values[place] = value);
  }
}

// Runs of `run` elements become runs of twice as many.
static inline void merge_runs(__global const STORED* keys, __global const uint* values, uint count, uint run,
                              __global STORED* merged_keys, __global uint* merged_values) {
  for (uint start = 0; start < count; start += 2 * run) {
    const uint middle = min(count, start + run), end = min(count, start + 2 * run);
    uint left = start, right = middle;
    for (uint to = start; to < end; to++) {
      // Of equal keys the left one goes first.
      const bool take_left = left < middle && (right >= end || encode_key(keys[left]) <= encode_key(keys[right]));
      const uint from = take_left ? left++ : right++;
      merged_keys[to] = keys[from];
      IF_VALUES(merged_values[to] = values[from]);
    }
  }
}

// `spare_keys`, `spare_values`: SMALL for each worker. Without values, `values` and `spare_values` are not accessed.
WORKER_KERNEL void segmented_sort_cpu(__global STORED* keys, __global uint* values, ulong key_count,
                                      __global const OFFSET* offsets, ulong segments, ulong share,
                                      __global STORED* spare_keys, __global uint* spare_values) {
  spare_keys += get_group_id(0) * SMALL;
  spare_values += get_group_id(0) * SMALL;
  const ulong begin = first_offset_from(offsets, segments, get_group_id(0) * share);
  const ulong end = get_group_id(0) == get_num_groups(0) - 1
                        ? segments
                        : first_offset_from(offsets, segments, (get_group_id(0) + 1) * share);
  for (ulong segment = begin; segment < end; segment++) {
    const ulong length = segment_length(offsets, segment, key_count);
    if (length < 2 || length > SMALL) continue;
    const uint count = (uint)length;
    __global STORED* segment_keys = keys + offsets[segment];
    __global uint* segment_values = values + offsets[segment];
    if (count <= 4) {
      sort_few(segment_keys, segment_values, count);
      continue;
    }
    for (uint start = 0; start < count; start += RUN)
      insertion_sort(segment_keys + start, segment_values + start, min((uint)RUN, count - start));
    // Two merges at a time, there and back.
    for (uint run = RUN; run < count; run *= 4) {
      merge_runs(segment_keys, segment_values, count, run, spare_keys, spare_values);
      merge_runs(spare_keys, spare_values, count, run * 2, segment_keys, segment_values);
    }
  }
}
