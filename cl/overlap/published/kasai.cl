// Longest common prefixes of neighbours in a suffix array in the order of their positions (Kasai et al., "Linear-time
// longest-common-prefix computation in suffix arrays and its applications", CPM 2001): the suffix at i has all but one
// of the symbols in common with its neighbour that the one at i - 1 has with its own.
//
// Defines: TEXT_BITS, TEXT_SEPARATORS.
#include "common/items.clh"
#include "overlap/rmq/lcp.clh"

// An item is a stretch of the text, whose first suffix is compared from its first symbol on.
ITEM_KERNEL void kasai(__global const ulong* text, __global const uint* separators, ulong size,
                       __global const uint* positions, __global const uint* ranks, ulong stretch, __global uint* values,
                       ulong count, ulong share) {
  FOR_EACH_ITEM(s, count, share) {
    ulong length = 0;
    for (ulong i = s * stretch, end = min(size, i + stretch); i < end; i++) {
      const uint rank = ranks[i];
      if (rank == 0) {
        length = 0;
      } else {
        const ulong neighbour = positions[rank - 1];
        for (uint equal = TEXT_WINDOW; equal == TEXT_WINDOW; length += equal)
          equal = window_equal(text, separators, size, i + length, neighbour + length);
      }
      values[rank] = (uint)length;
      if (length > 0) length--;
    }
  }
}
