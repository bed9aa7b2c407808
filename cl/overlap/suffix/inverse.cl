// The inverse of a suffix array: the rank of each position.
#include "common/items.clh"

// ranks[positions[i]] = i.
ITEM_KERNEL void inverse(__global const uint* positions, __global uint* ranks, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) ranks[positions[i]] = (uint)i;
}
