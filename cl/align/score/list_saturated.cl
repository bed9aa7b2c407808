// Lists the pairs whose score may exceed 16-bit cells and requires wider ones.
#include "common/items.clh"

// Writes the indices of scores that are at least `limit`, in any order. found[0]: their number.
ITEM_KERNEL void list_saturated(__global const int* scores, ulong pairs, int limit, __global uint* found,
                                __global ulong* places, uint capacity, ulong share) {
  FOR_EACH_ITEM(i, pairs, share) {
    if (scores[i] >= limit) {
      const uint place = atomic_inc(found);
      if (place < capacity) places[place] = i;
    }
  }
}
