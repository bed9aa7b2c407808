// The text as a string of numbers from 1 on, which the published algorithm sorts. Breaks come before the symbols, each
// a number of its own by its position.
#include "common/items.clh"
#include "overlap/text/text.clh"

// counts[word]: the breaks in 32 places; 0 for what stands behind the last of them, where the exclusive scan has all.
ITEM_KERNEL void published_count_breaks(__global const uint* breaks, ulong words, __global uint* counts, ulong count,
                                        ulong share) {
  FOR_EACH_ITEM(word, count, share) counts[word] = word < words ? popcount(breaks[word]) : 0;
}

// breaks_before[word]: the breaks in all words before it.
ITEM_KERNEL void published_string(__global const ulong* text, __global const uint* breaks,
                                  __global const uint* breaks_before, uint all_breaks, __global uint* string,
                                  ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint symbol = (uint)(text_window(text, i) >> (64 - TEXT_BITS));
#if TEXT_BREAKS
    const uint word = breaks[i >> 5], bit = 31 - ((uint)i & 31);
    const bool is_break = (word >> bit & 1) != 0;
    string[i] = 1 + (is_break ? breaks_before[i >> 5] + popcount(word >> bit >> 1) : all_breaks + symbol);
#else
    (void)breaks;
    (void)breaks_before;
    string[i] = 1 + all_breaks + symbol;
#endif
  }
}
