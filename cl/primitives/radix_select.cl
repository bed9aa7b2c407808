// Radix selection: finds the k-th key digit by digit from the highest on, then writes the keys before it and those
// equal to it. For nth_element() also the keys after it.
//
// state[0]: the digits of the k-th key found so far; state[1]: its number, from 1 on, among the keys that have these
// digits. At the end they are the key and the number of keys equal to it that are among the first k.
//
// Defines: those of sort_keys.clh, COUNT_WORDS (2), HAS_VALUES (0, 1), VALUE (a type), ALL (1: also the keys after the
// k-th); with `gpu` kernels GROUP_SIZE.
#include "common/types.clh"
#include "primitives/sort_keys.clh"
#include "primitives/wide_count.clh"

#define BINS 2048
#define BLOCK 128  // keys that a `cpu` kernel looks at together

#if HAS_VALUES
CALLERS_ELEMENT(CallersValue, VALUE);
#define VALUE_PARAMETERS , __global const uchar *value_bytes, __global uchar *result_value_bytes
#define PUT(to, from)                    \
  {                                      \
    const ulong place = to;              \
    results[place] = keys[from];         \
    result_values[place] = values[from]; \
  }
#define VALUES                                                                     \
  __global const CallersValue* values = (__global const CallersValue*)value_bytes; \
  __global CallersValue* result_values = (__global CallersValue*)result_value_bytes;
#else
#define VALUE_PARAMETERS
#define PUT(to, from) results[to] = keys[from];
#define VALUES
#endif

#ifndef ONLY_GPU
// Counts the digits of the keys with the found higher digits. tables[worker * BINS]: the counts of a worker.
WORKER_KERNEL void select_count_cpu(__global const STORED* keys, ulong count, ulong share, uint shift, uint mask,
                                    ulong high, __global const ulong* state, __global uint* tables) {
  ulong at = WORKER_FIRST(count, share);
  const ulong last = WORKER_LAST(count, share);
  const KEY found = (KEY)state[0], found_bits = (KEY)high;
  tables += get_group_id(0) * (ulong)BINS;
  for (uint i = 0; i < BINS; i++) tables[i] = 0;
  if (high != 0)  // few keys have the digits
    for (; at + BLOCK <= last; at += BLOCK) {
      uint any = 0;
      for (uint i = 0; i < BLOCK; i++) any |= ((encode_key(keys[at + i]) ^ found) & found_bits) == 0;
      if (any == 0) continue;
      for (uint i = 0; i < BLOCK; i++) {
        const KEY key = encode_key(keys[at + i]);
        if (((key ^ found) & found_bits) == 0) tables[(uint)(key >> shift) & mask]++;
      }
    }
  for (; at < last; at++) {
    const KEY key = encode_key(keys[at]);
    if (((key ^ found) & found_bits) == 0) tables[(uint)(key >> shift) & mask]++;
  }
}

// One worker: finds the digit of the k-th key. Adds the keys with smaller digits to totals[2 * worker], and stores the
// number of those with the digit in the next: at the end the keys before the k-th one, and equal to it.
WORKER_KERNEL void select_digit_cpu(__global const uint* tables, uint number_of_tables, uint shift,
                                    __global ulong* state, __global ulong* totals) {
  ulong before = 0;
  const ulong left = state[1];
  for (uint digit = 0; digit < BINS; digit++) {
    ulong with_digit = 0;
    for (uint table = 0; table < number_of_tables; table++) with_digit += tables[table * (ulong)BINS + digit];
    if (before + with_digit >= left) {
      state[0] |= (ulong)digit << shift;
      state[1] = left - before;
      for (uint table = 0; table < number_of_tables; table++, tables += BINS) {
        ulong smaller = 0;
        for (uint i = 0; i < digit; i++) smaller += tables[i];
        totals[table * 2] += smaller;
        totals[table * 2 + 1] = tables[digit];
      }
      return;
    }
    before += with_digit;
  }
}

