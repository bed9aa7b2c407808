// Giraud and Varre's BUCKET SCORE DISTRIBUTION: all words of a slice of columns are enumerated and counted by the
// bucket of their score (bucket_words_*), and distributions of neighbouring slices are merged by pairs (bucket_merge).
//
// columns[i * 4 + letter]: what the letter adds to a word's score, in units of 2^-fraction buckets; IMPOSSIBLE or more
// where it does not occur. A slice has at least LOW columns. The words of the last LOW columns are unrolled, with sums
// of two columns in registers; those of the columns before are visited in the order of a Gray code in base 4, in which
// each word differs from the last in one letter: word k has letters k_i - k_(i+1) mod 4, so from k to k + 1 only the
// letter behind the trailing threes of k goes up by one.
#include "common/items.clh"

#ifndef LOW
#error "LOW comes from the host"
#endif
#define LOW_WORDS 16
#ifndef SERIALISED
#define SERIALISED 0
#endif

// The letter that changes after word k.
static inline uint changing_letter(ulong k) {
  const ulong below_three = ~(k & (k >> 1)) & 0x5555555555555555UL;
  return (uint)popcount((below_three & (0UL - below_three)) - 1) / 2;
}

// k's letters, two bits each: every letter minus the next one.
static inline ulong gray_word(ulong k) {
  ulong word = 0;
  for (uint at = 0; at < 64; at += 2) {
    const ulong next = at < 62 ? k >> (at + 2) : 0;
    word |= (((k >> at) - next) & 3) << at;
  }
  return word;
}

// The unrolled columns' scores: of columns 0, 1 and 2, 3.
static inline void pair_sums(__global const uint* columns, uint* sums) {
  for (uint i = 0; i < LOW_WORDS; i++) sums[i] = columns[i & 3] + columns[4 + (i >> 2)];
}

static inline uint word_score(__global const uint* columns, uint length, ulong word) {
  uint sum = 0;
  for (uint i = 0; i < length; i++) sum += columns[i * 4 + (uint)(word >> (2 * i) & 3)];
  return sum;
}

#ifndef ONLY_CPU
// counts[b]: two 32-bit halves of a 64-bit number, low first (OpenCL 1.2 promises no 64-bit atomics); 0 at the start.
// Each item has `share` words of the columns before the unrolled ones; a group counts fewer than 2^32 words. `table`:
// `buckets` counts, and one for impossible words.
//
// With SERIALISED the items of a group do not increment at the same time, as on devices without atomic operations of
// local memory: each leaves its bucket, and one item counts all of them.
#if SERIALISED
#define COUNT(bucket)                                                            \
  {                                                                              \
    pending[item] = (bucket);                                                    \
    barrier(CLK_LOCAL_MEM_FENCE);                                                \
    if (item == 0)                                                               \
      for (uint other = 0; other < GROUP_SIZE; other++) table[pending[other]]++; \
    barrier(CLK_LOCAL_MEM_FENCE);                                                \
  }
#else
#define COUNT(bucket) atomic_inc(&table[bucket])
#endif
GROUP_KERNEL void bucket_words_gpu(__global const uint* columns, uint length, uint buckets, uint fraction, ulong share,
                                   __local uint* table_memory, volatile __global uint* counts) {
  volatile __local uint* table = table_memory;
#if SERIALISED
  __local uint pending[GROUP_SIZE];
#endif
  const uint item = get_local_id(0);
  for (uint b = item; b <= buckets; b += GROUP_SIZE) table[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  __global const uint* upper = columns + LOW * 4;
  const uint upper_length = length - LOW;
  uint first_pair[LOW_WORDS], second_pair[LOW_WORDS];
  pair_sums(columns, first_pair);
  pair_sums(columns + 8, second_pair);
  const ulong words = 1UL << (2 * upper_length);
  const ulong first = min(words, get_global_id(0) * share), last = min(words, first + share);
  ulong word = gray_word(first);
  uint sum = word_score(upper, upper_length, word);
#if SERIALISED
  // All items of a group make the same number of steps; steps beyond an item's share take an impossible word.
  for (ulong k = first, step = 0; step < share; k++, step++) {
    for (uint i = 0; i < LOW_WORDS; i++)
      for (uint j = 0; j < LOW_WORDS; j++) {
        const uint bucket = k < last ? min((sum + second_pair[i] + first_pair[j]) >> fraction, buckets) : buckets;
        COUNT(bucket)
      }
#else
  for (ulong k = first; k < last; k++) {
#pragma unroll
    for (uint i = 0; i < LOW_WORDS; i++) {
      const uint with_pair = sum + second_pair[i];
#pragma unroll
      for (uint j = 0; j < LOW_WORDS; j++) COUNT(min((with_pair + first_pair[j]) >> fraction, buckets));
    }
#endif
    const uint letter = changing_letter(k), at = 2 * letter;
    const uint before = (uint)(word >> at) & 3, after = (before + 1) & 3;
    word = (word & ~(3UL << at)) | (ulong)after << at;
    if (letter < upper_length) sum += upper[letter * 4 + after] - upper[letter * 4 + before];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint b = item; b < buckets; b += GROUP_SIZE) {
    const uint number = table[b];
    if (number != 0) {
      const uint before = atomic_add(&counts[b * 2], number);
      if (before + number < before) atomic_inc(&counts[b * 2 + 1]);
    }
  }
}
#endif

#ifndef ONLY_GPU
// Worker w counts its share of the words, fewer than 2^32, in tables[w * (buckets + 1)].
WORKER_KERNEL void bucket_words_cpu(__global const uint* columns, uint length, uint buckets, uint fraction,
                                    __global uint* tables, ulong share) {
  __global uint* table = tables + get_group_id(0) * (ulong)(buckets + 1);
  for (uint b = 0; b <= buckets; b++) table[b] = 0;
  __global const uint* upper = columns + LOW * 4;
  const uint upper_length = length - LOW;
  uint first_pair[LOW_WORDS], second_pair[LOW_WORDS];
  pair_sums(columns, first_pair);
  pair_sums(columns + 8, second_pair);
  const ulong words = 1UL << (2 * upper_length);
  const ulong first = WORKER_FIRST(words, share), last = WORKER_LAST(words, share);
  ulong word = gray_word(first);
  uint sum = word_score(upper, upper_length, word);
  for (ulong k = first; k < last; k++) {
    for (uint i = 0; i < LOW_WORDS; i++) {
      const uint with_pair = sum + second_pair[i];
      uint bucket[LOW_WORDS];
      for (uint j = 0; j < LOW_WORDS; j++) bucket[j] = min((with_pair + first_pair[j]) >> fraction, buckets);
      for (uint j = 0; j < LOW_WORDS; j++) table[bucket[j]]++;
    }
    const uint letter = changing_letter(k), at = 2 * letter;
    const uint before = (uint)(word >> at) & 3, after = (before + 1) & 3;
    word = (word & ~(3UL << at)) | (ulong)after << at;
    if (letter < upper_length) sum += upper[letter * 4 + after] - upper[letter * 4 + before];
  }
}

// counts[b]: of all workers' tables.
WORKER_KERNEL void bucket_add_tables_cpu(__global const uint* tables, uint workers, uint buckets,
                                         __global ulong* counts, ulong share) {
  const ulong last = WORKER_LAST(buckets, share);
  for (ulong b = WORKER_FIRST(buckets, share); b < last; b++) {
    ulong sum = 0;
    for (uint w = 0; w < workers; w++) sum += tables[w * (ulong)(buckets + 1) + b];
    counts[b] = sum;
  }
}
#endif
