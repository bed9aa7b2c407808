// The first k keys of each worker's share on a CPU, for k far below the share: most keys are compared with a limit and
// dropped. Radix selection (radix_select.cl) then selects among those of all workers.
//
// Defines: those of sort_keys.clh, HAS_VALUES (0, 1), VALUE (a type).
#include "common/types.clh"
#include "primitives/sort_keys.clh"

#define BINS 2048
#define DIGIT_BITS 11
#define BLOCK 128  // keys compared together
#define PART 16    // keys of a block compared together if the block has one to keep

#if KEY_BITS == 64
#define HIGH_WORD(key) (uint)((key) >> 32)
#define limit_of(word) ((KEY)(word) << 32 | UINT_MAX)
#else
#define HIGH_WORD(key) (key)
#define limit_of(word) min((KEY)(word), KEY_ALL)
#endif

#if HAS_VALUES
CALLERS_ELEMENT(CallersValue, VALUE);
#define VALUE_PARAMETERS , __global const uchar *value_bytes, __global VALUE *buffer_values, __global VALUE *kept_values
#define VALUE_BUFFER , __global VALUE* buffer_values
#define PASS_VALUE_BUFFER , buffer_values
#define IF_VALUES(statement) statement
#else
#define VALUE_PARAMETERS
#define VALUE_BUFFER
#define PASS_VALUE_BUFFER
#define IF_VALUES(statement)
#endif

// The k-th of `number` keys, and in `left` the number of keys equal to it that are among the first k.
INLINED KEY kth_key(__global const STORED* keys, uint number, uint k, __global uint* table, uint* left) {
  KEY found = 0, found_bits = 0;
  *left = k;
  for (uint top = KEY_BITS; top > 0;) {
    const uint shift = top > DIGIT_BITS ? top - DIGIT_BITS : 0, mask = (1u << (top - shift)) - 1;
    for (uint i = 0; i < BINS; i++) table[i] = 0;
    for (uint i = 0; i < number; i++) {
      const KEY key = encode_key(keys[i]);
      if (((key ^ found) & found_bits) == 0) table[(uint)(key >> shift) & mask]++;
    }
    uint digit = 0;
    for (; digit < BINS - 1 && table[digit] < *left; digit++) *left -= table[digit];
    found |= (KEY)digit << shift;
    found_bits |= (KEY)mask << shift;
    top = shift;
  }
  return found;
}

// Keeps the first k of `number` >= k keys of a buffer, in their order. Returns the last of them by value.
INLINED KEY keep_first(__global STORED* keys, uint number, uint k, __global uint* table VALUE_BUFFER) {
  uint left, to = 0;
  const KEY limit = kth_key(keys, number, k, table, &left);
  for (uint i = 0; i < number; i++) {  // without a branch
    const STORED stored = keys[i];
    IF_VALUES(const VALUE value = buffer_values[i];)
    const KEY key = encode_key(stored);
    const bool is_equal = key == limit && left > 0;
    left -= is_equal;
    keys[to] = stored;
    IF_VALUES(buffer_values[to] = value;)
    to += key < limit || is_equal;
  }
  return limit;
}

// Worker w writes k keys to kept[w * k] and on, the last one perhaps fewer: its first ones, in the order of the input;
// of equal keys the earlier ones. If other workers have k keys that are smaller than some of these, the largest key may
// stand for them. `buffers`: `capacity` >= 2 * k keys of each worker, at most an eighth of its share. `tables`: a table
// of BINS of each worker. `shared`: the high 32 bits of the smallest limit that a worker found, at first all 1.
WORKER_KERNEL void top_k_filter_cpu(__global const STORED* keys, ulong count, ulong share, uint k, uint capacity,
                                    __global STORED* buffers, __global uint* tables, volatile __global uint* shared,
                                    __global STORED* kept VALUE_PARAMETERS) {
  IF_VALUES(__global const CallersValue* values = (__global const CallersValue*)value_bytes;)
  IF_VALUES(buffer_values += get_group_id(0) * (ulong)capacity;)
  IF_VALUES(kept_values += get_group_id(0) * (ulong)k;)
  __global STORED* buffer = buffers + get_group_id(0) * (ulong)capacity;
  __global uint* table = tables + get_group_id(0) * (ulong)BINS;
  kept += get_group_id(0) * (ulong)k;
  ulong at = WORKER_FIRST(count, share);
  const ulong last = WORKER_LAST(count, share);
  const uint all = (uint)min((ulong)k, last - at);
  const KEY others = limit_of(shared[0]);
  KEY limit = others;  // larger keys are dropped
  uint number = 0, left;
  if (others == KEY_ALL && last - at >= capacity) {  // the k-th of a sample is a first limit, also for sorted keys
    const ulong step = (last - at) / capacity;
    for (uint i = 0; i < capacity; i++) buffer[i] = keys[at + i * step];
    limit = kth_key(buffer, capacity, k, table, &left);
  }
  while (at < last) {
    if (number + BLOCK > capacity) {
      const KEY own = keep_first(buffer, number, k, table PASS_VALUE_BUFFER);
      number = k;
      atomic_min(shared, HIGH_WORD(own));
      // Later keys that are equal to the k-th are not among the first k.
      if (own == 0) break;
      limit = min(limit, own - 1);
    }
    const ulong end = min(last, at + BLOCK);
    if (end == at + BLOCK) {
      uint any = 0;
      for (uint i = 0; i < BLOCK; i++) any |= encode_key(keys[at + i]) <= limit;
      if (any == 0) at = end;
    }
    while (at < end) {
      const uint part = (uint)min(end - at, (ulong)PART);
      uint any = part < PART;
      if (part == PART)
        for (uint i = 0; i < PART; i++) any |= encode_key(keys[at + i]) <= limit;
      for (uint i = 0; any != 0 && i < part; i++) {  // without a branch on keys
        const STORED stored = keys[at + i];
        buffer[number] = stored;
        IF_VALUES(buffer_values[number] = values[at + i];)
        number += encode_key(stored) <= limit;
      }
      at += part;
    }
  }
  if (number > k) {
    atomic_min(shared, HIGH_WORD(keep_first(buffer, number, k, table PASS_VALUE_BUFFER)));
    number = k;
  }
  for (uint i = 0; i < number; i++) {
    kept[i] = buffer[i];
    IF_VALUES(kept_values[i] = buffer_values[i];)
  }
  for (uint i = number; i < all; i++) kept[i] = decode_key(KEY_ALL);
}
