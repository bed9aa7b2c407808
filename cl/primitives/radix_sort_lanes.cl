// The passes of a CPU's radix sort over the whole array: each worker counts the digits of its range, one item sums the
// counts up, each worker moves its range. The items alternate between two arrays (keys, values) and one of records.
//
// Output that does not stay in the cache is written a line at a time past it: a line for each digit is gathered in the
// worker's own memory first. That is worth a third for large arrays, and costs as much for those that the cache holds,
// so the host decides (`stream`).
#include "primitives/radix_sort_records.clh"

// Four histograms, taken in turn: a counter's next increment waits for its last one to be stored.
#define WAYS 4
#define ARRAY_KEY(i) keys[i]
#define RECORDS_KEY(i) RECORD_KEY(records[i])

#define COUNT_DIGITS(key_at)                                                        \
  const OFFSET begin = RANGE_BEGIN(count, ranges, range);                           \
  const OFFSET end = RANGE_END(count, ranges, range);                               \
  const KEY reference = key_at(0);                                                  \
  OFFSET histograms[WAYS][MAX_DIGITS];                                              \
  KEY different[WAYS];                                                              \
  for (uint way = 0; way < WAYS; way++) {                                           \
    different[way] = 0;                                                             \
    for (uint digit = 0; digit <= mask; digit++) histograms[way][digit] = 0;        \
  }                                                                                 \
  OFFSET i = begin;                                                                 \
  for (; i + WAYS <= end; i += WAYS) {                                              \
    _Pragma("unroll") for (uint way = 0; way < WAYS; way++) {                       \
      const KEY key = key_at(i + way);                                              \
      histograms[way][DIGIT(key, shift, mask)]++;                                   \
      different[way] |= key ^ reference;                                            \
    }                                                                               \
  }                                                                                 \
  for (; i < end; i++) {                                                            \
    histograms[0][DIGIT(key_at(i), shift, mask)]++;                                 \
    different[0] |= key_at(i) ^ reference;                                          \
  }                                                                                 \
  __global OFFSET* own = counts + (size_t)range * (mask + 1);                       \
  for (uint digit = 0; digit <= mask; digit++)                                      \
    own[digit] = histograms[0][digit] + histograms[1][digit] + histograms[2][digit] + histograms[3][digit];

// counts[range][digit] for digit (key >> shift) & mask; survey[1 + range]: the bits in which the keys of the range
// differ from the first key of all.
WORKER_KERNEL void radix_count_keys(volatile __global uint* taken, uint counter, uint ranges, OFFSET count,
                                    uint shift, uint mask,
                                    const __global KEY* keys, __global OFFSET* counts, __global ulong* survey) {
  if (count == 0) return;
  FOR_EACH_RANGE(range, taken + counter, ranges) {
    COUNT_DIGITS(ARRAY_KEY)
    survey[1 + range] = different[0] | different[1] | different[2] | different[3];
  }
}