// Results: the keys before the k-th one, those equal to it, and with ALL those after it. `capacity`: number of results.
WORKER_KERNEL void select_write_cpu(__global const STORED* keys, ulong count, ulong share, ulong k, ulong capacity,
                                    __global const ulong* state, __global const ulong* totals,
                                    __global STORED* results VALUE_PARAMETERS) {
  VALUES
  ulong at = WORKER_FIRST(count, share);
  const ulong last = WORKER_LAST(count, share);
  const KEY kth = (KEY)state[0];
  const ulong first_equal = k - state[1];
  ulong before = 0, equal = 0;
  for (uint worker = 0; worker < get_group_id(0); worker++) {
    before += totals[worker * 2];
    equal += totals[worker * 2 + 1];
  }
#if ALL
  ulong all_equal = 0;
  for (uint worker = 0; worker < get_num_groups(0); worker++) all_equal += totals[worker * 2 + 1];
  // The keys before, equal to and after the k-th one.
  ulong to[3] = {before, first_equal + equal, first_equal + all_equal + at - before - equal};
  for (; at < last; at++) {
    const KEY key = encode_key(keys[at]);
    PUT(to[(key >= kth) + (key > kth)]++, at)  // without a branch
  }
#else
  ulong to_before = before, to_equal = first_equal + equal;
  while (at < last) {
    const ulong end = min(last, at + BLOCK);
    if (end == at + BLOCK) {
      uint any = 0;
      for (uint i = 0; i < BLOCK; i++) any |= encode_key(keys[at + i]) <= kth;
      if (any == 0) at = end;
    }
    for (; at < end; at++) {
      const KEY key = encode_key(keys[at]);
      if (key < kth) {
        PUT(to_before++, at)
      } else if (key == kth) {
        if (to_equal < capacity) PUT(to_equal, at)
        to_equal++;
      }
    }
  }
#endif
}
#endif

#ifndef ONLY_CPU
#define ROWS 8

