// The text as a string of numbers from 1 on, which the published algorithm sorts. Each separator has a separate number,
// by position, below those of the symbols.
#include "common/items.clh"
#include "overlap/text/text.clh"

// counts[word]: the separators in 32 positions; 0 after the last word, where the exclusive scan has the sum of all.
ITEM_KERNEL void published_count_separators(__global const uint* separators, ulong words, __global uint* counts,
                                            ulong count, ulong share) {
  FOR_EACH_ITEM(word, count, share) counts[word] = word < words ? popcount(separators[word]) : 0;
}

// separators_before[word]: the separators in all words before it.
ITEM_KERNEL void published_string(__global const ulong* text, __global const uint* separators,
                                  __global const uint* separators_before, uint all_separators, __global uint* string,
                                  ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint symbol = (uint)(text_window(text, i) >> (64 - TEXT_BITS));
#if TEXT_SEPARATORS
    const uint word = separators[i >> 5], bit = 31 - ((uint)i & 31);
    const bool is_separator = (word >> bit & 1) != 0;
    string[i] = 1 + (is_separator ? separators_before[i >> 5] + popcount(word >> bit >> 1) : all_separators + symbol);
#else
    (void)separators;
    (void)separators_before;
    string[i] = 1 + all_separators + symbol;
#endif
  }
}
