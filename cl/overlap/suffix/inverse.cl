// The inverse of a suffix array, and the document array.
#include "common/items.clh"
#include "overlap/text/records.clh"

// ranks[positions[i]] = i.
ITEM_KERNEL void inverse(__global const uint* positions, __global uint* ranks, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) ranks[positions[i]] = (uint)i;
}

// documents[i]: the record of position i of the array.
ITEM_KERNEL void find_documents(__global const uint* positions, __global const uint* begins, uint records,
                                __global uint* documents, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) documents[i] = record_of(begins, records, positions[i], 0);
}
