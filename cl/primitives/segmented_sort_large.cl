// What surrounds the sorting of the large segments: they are copied one after the other, with their number in front of
// the key, sorted all together and copied back.
//
// `large`: the numbers of the large segments; `starts`: where each begins among the elements copied, and their total at
// the end.
//
// Copied keys are encoded (sort_keys.clh). Without values, `values` and `taken_values` are not accessed.
//
// Defines besides those of sort_keys.clh and segments.clh: GROUP_SIZE (1 in the `cpu` family).
#include "common/types.clh"
#include "primitives/sort_keys.clh"
#include "primitives/segments.clh"

// Each work-item owns `share` elements next to each other; on a GPU one, so that neighbours touch neighbours.
#define FOR_EACH_OWN(i, count)                                                                                         \
  for (ulong i = get_global_id(0) * share, own_end = min((ulong)(count), (get_global_id(0) + 1) * share); i < own_end; \
       i++)

GROUP_KERNEL void segmented_sort_flag(__global const OFFSET* offsets, ulong segments, ulong key_count, ulong small,
                                      ulong share, __global uchar* flags) {
  FOR_EACH_OWN(segment, segments) flags[segment] = segment_length(offsets, segment, key_count) > small;
}

GROUP_KERNEL void segmented_sort_lengths(__global const OFFSET* offsets, ulong key_count, __global const ulong* large,
                                         ulong large_count, ulong share, __global ulong* lengths) {
  FOR_EACH_OWN(i, large_count) lengths[i] = segment_length(offsets, large[i], key_count);
}

// The number among the large ones of the segment that element `at` of the copy belongs to: the last start not above it.
static inline ulong large_number(__global const ulong* starts, ulong large_count, ulong at) {
  ulong low = 0;
  while (large_count > 1) {
    const ulong half_count = large_count / 2;
    if (starts[low + half_count] <= at) low += half_count;
    large_count -= half_count;
  }
  return low;
}

static inline ulong place_of(__global const OFFSET* offsets, __global const ulong* large, __global const ulong* starts,
                             ulong number, ulong at) {
  return (ulong)offsets[large[number]] + (at - starts[number]);
}

GROUP_KERNEL void segmented_sort_take(__global const STORED* keys, __global const uint* values,
                                      __global const OFFSET* offsets, __global const ulong* large,
                                      __global const ulong* starts, ulong large_count, ulong total, uint key_bits,
                                      ulong share, __global ulong* numbered_keys, __global uint* taken_values) {
  FOR_EACH_OWN(at, total) {
    const ulong number = large_number(starts, large_count, at);
    const ulong place = place_of(offsets, large, starts, number, at);
    // With one segment, whose number is 0, the key may have all 64 bits.
    numbered_keys[at] = (key_bits < 64 ? number << key_bits : 0) | (ulong)encode_key(keys[place]);
    IF_VALUES(taken_values[at] = values[place]);
  }
}

GROUP_KERNEL void segmented_sort_put(__global const ulong* numbered_keys, __global const uint* taken_values,
                                     __global const OFFSET* offsets, __global const ulong* large,
                                     __global const ulong* starts, ulong total, uint key_bits, ulong share,
                                     __global STORED* keys, __global uint* values) {
  FOR_EACH_OWN(at, total) {
    const ulong key = numbered_keys[at];
    const ulong number = key_bits < 64 ? key >> key_bits : 0;
    const ulong place = place_of(offsets, large, starts, number, at);
    keys[place] = decode_key((KEY)(key_bits < 64 ? key & ((1ul << key_bits) - 1) : key));
    IF_VALUES(values[place] = taken_values[at]);
  }
}

// If the keys have no bits left for the number: `order` sorts the copy by key, `numbers` are then those of the segments
// in that order.
GROUP_KERNEL void segmented_sort_numbers(__global const uint* order, __global const ulong* starts, ulong large_count,
                                         ulong total, ulong share, __global uint* numbers) {
  FOR_EACH_OWN(at, total) numbers[at] = (uint)large_number(starts, large_count, order[at]);
}

GROUP_KERNEL void segmented_sort_put_ordered(__global const uint* order, __global const ulong* taken_keys,
                                             __global const uint* taken_values, __global const OFFSET* offsets,
                                             __global const ulong* large, __global const ulong* starts,
                                             ulong large_count, ulong total, ulong share, __global STORED* keys,
                                             __global uint* values) {
  FOR_EACH_OWN(at, total) {
    const ulong place = place_of(offsets, large, starts, large_number(starts, large_count, at), at);
    keys[place] = decode_key((KEY)taken_keys[order[at]]);
    IF_VALUES(values[place] = taken_values[order[at]]);
  }
}
