// The k-th of a few keys, the keys before it and those equal to it, in one launch: by one worker, or by one group
// whose items have neighbouring keys. For nth_element() also the keys after it; results may be the input then.
//
// The digits of the k-th key are found from the highest on, as in radix_select.cl.
//
// Defines: those of sort_keys.clh, HAS_VALUES (0, 1), VALUE (a type), ALL (1: also the keys after the k-th), LIMIT (the
// largest number of keys); with `gpu` kernels GROUP_SIZE, which divides LIMIT.
#include "common/types.clh"
#include "primitives/sort_keys.clh"

#ifndef ALL
#error "ALL comes from the host"
#endif
#ifndef LIMIT
#error "LIMIT comes from the host"
#endif
#define DIGITS 256

#if HAS_VALUES
CALLERS_ELEMENT(CallersValue, VALUE);
#define VALUE_PARAMETERS , __global const uchar *value_bytes, __global uchar *result_value_bytes
#define IF_VALUES(statement) statement
#else
#define VALUE_PARAMETERS
#define IF_VALUES(statement)
#endif
#define VALUES                                                                               \
  IF_VALUES(__global const CallersValue* values = (__global const CallersValue*)value_bytes; \
            __global CallersValue* result_values = (__global CallersValue*)result_value_bytes;)

// Whether a key has the digits of `kth` above the digit at `shift`.
#define HAS_DIGITS(key, kth, shift) (((key) ^ (kth)) >> (shift) >> 8 == 0)
#define DIGIT_AT(key, shift) ((uint)((key) >> (shift)) & (DIGITS - 1))

// Writes a key to its place: before, among or after those that equal the k-th.
#define PUT_KEY(i)                                                                  \
  {                                                                                 \
    const uint place = own[i] < kth ? before++ : own[i] == kth ? equal++ : after++; \
    if (ALL || (own[i] <= kth && place < k)) {                                      \
      results[place] = decode_key(own[i]);                                          \
      IF_VALUES(result_values[place] = own_values[i];)                              \
    }                                                                               \
  }

#ifndef ONLY_GPU
WORKER_KERNEL void select_small_cpu(__global const STORED* keys, uint count, uint k,
                                    __global STORED* results VALUE_PARAMETERS) {
  VALUES
  KEY own[LIMIT];
  IF_VALUES(VALUE own_values[LIMIT];)
  for (uint i = 0; i < count; i++) {
    own[i] = encode_key(keys[i]);
    IF_VALUES(own_values[i] = values[i];)
  }
  KEY kth = 0;
  uint left = k, all_equal = 0;
  for (uint shift = KEY_BITS; shift > 0;) {
    shift -= 8;
    uint bins[DIGITS], digit = 0;
    for (uint i = 0; i < DIGITS; i++) bins[i] = 0;
    for (uint i = 0; i < count; i++)
      if (HAS_DIGITS(own[i], kth, shift)) bins[DIGIT_AT(own[i], shift)]++;
    for (; digit < DIGITS - 1 && bins[digit] < left; digit++) left -= bins[digit];
    kth |= (KEY)digit << shift;
    all_equal = bins[digit];
  }
  uint before = 0, equal = k - left, after = k - left + all_equal;
  for (uint i = 0; i < count; i++) {
    PUT_KEY(i)
  }
}
#endif

#ifndef ONLY_CPU
#include "primitives/group_sum.clh"
#define ITEMS (LIMIT / GROUP_SIZE)

GROUP_KERNEL void select_small_gpu(__global const STORED* keys, uint count, uint k,
                                   __global STORED* results VALUE_PARAMETERS) {
  VALUES
  __local uint bins[DIGITS], sums[GROUP_SIZE];
  __local uint found[3];  // the digit, the number of keys before it, the number of keys that have it
  const uint item = get_local_id(0);
  KEY own[ITEMS];
  IF_VALUES(VALUE own_values[ITEMS];)
#pragma unroll
  for (uint i = 0; i < ITEMS; i++) {
    const uint at = item * ITEMS + i;
    own[i] = at < count ? encode_key(keys[at]) : 0;
    IF_VALUES(own_values[i] = values[at < count ? at : 0];)
  }
  const uint number = min((uint)ITEMS, count - min(count, item * ITEMS));
  KEY kth = 0;
  uint left = k, all;
  for (uint shift = KEY_BITS; shift > 0;) {
    shift -= 8;
    for (uint bin = item; bin < DIGITS; bin += GROUP_SIZE) bins[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint i = 0; i < ITEMS; i++)
      if (i < number && HAS_DIGITS(own[i], kth, shift)) atomic_inc(&bins[DIGIT_AT(own[i], shift)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    // Each item has neighbouring digits.
    const uint share = (DIGITS + GROUP_SIZE - 1) / GROUP_SIZE, first = min((uint)DIGITS, item * share);
    const uint last = min((uint)DIGITS, first + share);
    uint sum = 0;
    for (uint digit = first; digit < last; digit++) sum += bins[digit];
    uint before = sum_before(sum, item, sums, &all);
    for (uint digit = first; digit < last; digit++) {
      if (before < left && left <= before + bins[digit]) {
        found[0] = digit;
        found[1] = before;
        found[2] = bins[digit];
      }
      before += bins[digit];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    kth |= (KEY)found[0] << shift;
    left -= found[1];
  }
  const uint all_equal = found[2];
  // Both numbers are below 2^16.
  uint places = 0;
#pragma unroll
  for (uint i = 0; i < ITEMS; i++)
    if (i < number) places += own[i] < kth ? 1u : own[i] == kth ? 1u << 16 : 0u;
  places = sum_before(places, item, sums, &all);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);  // results may be the input
  uint before = places & 0xffff, equal = places >> 16, after = min(count, item * ITEMS) - before - equal;
  equal += k - left;
  after += k - left + all_equal;
#pragma unroll
  for (uint i = 0; i < ITEMS; i++) {
    if (i < number) PUT_KEY(i)
  }
}
#endif
