// Searches patterns in a suffix array.
#include "common/items.clh"
#include "overlap/find/interval.clh"

// words[begins[p]...]: the symbols of pattern p, packed like the text, then 0. lengths[p]: their number, or UINT_MAX
// for a pattern without occurrence. starts: the table of prefix_table.cl for `symbols` symbols.
ITEM_KERNEL void find_patterns(__global const ulong* text, __global const uint* separators, ulong size,
                               __global const uint* positions, __global const uint* starts, uint symbols,
                               __global const ulong* words, __global const ulong* begins, __global const uint* lengths,
                               __global uint* first, __global uint* counts, ulong count, ulong share) {
  FOR_EACH_ITEM(p, count, share) {
    uint low = 0;
    const uint length = lengths[p];
    counts[p] = length == UINT_MAX ? 0
                                   : suffix_interval(text, separators, size, positions, starts, symbols, words,
                                                     begins[p] * TEXT_WINDOW, length, &low);
    first[p] = low;
  }
}

// places[h - first_hit]: the position of occurrence h. begins[p]: the first occurrence of pattern p; the last element
// is the number of all.
ITEM_KERNEL void list_places(__global const uint* positions, __global const uint* first, __global const ulong* begins,
                             __global uint* places, ulong patterns, ulong first_hit, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const ulong hit = first_hit + i, p = last_not_above_ulong(begins, patterns, hit);
    places[i] = positions[first[p] + (uint)(hit - begins[p])];
  }
}
