// Longest common extensions: the range minimum of LCP values between the ranks of two suffixes.
//
// Defines: TEXT_BITS, TEXT_BREAKS.
#include "common/items.clh"
#include "overlap/text/text.clh"

// Symbols of a block, for each of which the next break is known.
#ifndef BREAK_BLOCK
#error "BREAK_BLOCK comes from the host"
#endif

// How many of BREAK_BLOCK places from `first` on come before the first break.
static inline uint unbroken(__global const uint* breaks, ulong size, ulong first, uint most) {
  const ulong end = min(size, first + most);
  ulong at = first;
  while (at < end) {
    const uint shift = (uint)at & 31, bits = breaks[at >> 5] << shift;
    if (bits != 0) return (uint)(min(end, at + clz(bits)) - first);
    at += 32 - shift;
  }
  return (uint)(end - first);
}

// For each block, from the last to the first: how far from the text's end its first break is, 0 without one; a running
// maximum makes it the first break from the block on.
ITEM_KERNEL void find_breaks(__global const uint* breaks, ulong size, __global uint* from_end, ulong blocks,
                             ulong share) {
  FOR_EACH_ITEM(i, blocks, share) {
    const ulong first = (blocks - 1 - i) * BREAK_BLOCK, end = min(size, first + BREAK_BLOCK);
    const ulong at = first + unbroken(breaks, size, first, BREAK_BLOCK);
    from_end[i] = at < end ? (uint)(size - at) : 0;
  }
}

// How many symbols come before the first break or the end.
static inline uint symbols_from(__global const uint* breaks, __global const uint* from_end, ulong size, uint position) {
#if TEXT_BREAKS
  const uint in_block = BREAK_BLOCK - (position & (BREAK_BLOCK - 1)), run = unbroken(breaks, size, position, in_block);
  if (run < in_block) return run;
  const ulong block = position / BREAK_BLOCK + 1, blocks = (size + BREAK_BLOCK - 1) / BREAK_BLOCK;
  return (uint)(size - position) - (block < blocks ? from_end[blocks - 1 - block] : 0);
#else
  (void)breaks;
  (void)from_end;
  return (uint)(size - position);
#endif
}

// queries[i]: the range of LCP values for pairs[i]; one that is out of range where there is none.
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
                                   __global const uint* breaks, __global const uint* from_end, ulong size,
                                   __global uint* answers, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint2 pair = pairs[i];
    uint answer = 0;
    if (pair.x < size && pair.y < size)
      answer = pair.x == pair.y ? symbols_from(breaks, from_end, size, pair.x) : minima[i].x;
    answers[i] = answer;
  }
}
