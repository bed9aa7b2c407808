// The Burrows-Wheeler transform. Rows are the suffixes in order, from the empty one; a row has the symbol before its
// suffix.
#include "common/items.clh"
#include "overlap/text/text.clh"

// primary[0]: the row of the whole text.
ITEM_KERNEL void find_primary(__global const uint* positions, __global uint* primary, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    if (positions[i] == 0) primary[0] = (uint)i + 1;
  }
}

// The symbols of all rows except the primary one, which has none. An item is a row. `count`: size + 1.
ITEM_KERNEL void bwt_symbols(__global const ulong* text, __constant uchar* alphabet, __global const uint* positions,
                             __global const uint* primary, __global uchar* symbols, ulong count, ulong share) {
  const uint without = primary[0];
  FOR_EACH_ITEM(r, count, share) {
    if (r == without) continue;
    const ulong bit = ((r == 0 ? count - 1 : positions[r - 1]) - 1) * TEXT_BITS;
    symbols[r - (r > without)] =
        alphabet[(uint)(text[bit >> 6] >> (64 - TEXT_BITS - (bit & 63))) & ((1u << TEXT_BITS) - 1)];
  }
}