WORKER_KERNEL void radix_count_records(volatile __global uint* taken, uint counter, uint ranges, OFFSET count,
                                       uint shift, uint mask,
                                       const __global RECORD* records, __global OFFSET* counts) {
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
// Items [begin, end) of the arrays, a line of records at a time; `next` and `first` are each digit's first place.
INLINED void stream_to_records(const __global KEY* keys, const __global uint* values, OFFSET begin, OFFSET end,
                                     uint shift, uint mask, const __global OFFSET* first, OFFSET* next,
                                     __global RECORD* records) {
  RECORD lines[MAX_DIGITS * LINE_RECORDS] __attribute__((aligned(64)));
  for (OFFSET i = begin; i < end; i++) {
    const RECORD record = load_record(keys, values, i);
    const uint digit = DIGIT(RECORD_KEY(record), shift, mask);
    const OFFSET place = next[digit];
    next[digit] = place + 1;
    RECORD* line = lines + digit * LINE_RECORDS;
    line[place % LINE_RECORDS] = record;
    if (place % LINE_RECORDS == LINE_RECORDS - 1) {
      const OFFSET line_begin = place - (LINE_RECORDS - 1);
      if (line_begin >= first[digit])
        stream_line(records + line_begin, line);
      else  // The line's first records are another digit's or range's.
        for (OFFSET to = first[digit]; to <= place; to++) records[to] = line[to % LINE_RECORDS];
    }
  }
  for (uint digit = 0; digit <= mask; digit++)
    for (OFFSET to = max(first[digit], next[digit] / LINE_RECORDS * LINE_RECORDS); to < next[digit]; to++)
      records[to] = lines[digit * LINE_RECORDS + to % LINE_RECORDS];
}
#endif

// From two arrays to one of records.
WORKER_KERNEL void radix_scatter_to_records(volatile __global uint* taken, uint counter, uint ranges, OFFSET count,
                                            uint shift,
                                            uint mask, uint stream, const __global KEY* keys,
                                            const __global uint* values, const __global OFFSET* counts,
                                            __global RECORD* records) {
  FOR_EACH_RANGE(range, taken + counter, ranges) {
    const OFFSET begin = RANGE_BEGIN(count, ranges, range), end = RANGE_END(count, ranges, range);
    const __global OFFSET* first = counts + (size_t)range * (mask + 1);
    OFFSET next[MAX_DIGITS];
    for (uint digit = 0; digit <= mask; digit++) next[digit] = first[digit];
#if CAN_STREAM
    if (stream) {
      stream_to_records(keys, values, begin, end, shift, mask, first, next, records);
      continue;
    }
#endif
    for (OFFSET i = begin; i < end; i++) {
      const RECORD record = load_record(keys, values, i);
      records[next[DIGIT(RECORD_KEY(record), shift, mask)]++] = record;
    }
  }
}

#if CAN_STREAM
// Lines are of 16 items here: one line of values and, with 64-bit keys, two of keys.
#define ARRAY_LINE 16
INLINED void stream_to_arrays(const __global RECORD* records, OFFSET begin, OFFSET end, uint shift, uint mask,
                                    const __global OFFSET* first, OFFSET* next, __global KEY* keys,
                                    __global uint* values) {
  KEY key_lines[MAX_DIGITS * ARRAY_LINE] __attribute__((aligned(64)));
  uint value_lines[HAS_VALUES ? MAX_DIGITS * ARRAY_LINE : 16] __attribute__((aligned(64)));
  for (OFFSET i = begin; i < end; i++) {
    const RECORD record = records[i];
    const uint digit = DIGIT(RECORD_KEY(record), shift, mask);
    const OFFSET place = next[digit];
    next[digit] = place + 1;
    KEY* key_line = key_lines + digit * ARRAY_LINE;
    uint* value_line = value_lines + (HAS_VALUES ? digit * ARRAY_LINE : 0);
    key_line[place % ARRAY_LINE] = RECORD_KEY(record);
    if (HAS_VALUES) value_line[place % ARRAY_LINE] = RECORD_VALUE(record);
    if (place % ARRAY_LINE == ARRAY_LINE - 1) {
      const OFFSET line_begin = place - (ARRAY_LINE - 1);
      if (line_begin >= first[digit]) {
        for (uint part = 0; part < KEY_WORDS; part++)
          stream_line((__global uint*)(keys + line_begin) + part * 16, (const uint*)key_line + part * 16);
        if (HAS_VALUES) stream_line(values + line_begin, value_line);
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

// From records to two arrays.
WORKER_KERNEL void radix_scatter_to_arrays(volatile __global uint* taken, uint counter, uint ranges, OFFSET count,
                                           uint shift,
                                           uint mask, uint stream, const __global RECORD* records,
                                           const __global OFFSET* counts, __global KEY* keys, __global uint* values) {
  FOR_EACH_RANGE(range, taken + counter, ranges) {
    const OFFSET begin = RANGE_BEGIN(count, ranges, range), end = RANGE_END(count, ranges, range);
    const __global OFFSET* first = counts + (size_t)range * (mask + 1);
    OFFSET next[MAX_DIGITS];
    for (uint digit = 0; digit <= mask; digit++) next[digit] = first[digit];
#if CAN_STREAM
    // The caller's own buffer may lie anywhere.
    if (stream && ((size_t)keys | (HAS_VALUES ? (size_t)values : 0)) % 64 == 0) {
      stream_to_arrays(records, begin, end, shift, mask, first, next, keys, values);
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
                                const __global RECORD* records, __global KEY* keys, __global uint* values) {
  FOR_EACH_RANGE(range, taken + counter, ranges) {
    const OFFSET end = RANGE_END(count, ranges, range);
    for (OFFSET i = RANGE_BEGIN(count, ranges, range); i < end; i++) store_record(keys, values, i, records[i]);
  }
}
