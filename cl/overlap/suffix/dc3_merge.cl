// DC3's merge of the sample's suffixes with those of residue 0, in tiles of DC3_TILE along the merge path (Green,
// McColl, Bader, "GPU merge path", ICS 2012).
//
// A suffix of residue 1 compares with one of residue 0 by its symbol and the rank of the next suffix; one of residue 2
// by two symbols and the rank of the suffix after those.
#include "overlap/suffix/dc3_string.clh"

#ifndef DC3_TILE
#error "DC3_TILE comes from the host"
#endif
// The sample may begin with the empty suffix, which is passed over.
#ifndef DC3_SKIPPED
#error "DC3_SKIPPED comes from the host"
#endif

// What a suffix of the sample compares by: x symbol, y rank or second symbol, z 0 for residue 1 and 1 + the rank of the
// suffix two on for residue 2; w its position.
static inline uint4 dc3_sample_key(__global const DC3_SYMBOL* string, __global const uint* separators, ulong size,
                                   uint firsts, __global const uint* ranks, uint i) {
  const uint2 symbols = dc3_symbols(string, separators, size, i);
  const bool second = i % 3 == 2;
#if DC3_BREAKS
  // A separator compares by its position and by nothing that follows.
  if (symbols.x == 1) return (uint4)(1, i, second, i);
  if (second && symbols.y == 1) return (uint4)(symbols.x, 1, i + 2, i);
#endif
  const uint rank = dc3_rank(ranks, size, firsts, (ulong)i + 1 + second);
  return (uint4)(symbols.x, second ? symbols.y : rank, second ? rank + 1 : 0, i);
}

// Of a suffix of residue 0: x and y symbols, z and w the ranks of the next suffix and of the one after it.
static inline uint4 dc3_first_key(__global const DC3_SYMBOL* string, __global const uint* separators, ulong size,
                                  uint firsts, __global const uint* ranks, uint i) {
  const uint2 symbols = dc3_symbols(string, separators, size, i);
#if DC3_BREAKS
  if (symbols.x == 1) return (uint4)(1, i, i, 0);
#endif
  const uint next = dc3_rank(ranks, size, firsts, (ulong)i + 1);
#if DC3_BREAKS
  if (symbols.y == 1) return (uint4)(symbols.x, 1, next, i + 1);
#endif
  return (uint4)(symbols.x, symbols.y, next, dc3_rank(ranks, size, firsts, (ulong)i + 2));
}

// Whether the sample's suffix is the smaller.
static inline bool dc3_less(uint4 sample, uint4 first) {
  const ulong a = (ulong)sample.x << 32 | sample.y;
  const ulong b = (ulong)first.x << 32 | (sample.z != 0 ? first.y : first.z);
  return a < b || (a == b && sample.z <= first.w);
}

// 1: suffixes compare by their windows of the text, and as above only where those are equal, which must be seldom; 0:
// as above at once.
#ifndef DC3_BY_WINDOWS
#error "DC3_BY_WINDOWS comes from the host"
#endif

typedef struct {
  __global const DC3_SYMBOL* string;
  __global const uint* separators;
  ulong size;
  uint firsts;
  __global const uint* ranks;
} Dc3Suffixes;

#if DC3_BY_WINDOWS
#define DC3_MERGE_KEY ulong
static inline ulong dc3_merge_sample(Dc3Suffixes all, uint i) {
  return dc3_key(all.string, all.separators, all.size, i);
}
static inline ulong dc3_merge_first(Dc3Suffixes all, uint i) {
  return dc3_key(all.string, all.separators, all.size, i);
}
// Whether suffix a of the sample, with its key, is smaller than suffix b of residue 0. A window that reaches over the
// end is filled up with the smallest symbol: it is not larger than one that goes on.
static inline bool dc3_merge_less(Dc3Suffixes all, ulong key_a, uint a, ulong key_b, uint b) {
  if (key_a != key_b) return key_a < key_b;
  return dc3_less(dc3_sample_key(all.string, all.separators, all.size, all.firsts, all.ranks, a),
                  dc3_first_key(all.string, all.separators, all.size, all.firsts, all.ranks, b));
}
#else
#define DC3_MERGE_KEY uint4
static inline uint4 dc3_merge_sample(Dc3Suffixes all, uint i) {
  return dc3_sample_key(all.string, all.separators, all.size, all.firsts, all.ranks, i);
}
static inline uint4 dc3_merge_first(Dc3Suffixes all, uint i) {
  return dc3_first_key(all.string, all.separators, all.size, all.firsts, all.ranks, i);
}
static inline bool dc3_merge_less(Dc3Suffixes all, uint4 key_a, uint a, uint4 key_b, uint b) {
  return dc3_less(key_a, key_b);
}
#endif

