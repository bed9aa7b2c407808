// Checks a suffix array.
#include "common/items.clh"
#include "overlap/text/text.clh"

// ranks, initially 2^32 - 1: the first index of each position. Positions may have any value.
ITEM_KERNEL void check_places(__global const uint* positions, __global uint* ranks, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint position = positions[i];
    if (position < count) atomic_min(&ranks[position], (uint)i);
  }
}

// The symbol at i, 0 for a separator.
static inline uint check_symbol(__global const ulong* text, __global const uint* separators, ulong i) {
#if TEXT_SEPARATORS
  if (separators[i >> 5] >> (31 - (i & 31)) & 1) return 0;
#else
  (void)separators;
#endif
  const ulong bit = i * TEXT_BITS;
  return ((uint)(text[bit >> 6] >> (64 - TEXT_BITS - (bit & 63))) & ((1u << TEXT_BITS) - 1)) + 1;
}

// Both elements are initially 2^32 - 1. wrong[0]: the first index with an invalid or repeated position. wrong[1]: the
// first index whose suffix is not larger than the one before; only valid without the first kind.
ITEM_KERNEL void check_order(__global const ulong* text, __global const uint* separators,
                             __global const uint* positions, __global const uint* ranks, __global uint* wrong,
                             ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const ulong b = positions[i];
    if (b >= count || ranks[b] != i) {
      atomic_min(&wrong[0], (uint)i);
      continue;
    }
    const ulong a = i == 0 ? count : positions[i - 1];
    if (a >= count) continue;
    const uint symbol_a = check_symbol(text, separators, a), symbol_b = check_symbol(text, separators, b);
    bool right = symbol_a < symbol_b;
    if (symbol_a == symbol_b) {
      // The end is smaller than any other rest.
      if (symbol_a == 0)
        right = a < b;
      else if (a + 1 == count || b + 1 == count)
        right = a + 1 == count;
      else
        right = ranks[a + 1] < ranks[b + 1];
    }
    if (!right) atomic_min(&wrong[1], (uint)i);
  }
}
