// The pairs whose score may have passed what cells of 16 bits hold, so that they need wider ones.
#include "common/items.clh"

// The places of scores that are `limit` or more, in any order; found[0]: how many.
ITEM_KERNEL void list_saturated(__global const int* scores, ulong pairs, int limit, __global uint* found,
                                __global ulong* places, uint room, ulong share) {
  FOR_EACH_ITEM(i, pairs, share) {
    if (scores[i] >= limit) {
      const uint place = atomic_inc(found);
      if (place < room) places[place] = i;
    }
  }
}
