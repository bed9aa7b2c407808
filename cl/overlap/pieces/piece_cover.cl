// The sample whose ranks tell suffixes apart: all positions that leave an element of a difference cover, modulo its
// period. Its suffixes in their order, class by class, as names of their first symbols make a string that is sorted.
#include "overlap/pieces/pieces.clh"

// positions[i]: the sample, ascending.
ITEM_KERNEL void cover_positions(__global const uint* elements, uint element_count, __global PIECE_POSITION* positions,
                                 ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share)
  positions[i] = piece_position((i / element_count << PERIOD_BITS) + elements[i % element_count]);
}

// names[i]: of the i-th smallest of the sample, from 1.
ITEM_KERNEL void cover_string(__global const uint* cover, __global const PIECE_POSITION* positions,
                              __global const uint* order, __global const uint* names, __global uint* string,
                              ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const ulong place = piece_place(positions[order[i]]);
    string[cover[PERIOD + ((uint)place & (PERIOD - 1))] + (uint)(place >> PERIOD_BITS)] = names[i];
  }
}

ITEM_KERNEL void cover_ranks(__global const uint* suffixes, __global uint* ranks, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) ranks[suffixes[i]] = (uint)i;
}
