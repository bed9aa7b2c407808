// The passes of a CPU's radix sort over the whole array: each worker counts the digits of its ranges, one item sums the
// counts up, each worker moves its ranges. The items alternate between two arrays (keys, values) and one of records.
//
// Output is written in whole lines past the cache: lines for each digit are gathered in memory of the worker's own
// first. Each item written straight to its place instead takes 2.5 times as long for 2^20 pairs, even though they fit
// in a cache.
//
// Defines besides those of radix_sort_records.clh: MAX_DIGITS (values of the widest digit), ARRAY_LINE (items gathered
// for a digit), GATHER_BYTES (what each worker gathers in).
#include "primitives/radix_sort_records.clh"

#ifndef MAX_DIGITS
#error "MAX_DIGITS comes from the host"
#endif
#ifndef ARRAY_LINE
#error "ARRAY_LINE comes from the host"
#endif
#ifndef GATHER_BYTES
#error "GATHER_BYTES comes from the host"
#endif

// Four histograms, taken in turn: a counter's next increment waits for its last one to be stored.
#define WAYS 4
#define ARRAY_KEY(i) encode_key(keys[i])
#define RECORDS_KEY(i) RECORD_KEY(records[i])

#define COUNT_DIGITS(key_at)                                                 \
  const OFFSET begin = RANGE_BEGIN(count, ranges, range);                    \
  const OFFSET end = RANGE_END(count, ranges, range);                        \
  const KEY reference = key_at(0);                                           \
  OFFSET histograms[WAYS][MAX_DIGITS];                                       \
  KEY different[WAYS];                                                       \
  for (uint way = 0; way < WAYS; way++) {                                    \
    different[way] = 0;                                                      \
    for (uint digit = 0; digit <= mask; digit++) histograms[way][digit] = 0; \
  }                                                                          \
  OFFSET i = begin;                                                          \
  for (; i + WAYS <= end; i += WAYS) {                                       \
    _Pragma("unroll") for (uint way = 0; way < WAYS; way++) {                \
      const KEY key = key_at(i + way);                                       \
      histograms[way][DIGIT(key, shift, mask)]++;                            \
      different[way] |= key ^ reference;                                     \
    }                                                                        \
  }                                                                          \
  for (; i < end; i++) {                                                     \
    histograms[0][DIGIT(key_at(i), shift, mask)]++;                          \
    different[0] |= key_at(i) ^ reference;                                   \
  }                                                                          \
  __global OFFSET* own = counts + (size_t)range * (mask + 1);                \
  for (uint digit = 0; digit <= mask; digit++)                               \
    own[digit] = histograms[0][digit] + histograms[1][digit] + histograms[2][digit] + histograms[3][digit];

// counts[range][digit] for digit (key >> shift) & mask; survey[1 + range]: the bits in which the keys of the range
// differ from the first key of all.
WORKER_KERNEL void radix_count_keys(volatile __global uint* taken, uint counter, uint ranges, OFFSET count, uint shift,
                                    uint mask, const __global STORED* keys, __global OFFSET* counts,
                                    __global ulong* survey) {
  if (count == 0) return;
  FOR_EACH_RANGE(range, taken + counter, ranges) {
    COUNT_DIGITS(ARRAY_KEY)
    survey[1 + range] = different[0] | different[1] | different[2] | different[3];
  }
}

WORKER_KERNEL void radix_count_records(volatile __global uint* taken, uint counter, uint ranges, OFFSET count,
                                       uint shift, uint mask, const __global RECORD* records, __global OFFSET* counts) {
  if (count == 0) return;
  FOR_EACH_RANGE(range, taken + counter, ranges) { COUNT_DIGITS(RECORDS_KEY) }
}

