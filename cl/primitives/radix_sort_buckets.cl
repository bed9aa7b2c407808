// The part of a CPU's radix sort that happens in cache: one worker sorts a few thousand records by itself.
//
// Defines besides those of radix_sort_records.clh: LOCAL_PASSES, the number of digits, and
// LOCAL_DIGITS, how many values the widest has.
#include "primitives/radix_sort_records.clh"

#ifndef LOCAL_PASSES
#error "LOCAL_PASSES comes from the host"
#endif
#ifndef LOCAL_DIGITS
#error "LOCAL_DIGITS comes from the host"
#endif

// Sorts `count` records of `here` by LOCAL_PASSES digits of `digit_bits` <= 8 bits from first_bit (the last may be
// narrower, up to last_bit), using `there`; returns the array that holds the result.
INLINED __global RECORD* sort_records(__global RECORD* here, __global RECORD* there, uint count, uint first_bit,
                                      uint digit_bits, uint last_bit) {
  uint next[LOCAL_PASSES][LOCAL_DIGITS];
  uint masks[LOCAL_PASSES], shifts[LOCAL_PASSES];
  for (uint pass = 0; pass < LOCAL_PASSES; pass++) {
    shifts[pass] = first_bit + pass * digit_bits;
    masks[pass] = (1u << min(digit_bits, last_bit - shifts[pass])) - 1;
    for (uint digit = 0; digit <= masks[pass]; digit++) next[pass][digit] = 0;
  }
  for (uint i = 0; i < count; i++) {
    const KEY key = RECORD_KEY(here[i]);
#pragma unroll
    for (uint pass = 0; pass < LOCAL_PASSES; pass++) next[pass][DIGIT(key, shifts[pass], masks[pass])]++;
  }
  for (uint pass = 0; pass < LOCAL_PASSES; pass++) {
    uint* place = next[pass];
    const uint shift = shifts[pass], mask = masks[pass];
    if (place[DIGIT(RECORD_KEY(here[0]), shift, mask)] == count) continue;  // the keys agree
    uint sum = 0;
    for (uint digit = 0; digit <= mask; digit++) {
      const uint items = place[digit];
      place[digit] = sum;
      sum += items;
    }
    for (uint i = 0; i < count; i++) {
      const RECORD record = here[i];
      there[place[DIGIT(RECORD_KEY(record), shift, mask)]++] = record;
    }
    __global RECORD* sorted = there;
    there = here;
    here = sorted;
  }
  return here;
}

// Bucket b is records[starts[b]] up to records[starts[b + 1]], none longer than `capacity`; sorted, it goes to the same
// places of keys and values. Each worker has `capacity` records of `scratch`, small enough to stay in its cache: one
// scratch as large as the records costs 15%.
WORKER_KERNEL void radix_sort_buckets(volatile __global uint* taken, uint counter, uint buckets,
                                      __global RECORD* records, const __global OFFSET* starts, __global RECORD* scratch,
                                      ulong capacity, uint first_bit, uint digit_bits, uint last_bit,
                                      __global STORED* keys, __global VALUE* values) {
  __global RECORD* own = scratch + (size_t)get_group_id(0) * capacity;
  FOR_EACH_RANGE(bucket, taken + counter, buckets) {
    const OFFSET begin = starts[bucket];
    const ulong count = starts[bucket + 1] - begin;
    if (count == 0 || count > capacity) continue;
    const __global RECORD* sorted = records + begin;
    if (count > 1) sorted = sort_records(records + begin, own, (uint)count, first_bit, digit_bits, last_bit);
    for (uint i = 0; i < (uint)count; i++) store_record(keys, values, begin + i, sorted[i]);
  }
}

// A whole small array, by one worker: `scratch` holds all records twice.
// `from_keys`, `from_values`: the items before the sort, which may be in `keys` and `values`.
WORKER_KERNEL void radix_sort_small(const __global STORED* from_keys, const __global VALUE* from_values,
                                    __global STORED* keys, __global VALUE* values, uint count, __global RECORD* scratch,
                                    uint first_bit, uint digit_bits, uint last_bit) {
  if (get_group_id(0) != 0 || count == 0) return;
  for (uint i = 0; i < count; i++) scratch[i] = load_record(from_keys, from_values, i);
  const __global RECORD* sorted = sort_records(scratch, scratch + count, count, first_bit, digit_bits, last_bit);
  for (uint i = 0; i < count; i++) store_record(keys, values, i, sorted[i]);
}
