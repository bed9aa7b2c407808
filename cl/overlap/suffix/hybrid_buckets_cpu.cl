// Sorts the suffixes of a text of 2 bits a symbol by their first 16 symbols: into buckets by five of them, then within
// each bucket, in cache, by the others. Refines the remaining groups in the same pass. Keys are made from two words of
// the text on use.
#include "overlap/suffix/hybrid_refine_cpu.clh"

#ifndef BUCKET_BITS
#error "BUCKET_BITS comes from the host"
#endif
#define BUCKETS (1u << BUCKET_BITS)
#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)
// Suffixes gathered for a bucket before they are written: one line.
#define LINE 8
// One suffix of this number is sampled.
#define GLANCED 128
// Whether lines are written past the cache: for texts whose suffixes do not fit it.
#ifndef STREAM
#error "STREAM comes from the host"
#endif

// Whether a separator is among the symbols that the keys of the block's 32 suffixes are made of.
static inline bool block_broken(__global const uint* separators, ulong block) {
#if TEXT_SEPARATORS
  return (separators[block] | separators[block + 1] >> 16) != 0;
#else
  (void)separators;
  (void)block;
  return false;
#endif
}

// The window `symbols` further: the end of a window and the start of the next. (Oclgrind cannot run the code that LLVM
// generates for one shift of two words.)
static inline ulong followed_by(ulong window, ulong next, uint symbols) {
  return (rotate(window, (ulong)(2 * symbols)) & ~0ul << 2 * symbols) | next >> (64 - 2 * symbols);
}

// counts[worker][bucket], for the suffixes of the worker's blocks of 32 symbols.
WORKER_KERNEL void count_buckets(__global const ulong* text, __global const uint* separators, ulong size,
                                 __global uint* counts, ulong blocks, ulong share) {
  const ulong begin = WORKER_FIRST(blocks, share), end = WORKER_LAST(blocks, share);
  // In turn: a counter's next increment waits for its last one to be stored.
  uint own[4][BUCKETS];
  for (uint way = 0; way < 4; way++)
    for (uint bucket = 0; bucket < BUCKETS; bucket++) own[way][bucket] = 0;
  for (ulong block = begin; block < end; block++) {
    if (block_broken(separators, block) || 32 * block + 32 > size) {
      for (ulong i = 32 * block; i < min(size, 32 * block + 32); i++)
        own[0][padded_window(text, separators, size, i) >> (64 - BUCKET_BITS)]++;
      continue;
    }
    const ulong word = text[block], seam = followed_by(word, text[block + 1], 24);
    _Pragma("unroll") for (uint k = 0; k < 24; k++) own[k & 3][word >> (64 - BUCKET_BITS - 2 * k) & (BUCKETS - 1)]++;
    _Pragma("unroll") for (uint k = 0; k < 8; k++) own[k & 3][seam >> (64 - BUCKET_BITS - 2 * k) & (BUCKETS - 1)]++;
  }
  for (uint bucket = 0; bucket < BUCKETS; bucket++)
    counts[get_group_id(0) * BUCKETS + bucket] = own[0][bucket] + own[1][bucket] + own[2][bucket] + own[3][bucket];
}

// The counts become each worker's first place in each bucket. starts[bucket], then the size; then the largest bucket.
WORKER_KERNEL void bucket_starts(__global uint* counts, uint workers, __global uint* starts) {
  if (get_group_id(0) != 0) return;
  uint sum = 0, largest = 0;
  for (uint bucket = 0; bucket < BUCKETS; bucket++) {
    starts[bucket] = sum;
    for (uint worker = 0; worker < workers; worker++) {
      const uint count = counts[worker * BUCKETS + bucket];
      counts[worker * BUCKETS + bucket] = sum;
      sum += count;
    }
    largest = max(largest, sum - starts[bucket]);
  }
  starts[BUCKETS] = sum;
  starts[BUCKETS + 1] = largest;
}

static inline void store_line(__global ulong* to, const ulong* line) {
#if STREAM
  STORE_PAST_CACHE((__global ulong4*)to, *(const ulong4*)line);
  STORE_PAST_CACHE((__global ulong4*)(to + 4), *(const ulong4*)(line + 4));
#else
  for (uint k = 0; k < LINE; k++) to[k] = line[k];
#endif
}

// A suffix is its key, which begins with the bucket, above its position.
static inline void gather_suffix(ulong suffix, const uint* first, uint* next, ulong* lines, __global ulong* suffixes) {
  const uint bucket = (uint)(suffix >> (64 - BUCKET_BITS));
  const uint place = next[bucket];
  next[bucket] = place + 1;
  ulong* line = lines + bucket * LINE;
  line[place % LINE] = suffix;
  if (place % LINE != LINE - 1) return;
  const uint begin = place - (LINE - 1);
  if (begin >= first[bucket]) {
    store_line(suffixes + begin, line);
  } else {  // The first places are another bucket's or worker's.
    for (uint to = first[bucket]; to <= place; to++) suffixes[to] = line[to % LINE];
  }
}