// One item: turns the counts into the first place of each range's items with each digit. starts[digit], and starts[mask
// + 1] = the number of all items; survey[0] is the most any digit has.
WORKER_KERNEL void radix_starts(__global OFFSET* counts, uint ranges, uint mask, __global OFFSET* starts,
                                __global ulong* survey) {
  if (get_group_id(0) != 0) return;
  OFFSET sum = 0, most = 0;
  for (uint digit = 0; digit <= mask; digit++) {
    starts[digit] = sum;
    for (uint range = 0; range < ranges; range++) {
      const size_t at = (size_t)range * (mask + 1) + digit;
      const OFFSET items = counts[at];
      counts[at] = sum;
      sum += items;
    }
    most = max(most, sum - starts[digit]);
  }
  starts[mask + 1] = sum;
  survey[0] = most;
}

#if CAN_STREAM
// Moves items [begin, end) of the arrays; `next` and `first` are each digit's first place, `gathered` has room for
// GATHERED records of each digit.
INLINED void stream_to_records(const __global STORED* keys, const __global VALUE* values, OFFSET begin, OFFSET end,
                               uint shift, uint mask, const __global OFFSET* first, OFFSET* next,
                               __global RECORD* gathered, __global RECORD* records) {
  for (OFFSET i = begin; i < end; i++) {
    const RECORD record = load_record(keys, values, i);
    const uint digit = DIGIT(RECORD_KEY(record), shift, mask);
    const OFFSET place = next[digit];
    next[digit] = place + 1;
    __global RECORD* own = gathered + digit * GATHERED;
    own[place % GATHERED] = record;
    if (place % GATHERED == GATHERED - 1) {
      const OFFSET gathered_first = place - (GATHERED - 1);
      if (gathered_first >= first[digit])
        stream_lines(records + gathered_first, own, GATHERED_BYTES);
      else  // The first places are another digit's or range's.
        for (OFFSET to = first[digit]; to <= place; to++) records[to] = own[to % GATHERED];
    }
  }
  for (uint digit = 0; digit <= mask; digit++)
    for (OFFSET to = max(first[digit], next[digit] / GATHERED * GATHERED); to < next[digit]; to++)
      records[to] = gathered[digit * GATHERED + to % GATHERED];
}

// The same from records to two arrays, in lines of ARRAY_LINE items: one line of keys or values of 32 bits, two of
// those of 64 bits.
INLINED void stream_to_arrays(const __global RECORD* records, OFFSET begin, OFFSET end, uint shift, uint mask,
                              const __global OFFSET* first, OFFSET* next, __global STORED* key_lines,
                              __global VALUE* value_lines, __global STORED* keys, __global VALUE* values) {
  for (OFFSET i = begin; i < end; i++) {
    const RECORD record = records[i];
    const uint digit = DIGIT(RECORD_KEY(record), shift, mask);
    const OFFSET place = next[digit];
    next[digit] = place + 1;
    __global STORED* key_line = key_lines + digit * ARRAY_LINE;
    __global VALUE* value_line = value_lines + digit * ARRAY_LINE;
    key_line[place % ARRAY_LINE] = decode_key(RECORD_KEY(record));
    if (HAS_VALUES) value_line[place % ARRAY_LINE] = RECORD_VALUE(record);
    if (place % ARRAY_LINE == ARRAY_LINE - 1) {
      const OFFSET line_begin = place - (ARRAY_LINE - 1);
      if (line_begin >= first[digit]) {
        stream_lines(keys + line_begin, key_line, ARRAY_LINE * sizeof(STORED));
        if (HAS_VALUES) stream_lines(values + line_begin, value_line, ARRAY_LINE * sizeof(VALUE));
      } else {
        for (OFFSET to = first[digit]; to <= place; to++) {
          keys[to] = key_line[to % ARRAY_LINE];
          if (HAS_VALUES) values[to] = value_line[to % ARRAY_LINE];
        }
      }
    }
  }
  for (uint digit = 0; digit <= mask; digit++)
    for (OFFSET to = max(first[digit], next[digit] / ARRAY_LINE * ARRAY_LINE); to < next[digit]; to++) {
      keys[to] = key_lines[digit * ARRAY_LINE + to % ARRAY_LINE];
      if (HAS_VALUES) values[to] = value_lines[digit * ARRAY_LINE + to % ARRAY_LINE];
    }
}
#endif