// bounds[t]: how many of the sample are among the smallest t * DC3_TILE.
ITEM_KERNEL void dc3_partition(__global const DC3_SYMBOL* string, __global const uint* separators, ulong size,
                               uint firsts, __global const uint* ranks, __global const uint* samples, uint sample_count,
                               __global const uint* others, uint other_count, __global uint* bounds, ulong count,
                               ulong share) {
  const Dc3Suffixes all = {string, separators, size, firsts, ranks};
  FOR_EACH_ITEM(t, count, share) {
    const ulong diagonal = min((ulong)sample_count + other_count, t * DC3_TILE);
    ulong low = diagonal > other_count ? diagonal - other_count : 0, high = min(diagonal, (ulong)sample_count);
    while (low < high) {
      const ulong middle = (low + high) / 2;
      const uint a = samples[DC3_SKIPPED + middle], b = others[diagonal - 1 - middle];
      if (dc3_merge_less(all, dc3_merge_sample(all, a), a, dc3_merge_first(all, b), b))
        low = middle + 1;
      else
        high = middle;
    }
    bounds[t] = (uint)low;
  }
}

#ifndef ONLY_GPU
// An item is a tile.
ITEM_KERNEL void dc3_merge_cpu(__global const DC3_SYMBOL* string, __global const uint* separators, ulong size,
                               uint firsts, __global const uint* ranks, __global const uint* samples, uint sample_count,
                               __global const uint* others, uint other_count, __global const uint* bounds,
                               __global uint* merged, ulong count, ulong share) {
  const Dc3Suffixes all = {string, separators, size, firsts, ranks};
  DC3_MERGE_KEY keys[DC3_TILE];
  FOR_EACH_ITEM(t, count, share) {
    const ulong begin = t * DC3_TILE, end = min((ulong)sample_count + other_count, begin + DC3_TILE);
    const uint first_a = bounds[t], count_a = bounds[t + 1] - first_a, total = (uint)(end - begin);
    __global const uint* const own = samples + DC3_SKIPPED + first_a;
    // So that the places of `other` go on where those of `own` end.
    __global const uint* const other = others + (begin - first_a) - count_a;
    for (uint k = 0; k < count_a; k++) keys[k] = dc3_merge_sample(all, own[k]);
    for (uint k = count_a; k < total; k++) keys[k] = dc3_merge_first(all, other[k]);
    uint a = 0, b = count_a, to = 0;
    for (; a < count_a && b < total; to++) {
      const uint position_a = own[a], position_b = other[b];
      const uint take = dc3_merge_less(all, keys[a], position_a, keys[b], position_b);
      merged[begin + to] = take ? position_a : position_b;
      a += take;
      b += 1 - take;
    }
    for (; a < count_a; a++, to++) merged[begin + to] = own[a];
    for (; b < total; b++, to++) merged[begin + to] = other[b];
  }
}
#endif

#ifndef ONLY_CPU
// A tile a group; GROUP_SIZE divides DC3_TILE.
GROUP_KERNEL void dc3_merge_gpu(__global const DC3_SYMBOL* string, __global const uint* separators, ulong size,
                                uint firsts, __global const uint* ranks, __global const uint* samples,
                                uint sample_count, __global const uint* others, uint other_count,
                                __global const uint* bounds, __global uint* merged) {
  __local DC3_MERGE_KEY keys[DC3_TILE];
  __local uint positions[DC3_TILE];
  const Dc3Suffixes all = {string, separators, size, firsts, ranks};
  const uint item = get_local_id(0);
  const ulong t = get_group_id(0), begin = t * DC3_TILE;
  const ulong end = min((ulong)sample_count + other_count, begin + DC3_TILE);
  const uint first_a = bounds[t], first_b = (uint)(begin - first_a);
  const uint count_a = bounds[t + 1] - first_a, total = (uint)(end - begin);
  for (uint k = item; k < total; k += GROUP_SIZE) {
    const uint i = k < count_a ? samples[DC3_SKIPPED + first_a + k] : others[first_b + k - count_a];
    positions[k] = i;
    keys[k] = k < count_a ? dc3_merge_sample(all, i) : dc3_merge_first(all, i);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint from = min(total, item * (DC3_TILE / GROUP_SIZE)), to = min(total, from + DC3_TILE / GROUP_SIZE);
  uint low = from > total - count_a ? from - (total - count_a) : 0, high = min(from, count_a);
  while (low < high) {
    const uint middle = (low + high) / 2, other = count_a + from - 1 - middle;
    if (dc3_merge_less(all, keys[middle], positions[middle], keys[other], positions[other]))
      low = middle + 1;
    else
      high = middle;
  }
  uint a = low, b = count_a + from - low;
  for (uint k = from; k < to; k++) {
    const bool take = b >= total || (a < count_a && dc3_merge_less(all, keys[a], positions[a], keys[b], positions[b]));
    merged[begin + k] = positions[take ? a : b];
    a += take;
    b += !take;
  }
}
#endif
