// Range minima by blocks of 32 values: reads the values of the first and the last block, and a sparse table for the
// whole blocks between them.
#include "common/types.clh"
#include "common/prefetch.clh"

#ifndef LOG_UNIT
#error "LOG_UNIT comes from the host"
#endif
#include "overlap/rmq/rmq_table.clh"

// Where the two entries that cover the blocks between those of the query point; false without such blocks.
static inline bool between(__global const ushort* low, __global const uint* high, ulong blocks, Query query, uint* left,
                           uint* right) {
  const ulong first = query.x >> LOG_UNIT, last = query.y >> LOG_UNIT;
  if (last - first < 2) return false;
  const uint level = level_of(last - first - 1);
  *left = table_at(low, high, blocks, level, first + 1);
  *right = table_at(low, high, blocks, level, last - (1ul << level));
  return true;
}

#ifndef ONLY_CPU
CALLERS_VECTOR(ValueQuad, uint4, uint);

// The leftmost minimum of values [from, to] of the block that begins at `first`, against `best`, which stands to the
// left.
static inline Answer scan_block(__global const uint* values, ulong size, ulong first, uint from, uint to, Answer best) {
  if (first + UNIT <= size) {
    uint4 fours[UNIT / 4];
#pragma unroll
    for (uint k = 0; k < UNIT / 4; k++)
      fours[k] =
          4 * k + 3 >= from && 4 * k <= to ? ((__global const ValueQuad*)(values + first))[k] : (uint4)(UINT_MAX);
#pragma unroll
    for (uint k = 0; k < UNIT / 4; k++) {
      const uint four[4] = {fours[k].x, fours[k].y, fours[k].z, fours[k].w};
#pragma unroll
      for (uint j = 0; j < 4; j++)
        if (four[j] < best.x && 4 * k + j - from <= to - from) best = (Answer)(four[j], (uint)first + 4 * k + j);
    }
  } else {
    for (uint k = from; k <= to; k++)
      if (values[first + k] < best.x) best = (Answer)(values[first + k], (uint)first + k);
  }
  return best;
}

GROUP_KERNEL void query_block_gpu(__global const uint* values, ulong size, __global const ushort* low,
                                  __global const uint* high, __global const Query* queries, __global Answer* answers,
                                  ulong count, ulong step) {
  const ulong blocks = (size + UNIT - 1) >> LOG_UNIT;
  for (ulong i = get_global_id(0); i < count; i += step) {
    const Query query = queries[i];
    if (!is_in_range(query, size)) {
      answers[i] = OUT_OF_RANGE;
      continue;
    }
    uint left = query.x, right = query.x;
    const bool has_middle = between(low, high, blocks, query, &left, &right);
    const ulong first = query.x & ~(UNIT - 1), last = query.y & ~(UNIT - 1);
    const uint at_left = values[left], at_right = values[right];
    // A value of 2^32 - 1 is not smaller than this: then the leftmost is the first one.
    Answer best = (Answer)(UINT_MAX, query.x);
    best = scan_block(values, size, first, query.x & (UNIT - 1), first == last ? query.y & (UNIT - 1) : UNIT - 1, best);
    if (has_middle) {
      if (at_left < best.x) best = (Answer)(at_left, left);
      if (at_right < best.x) best = (Answer)(at_right, right);
    }
    if (first != last) best = scan_block(values, size, last, 0, query.y & (UNIT - 1), best);
    answers[i] = best;
  }
}
#endif

#ifndef ONLY_GPU
// The distance of prefetches in queries: table entries at the full distance, their values at half of it.
#define AHEAD 32

static inline uint min_of(uint16 a) {
  const uint8 eight = min(a.lo, a.hi);
  const uint4 four = min(eight.lo, eight.hi);
  return min(min(four.x, four.y), min(four.z, four.w));
}