// Each worker gathers in GATHER_BYTES: MAX_DIGITS lines of ARRAY_LINE keys and as many of values, which is also enough
// for records. They lie in global memory, since they would be too much for some threads' stacks.

// From two arrays to one of records.
WORKER_KERNEL void radix_scatter_to_records(volatile __global uint* taken, uint counter, uint ranges, OFFSET count,
                                            uint shift, uint mask, const __global STORED* keys,
                                            const __global VALUE* values, const __global OFFSET* counts,
                                            __global uchar* gather, __global RECORD* records) {
  FOR_EACH_RANGE(range, taken + counter, ranges) {
    const OFFSET begin = RANGE_BEGIN(count, ranges, range), end = RANGE_END(count, ranges, range);
    const __global OFFSET* first = counts + (size_t)range * (mask + 1);
    OFFSET next[MAX_DIGITS];
    for (uint digit = 0; digit <= mask; digit++) next[digit] = first[digit];
#if CAN_STREAM
    __global RECORD* gathered = (__global RECORD*)(gather + (size_t)get_group_id(0) * GATHER_BYTES);
    stream_to_records(keys, values, begin, end, shift, mask, first, next, gathered, records);
#else
    for (OFFSET i = begin; i < end; i++) {
      const RECORD record = load_record(keys, values, i);
      records[next[DIGIT(RECORD_KEY(record), shift, mask)]++] = record;
    }
#endif
  }
}

// From records to two arrays.
WORKER_KERNEL void radix_scatter_to_arrays(volatile __global uint* taken, uint counter, uint ranges, OFFSET count,
                                           uint shift, uint mask, const __global RECORD* records,
                                           const __global OFFSET* counts, __global uchar* gather, __global STORED* keys,
                                           __global VALUE* values) {
  FOR_EACH_RANGE(range, taken + counter, ranges) {
    const OFFSET begin = RANGE_BEGIN(count, ranges, range), end = RANGE_END(count, ranges, range);
    const __global OFFSET* first = counts + (size_t)range * (mask + 1);
    OFFSET next[MAX_DIGITS];
    for (uint digit = 0; digit <= mask; digit++) next[digit] = first[digit];
#if CAN_STREAM
    // The caller's buffer may have any alignment. Lines of keys below 32 bits would be shorter than a line of cache.
    if (KEY_BITS >= 32 && ((size_t)keys | (HAS_VALUES ? (size_t)values : 0)) % 64 == 0) {
      __global STORED* key_lines = (__global STORED*)(gather + (size_t)get_group_id(0) * GATHER_BYTES);
      __global VALUE* value_lines = (__global VALUE*)(key_lines + MAX_DIGITS * ARRAY_LINE);
      stream_to_arrays(records, begin, end, shift, mask, first, next, key_lines, value_lines, keys, values);
      continue;
    }
#endif
    for (OFFSET i = begin; i < end; i++) {
      const RECORD record = records[i];
      store_record(keys, values, next[DIGIT(RECORD_KEY(record), shift, mask)]++, record);
    }
  }
}

// Records back into the two arrays, as they are.
WORKER_KERNEL void radix_unpack(volatile __global uint* taken, uint counter, uint ranges, OFFSET count,
                                const __global RECORD* records, __global STORED* keys, __global VALUE* values) {
  FOR_EACH_RANGE(range, taken + counter, ranges) {
    const OFFSET end = RANGE_END(count, ranges, range);
    for (OFFSET i = RANGE_BEGIN(count, ranges, range); i < end; i++) store_record(keys, values, i, records[i]);
  }
}
