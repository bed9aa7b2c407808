// Looks patterns up in a suffix array.
#include "common/items.clh"
#include "common/lower_bound.clh"
#include "overlap/text/text.clh"

// -1 where the suffix at `position` is below the pattern, 0 where it begins with it, 1 where it is above.
static inline int compare_suffix(__global const ulong* text, __global const uint* breaks, ulong size, ulong position,
                                 __global const ulong* pattern, uint length) {
  for (uint depth = 0; depth < length; depth += TEXT_WINDOW) {
    const ulong window = text_window(text, position + depth), wanted = pattern[depth / TEXT_WINDOW];
    const uint run = text_run(breaks, size, position + depth), left = min(length - depth, (uint)TEXT_WINDOW);
    const uint equal = text_equal(window, wanted);
    if (equal < min(run, left)) return window < wanted ? -1 : 1;
    // The end and a break are smaller than any symbol.
    if (run < left) return -1;
  }
  return 0;
}

// words[begins[p]...]: the symbols of pattern p, packed as the text's, 0 behind them; lengths[p]: how many, UINT_MAX
// for one that occurs nowhere. starts: of prefix_table.cl, for `symbols` symbols.
ITEM_KERNEL void find_patterns(__global const ulong* text, __global const uint* breaks, ulong size,
                               __global const uint* positions, __global const uint* starts, uint symbols,
                               __global const ulong* words, __global const ulong* begins, __global const uint* lengths,
                               __global uint* first, __global uint* counts, ulong count, ulong share) {
  FOR_EACH_ITEM(p, count, share) {
    const uint length = lengths[p];
    uint low = 0, behind = 0;
    if (length != UINT_MAX) {
      __global const ulong* const pattern = words + begins[p];
      const uint known = min(length, symbols), open = (symbols - known) * TEXT_BITS;
      const uint code = (uint)(pattern[0] >> (64 - known * TEXT_BITS));
      uint high = starts[(code + 1) << open];
      // A suffix that ends behind the pattern, before `symbols`, counts as below what it would begin.
      low = open == 0 ? starts[code] : code == 0 ? 0 : starts[(code << open) - 1];
      const uint end = high;
      LOWER_BOUND(uint, low, high, at, compare_suffix(text, breaks, size, positions[at], pattern, length) < 0)
      behind = low;
      high = end;
      LOWER_BOUND(uint, behind, high, at, compare_suffix(text, breaks, size, positions[at], pattern, length) == 0)
    }
    first[p] = low;
    counts[p] = behind - low;
  }
}

// places[h - first_hit]: where hit h is; begins[p]: the first hit of pattern p, the last one is that of all.
ITEM_KERNEL void list_places(__global const uint* positions, __global const uint* first, __global const ulong* begins,
                             __global uint* places, ulong patterns, ulong first_hit, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const ulong hit = first_hit + i, p = last_not_above_ulong(begins, patterns, hit);
    places[i] = positions[first[p] + (uint)(hit - begins[p])];
  }
}