// Values [from, to] of a whole block; the others are 2^32 - 1.
static inline void load_block(__global const uint* block, uint from, uint to, uint16* low_half, uint16* high_half) {
  const uint16 lane = (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  *low_half = lane - from <= (uint16)(to - from) ? vload16(0, block) : (uint16)(UINT_MAX);
  *high_half = lane + 16 - from <= (uint16)(to - from) ? vload16(1, block) : (uint16)(UINT_MAX);
}

static inline uint min_in_block(__global const uint* values, ulong size, ulong first, uint from, uint to) {
  if (first + UNIT <= size) {
    uint16 low_half, high_half;
    load_block(values + first, from, to, &low_half, &high_half);
    return min_of(min(low_half, high_half));
  }
  uint least = UINT_MAX;
  for (uint k = from; k <= to; k++) least = min(least, values[first + k]);
  return least;
}

// Where `least`, which is there, stands first.
static inline uint place_in_block(__global const uint* values, ulong first, uint from, uint least) {
  uint k = from;
  while (values[first + k] != least) k++;
  return (uint)first + k;
}

static inline Answer query_one(__global const uint* values, ulong size, Query query, uint left, uint right) {
  const uint at_left = values[left], at_right = values[right];
  const ulong first = query.x & ~(UNIT - 1), last = query.y & ~(UNIT - 1);
  const uint from = query.x & (UNIT - 1), to = query.y & (UNIT - 1);
  if (first == last) {
    const uint least = min_in_block(values, size, first, from, to);
    return (Answer)(least, place_in_block(values, first, from, least));
  }
  const uint in_first = min_in_block(values, size, first, from, UNIT - 1);
  const uint in_last = min_in_block(values, size, last, 0, to);
  // Without blocks between them the two entries are the query's first value.
  const uint least = min(min(in_first, in_last), min(at_left, at_right));
  if (in_first == least) return (Answer)(least, place_in_block(values, first, from, least));
  if (at_left == least) return (Answer)(least, left);
  if (at_right == least) return (Answer)(least, right);
  return (Answer)(least, place_in_block(values, last, 0, least));
}

// Prefetches the table entries, and the values of the first and the last block.
static inline void ask_for(__global const uint* values, __global const ushort* low, __global const uint* high,
                           ulong blocks, Query query) {
  const ulong first = query.x >> LOG_UNIT, last = query.y >> LOG_UNIT;
  PREFETCH(values + query.x);
  PREFETCH(values + query.y);
  if (first == last) return;
  PREFETCH(values + (query.x | (UNIT - 1)));
  PREFETCH(values + (query.y & ~(UNIT - 1)));
  if (last - first < 2) return;
  const uint level = level_of(last - first - 1);
  const ulong left = first + 1, right = last - (1ul << level);
  if (level < HIGH_LEVEL) {
    PREFETCH(low + level * blocks + left);
    PREFETCH(low + level * blocks + right);
  } else {
    PREFETCH(high + (level - HIGH_LEVEL) * blocks + left);
    PREFETCH(high + (level - HIGH_LEVEL) * blocks + right);
  }
}

WORKER_KERNEL void query_block_cpu(__global const uint* values, ulong size, __global const ushort* low,
                                   __global const uint* high, __global const Query* queries, __global Answer* answers,
                                   ulong count, ulong share) {
  const ulong blocks = (size + UNIT - 1) >> LOG_UNIT, first = WORKER_FIRST(count, share);
  const ulong own = WORKER_LAST(count, share) - first;
  queries += first;
  answers += first;
  uint left[AHEAD], right[AHEAD];
  for (ulong step = 0; step < own + AHEAD; step++) {
    // A query at each of three stages.
    if (step < own && is_in_range(queries[step], size)) ask_for(values, low, high, blocks, queries[step]);
    const ulong named = step - AHEAD / 2, done = step - AHEAD;
    if (named < own) {
      const Query query = queries[named];
      const uint slot = named % AHEAD;
      left[slot] = right[slot] = query.x;
      if (is_in_range(query, size) && between(low, high, blocks, query, &left[slot], &right[slot])) {
        PREFETCH(values + left[slot]);
        PREFETCH(values + right[slot]);
      }
    }
    if (done < own) {
      const Query query = queries[done];
      answers[done] = is_in_range(query, size) ? query_one(values, size, query, left[done % AHEAD], right[done % AHEAD])
                                               : OUT_OF_RANGE;
    }
  }
}
#endif
