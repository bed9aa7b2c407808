// Longest common extensions: the range minimum of LCP values between the ranks of two suffixes.
//
// Defines: TEXT_BITS, TEXT_SEPARATORS.
#include "common/items.clh"
#include "overlap/text/text.clh"

// Symbols of a block; the next separator of each block is stored.
#ifndef SEPARATOR_BLOCK
#error "SEPARATOR_BLOCK comes from the host"
#endif

// The number of positions before the first separator in SEPARATOR_BLOCK positions from `first` on.
static inline uint unbroken(__global const uint* separators, ulong size, ulong first, uint most) {
  const ulong end = min(size, first + most);
  ulong at = first;
  while (at < end) {
    const uint shift = (uint)at & 31, bits = separators[at >> 5] << shift;
    if (bits != 0) return (uint)(min(end, at + clz(bits)) - first);
    at += 32 - shift;
  }
  return (uint)(end - first);
}

// For each block, from the last to the first: the distance of its first separator from the text's end, 0 without one. A
// running maximum gives the first separator from the block on.
ITEM_KERNEL void find_separators(__global const uint* separators, ulong size, __global uint* from_end, ulong blocks,
                                 ulong share) {
  FOR_EACH_ITEM(i, blocks, share) {
    const ulong first = (blocks - 1 - i) * SEPARATOR_BLOCK, end = min(size, first + SEPARATOR_BLOCK);
    const ulong at = first + unbroken(separators, size, first, SEPARATOR_BLOCK);
    from_end[i] = at < end ? (uint)(size - at) : 0;
  }
}

// The number of symbols before the first separator or the end.
static inline uint symbols_from(__global const uint* separators, __global const uint* from_end, ulong size,
                                uint position) {
#if TEXT_SEPARATORS
  const uint in_block = SEPARATOR_BLOCK - (position & (SEPARATOR_BLOCK - 1)),
             run = unbroken(separators, size, position, in_block);
  if (run < in_block) return run;
  const ulong block = position / SEPARATOR_BLOCK + 1, blocks = (size + SEPARATOR_BLOCK - 1) / SEPARATOR_BLOCK;
  return (uint)(size - position) - (block < blocks ? from_end[blocks - 1 - block] : 0);
#else
  (void)separators;
  (void)from_end;
  return (uint)(size - position);
#endif
}

// queries[i]: the range of LCP values for pairs[i]; out of range for an invalid pair.
ITEM_KERNEL void extension_ranges(__global const uint2* pairs, __global const uint* ranks, ulong size,
                                  __global uint2* queries, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint2 pair = pairs[i];
    uint2 query = (uint2)(1, 0);
    if (pair.x < size && pair.y < size && pair.x != pair.y) {
      const uint a = ranks[pair.x], b = ranks[pair.y];
      query = (uint2)(min(a, b) + 1, max(a, b));
    }
    queries[i] = query;
  }
}

// minima[i].x is the answer for pairs of two different positions.
ITEM_KERNEL void extension_lengths(__global const uint2* pairs, __global const uint2* minima,
                                   __global const uint* separators, __global const uint* from_end, ulong size,
                                   __global uint* answers, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint2 pair = pairs[i];
    uint answer = 0;
    if (pair.x < size && pair.y < size)
      answer = pair.x == pair.y ? symbols_from(separators, from_end, size, pair.x) : minima[i].x;
    answers[i] = answer;
  }
}
