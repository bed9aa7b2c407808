// Flags the first element of each segment, and the first behind the last segment.
//
// Defines: OFFSET (a type), and those of common/items.clh.
#include "common/items.clh"

#ifndef OFFSET
#error "OFFSET comes from the host"
#endif

ITEM_KERNEL void segment_heads(__global const OFFSET* offsets, ulong offset_count, ulong element_count,
                               __global uchar* flags, ulong share) {
  FOR_EACH_ITEM(i, offset_count, share) {
    const ulong at = offsets[i];
    if (at < element_count) flags[at] = 1;
  }
}