// Group g adds the digits of chunk g, fewer than 2^32 keys, to `counts`.
GROUP_KERNEL void select_count_gpu(__global const STORED* keys, ulong count, ulong chunk, uint shift, uint mask,
                                   ulong high, __global const ulong* state, volatile __global uint* counts) {
  volatile __local uint table[BINS];
  const uint item = get_local_id(0);
  const ulong first = get_group_id(0) * chunk, last = min(count, first + chunk);
  const KEY found = (KEY)state[0], found_bits = (KEY)high;
  for (uint bin = item; bin < BINS; bin += GROUP_SIZE) table[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (ulong base = first + item; base < last; base += GROUP_SIZE * ROWS) {
    STORED stored[ROWS];
#pragma unroll
    for (uint row = 0; row < ROWS; row++) {
      const ulong at = base + row * GROUP_SIZE;
      stored[row] = at < last ? keys[at] : 0;
    }
#pragma unroll
    for (uint row = 0; row < ROWS; row++) {
      const KEY key = encode_key(stored[row]);
      if (base + row * GROUP_SIZE < last && ((key ^ found) & found_bits) == 0)
        atomic_inc(&table[(uint)(key >> shift) & mask]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint bin = item; bin < BINS; bin += GROUP_SIZE)
    if (table[bin] != 0) add_to_count(counts, bin, table[bin]);
}

// One group: finds the digit of the k-th key, and sets the counts to 0.
GROUP_KERNEL void select_digit_gpu(__global ulong* counts, uint shift, __global ulong* state) {
  __local ulong lanes[GROUP_SIZE];
  const uint item = get_local_id(0), bins = BINS / GROUP_SIZE;
  const ulong left = state[1], found = state[0];
  barrier(CLK_GLOBAL_MEM_FENCE);  // one item overwrites the state
  ulong own = 0;
  for (uint bin = item * bins; bin < (item + 1) * bins; bin++) own += counts[bin];
  ulong up_to = own;
  lanes[item] = own;
  for (uint distance = 1; distance < GROUP_SIZE; distance *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong other = item >= distance ? lanes[item - distance] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    up_to += other;
    lanes[item] = up_to;
  }
  ulong before = up_to - own;
  const bool has_kth = before < left && left <= up_to;
  for (uint bin = item * bins; bin < (item + 1) * bins; bin++) {
    const ulong with_digit = counts[bin];
    if (has_kth && before < left && left <= before + with_digit) {
      state[0] = found | (ulong)bin << shift;
      state[1] = left - before;
    }
    before += with_digit;
    counts[bin] = 0;
  }
}

// totals[2 * chunk], and the next: the numbers of keys before the k-th one, and equal to it.
GROUP_KERNEL void select_totals_gpu(__global const STORED* keys, ulong count, ulong chunk, __global const ulong* state,
                                    __global ulong* totals) {
  __local ulong2 lanes[GROUP_SIZE];
  const uint item = get_local_id(0);
  const ulong first = get_group_id(0) * chunk, last = min(count, first + chunk);
  const KEY kth = (KEY)state[0];
  ulong2 sums = (ulong2)(0, 0);
  for (ulong base = first + item; base < last; base += GROUP_SIZE * ROWS) {
#pragma unroll
    for (uint row = 0; row < ROWS; row++) {
      const ulong at = base + row * GROUP_SIZE;
      if (at < last) {
        const KEY key = encode_key(keys[at]);
        sums += (ulong2)(key < kth ? 1 : 0, key == kth ? 1 : 0);
      }
    }
  }
  lanes[item] = sums;
  for (uint half_size = GROUP_SIZE / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < half_size) lanes[item] += lanes[item + half_size];
  }
  if (item == 0) {
    totals[get_group_id(0) * 2] = lanes[0].x;
    totals[get_group_id(0) * 2 + 1] = lanes[0].y;
  }
}

// Results: the keys before the k-th one, those equal to it, and with ALL those after it. `capacity`: number of results.
GROUP_KERNEL void select_write_gpu(__global const STORED* keys, ulong count, ulong chunk, ulong k, ulong capacity,
                                   __global const ulong* state, __global const ulong* totals,
                                   __global STORED* results VALUE_PARAMETERS) {
  __local ulong4 sums[GROUP_SIZE];
  __local uint lanes[GROUP_SIZE];
  __local uint any;
  VALUES
  const uint item = get_local_id(0);
  const ulong first = get_group_id(0) * chunk, last = min(count, first + chunk), first_equal = k - state[1];
  const KEY kth = (KEY)state[0];
  // Keys before and equal in earlier chunks, and equal in all.
  sums[item] = (ulong4)(0, 0, 0, 0);
  for (uint other = item; other < get_num_groups(0); other += GROUP_SIZE) {
    const ulong before = totals[other * 2], equal = totals[other * 2 + 1];
    const bool earlier = other < get_group_id(0);
    sums[item] += (ulong4)(earlier ? before : 0, earlier ? equal : 0, equal, 0);
  }
  for (uint half_size = GROUP_SIZE / 2; half_size > 0; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < half_size) sums[item] += sums[item + half_size];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  ulong before = sums[0].x, equal = sums[0].y;
  const ulong first_after = first_equal + sums[0].z;

  for (ulong base = first; base < last; base += GROUP_SIZE * ROWS) {
    uint kinds[ROWS], mine = 0;
#pragma unroll
    for (uint row = 0; row < ROWS; row++) {
      const ulong at = base + row * GROUP_SIZE + item;
      const KEY key = at < last ? encode_key(keys[at]) : 0;
      kinds[row] = at >= last || key > kth ? 0 : key < kth ? 1 : 0x10000;
      mine |= kinds[row];
    }
    if (item == 0) any = ALL;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (mine != 0) any = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint rows = any != 0 ? ROWS : 0;
    for (uint row = 0; row < rows; row++) {
      const uint kind = kinds[row];
      uint up_to = kind;
      lanes[item] = kind;
      for (uint distance = 1; distance < GROUP_SIZE; distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint other = item >= distance ? lanes[item - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        up_to += other;
        lanes[item] = up_to;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint all = lanes[GROUP_SIZE - 1], in_front = up_to - kind;
      const ulong start = base + row * GROUP_SIZE, at = start + item;
      const ulong to_before = before + (in_front & 0xffff), to_equal = first_equal + equal + (in_front >> 16);
      if (kind == 1) {
        PUT(to_before, at)
      } else if (kind == 0x10000) {
        if (to_equal < capacity) PUT(to_equal, at)
      } else if (ALL && at < last) {
        PUT(first_after + at - to_before - (to_equal - first_equal), at)
      }
      before += all & 0xffff;
      equal += all >> 16;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
#endif
