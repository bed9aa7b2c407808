// Whether positions are the suffix array of a text, some of them at a time: where the array has the suffix one symbol
// longer follows from its place and the symbol in front of it, as when the Burrows-Wheeler transform is undone.
#include "common/items.clh"
#include "overlap/text/text.clh"

// The code of a separator, after those of all symbols.
#ifndef NO_SYMBOL
#error "NO_SYMBOL comes from the host"
#endif

static inline bool check_break(__global const uint* separators, ulong place) {
#if TEXT_SEPARATORS
  return (separators[place >> 5] >> (31 - (place & 31)) & 1) != 0;
#else
  (void)separators;
  (void)place;
  return false;
#endif
}

static inline uint check_symbol(__global const ulong* text, __global const uint* separators, ulong place) {
  if (check_break(separators, place)) return NO_SYMBOL;
  return (uint)(text_window(text, place) >> (64 - TEXT_BITS));
}

// symbols[i]: at first + i.
ITEM_KERNEL void check_symbols(__global const ulong* text, __global const uint* separators, ulong first,
                               __global uint* symbols, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) symbols[i] = check_symbol(text, separators, first + i);
}

// symbols[i]: in front of positions[i]; order[i]: i, for sort(). wrong[0], which holds 2^32 - 1: the first i with a
// position that the text has not, or, of the first `separators_left`, that is not the next separator. `before`: the
// position in front of the first one, where bit 0 of `has_before` is set.
ITEM_KERNEL void check_before(__global const ulong* text, __global const uint* separators, ulong size,
                              __global const ulong* positions, ulong before, uint has_before, ulong separators_left,
                              __global uint* symbols, __global uint* order, __global uint* wrong, ulong count,
                              ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const ulong position = positions[i];
    bool right = position < size;
    if (right && i < separators_left) {
      right = check_break(separators, position);
      if (i != 0)
        right = right && position > positions[i - 1];
      else if (has_before & 1)
        right = right && position > before;
    }
    if (!right) atomic_min(&wrong[0], (uint)i);
    symbols[i] = right && position != 0 ? check_symbol(text, separators, position - 1) : NO_SYMBOL;
    order[i] = (uint)i;
  }
}

// wrong[1], which holds 2^32 - 1: the first k, by symbols, for which the array has not at the place that follows,
// whose position is expected[k], the suffix that is one symbol longer.
ITEM_KERNEL void check_longer(__global const ulong* positions, __global const uint* order,
                              __global const ulong* expected, __global uint* wrong, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    if (expected[k] + 1 != positions[order[k]]) atomic_min(&wrong[1], (uint)k);
  }
}