WORKER_KERNEL void scatter_suffixes(__global const ulong* text, __global const uint* separators, ulong size,
                                    __global const uint* counts, __global ulong* suffixes, ulong blocks, ulong share) {
  const ulong begin = WORKER_FIRST(blocks, share), end = WORKER_LAST(blocks, share);
  uint first[BUCKETS], next[BUCKETS];
  ulong lines[LINE * BUCKETS] __attribute__((aligned(64)));
  for (uint bucket = 0; bucket < BUCKETS; bucket++)
    first[bucket] = next[bucket] = counts[get_group_id(0) * BUCKETS + bucket];
  for (ulong block = begin; block < end; block++) {
    if (block_broken(separators, block)) {
      for (ulong i = 32 * block; i < min(size, 32 * block + 32); i++)
        gather_suffix((padded_window(text, separators, size, i) >> 32) << 32 | i, first, next, lines, suffixes);
      continue;
    }
    const ulong word = text[block], seam = followed_by(word, text[block + 1], 16);
    const uint symbols = (uint)min((ulong)32, size - 32 * block);
    for (uint k = 0; k < min(symbols, 16u); k++)
      gather_suffix((word << 2 * k & ~0ul << 32) | (32 * block + k), first, next, lines, suffixes);
    for (uint k = 16; k < symbols; k++)
      gather_suffix((seam << 2 * (k - 16) & ~0ul << 32) | (32 * block + k), first, next, lines, suffixes);
  }
  for (uint bucket = 0; bucket < BUCKETS; bucket++)
    for (uint to = max(first[bucket], next[bucket] / LINE * LINE); to < next[bucket]; to++)
      suffixes[to] = lines[bucket * LINE + to % LINE];
}

// Sorts `count` suffixes by the key's bits below the bucket's, which are two digits, into positions and keys.
static inline void sort_bucket(__global const ulong* suffixes, __global ulong* scratch, uint count,
                               __global uint* positions, __global uint* keys, uint* low, uint* high) {
  for (uint digit = 0; digit < DIGITS; digit++) low[digit] = high[digit] = 0;
  for (uint i = 0; i < count; i++) {
    const uint key = (uint)(suffixes[i] >> 32);
    low[key & (DIGITS - 1)]++;
    high[key >> DIGIT_BITS & (DIGITS - 1)]++;
  }
  uint low_sum = 0, high_sum = 0;
  for (uint digit = 0; digit < DIGITS; digit++) {
    const uint low_count = low[digit], high_count = high[digit];
    low[digit] = low_sum;
    high[digit] = high_sum;
    low_sum += low_count;
    high_sum += high_count;
  }
  for (uint i = 0; i < count; i++) {
    const ulong suffix = suffixes[i];
    scratch[low[suffix >> 32 & (DIGITS - 1)]++] = suffix;
  }
  for (uint i = 0; i < count; i++) {
    const ulong suffix = scratch[i];
    const uint place = high[suffix >> (32 + DIGIT_BITS) & (DIGITS - 1)]++;
    positions[place] = (uint)suffix;
    keys[place] = (uint)(suffix >> 32);
  }
}

// True if the members that remain of the buckets so far predict more than max_remaining in total. Nearly all suffixes
// of a repetitive text remain, and each bucket uses its budget. (False if all may remain.)
static inline bool too_much_left(__global uint* counts, ulong size, uint max_remaining) {
  const uint left = atomic_add(&counts[LEFT_MEMBERS], 0u), done = atomic_add(&counts[DONE_SUFFIXES], 0u);
  return left > max_remaining || (max_remaining < size && done > size / GLANCED && left > done / 4);
}

// Workers take the buckets in turn, not in their order: neighbours are alike. `capacity`: suffixes of the largest
// bucket, and MEMBERS at least.
WORKER_KERNEL void sort_buckets(__global const ulong* text, __global const uint* separators, ulong size,
                                __global const uint* starts, __global const ulong* suffixes, __global uint* positions,
                                __global ulong* scratch, __global uint* key_scratch, ulong capacity,
                                __global uint* left_starts, __global uint* left_sizes, __global uint* counts,
                                uint max_groups, uint max_remaining, uint budget) {
  uint low[DIGITS], high[DIGITS], waiting[3 * WAITING];
  __global ulong* own = scratch + get_group_id(0) * capacity;
  __global uint* keys = key_scratch + get_group_id(0) * capacity;
  Refiner refiner = {text, separators, size, positions, own, left_starts, left_sizes, counts, max_groups, waiting, 0};
  uint found = 0;
  for (;;) {
    const uint turn = atomic_inc(&counts[NEXT_BUCKET]);
    if (turn >= BUCKETS) break;
    if (too_much_left(counts, size, max_remaining)) {
      atomic_xchg(&counts[GIVEN_UP], 1u);
      break;
    }
    const uint bucket = turn * 421 & (BUCKETS - 1);
    const uint start = starts[bucket], count = starts[bucket + 1] - start;
    if (count == 0) continue;
    sort_bucket(suffixes + start, own, count, positions + start, keys, low, high);
    refiner.budget = (long)budget * count;
    for (uint i = 0; i + 1 < count;) {
      const uint key = keys[i];
      if (keys[i + 1] != key) {
        i++;
        continue;
      }
      uint end = i + 2;
      while (end < count && keys[end] == key) end++;
      found += end - i;
      refine_group(&refiner, start + i, start + end, COMPARED_FROM(16));
      i = end;
    }
    atomic_add(&counts[DONE_SUFFIXES], count);
  }
  atomic_add(&counts[ALL_MEMBERS], found);
}
