// One column of the union of two matrices: the joint distribution of their losses, losses[first][second], from the one
// before it. What a letter adds beyond the last bin is no hit any more and is left out.
#include "common/items.clh"

#ifndef SEGMENT
#define SEGMENT 64  // bins of a row that an item owns
#endif

// bins: of the second one, and of a row; added: bins that A, C, G, T add to the first loss, then to the second one;
// more than there are for a letter that allows no hit; segments: of a row; count: of all rows.
ITEM_KERNEL void add_column(__global const float* restrict before, __global float* restrict after,
                            __global const uint* added, __global const float* frequencies, uint bins, uint segments,
                            ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint first = (uint)i / segments, begin = (uint)i % segments * SEGMENT;
    const uint end = min(bins, begin + SEGMENT);
    __global float* const row = after + first * bins;
    for (uint second = begin; second < end; second++) row[second] = 0;
    for (uint letter = 0; letter < 4; letter++) {
      const uint a = added[letter], b = added[4 + letter];
      if (a <= first && b < end) {
        const float frequency = frequencies[letter];
        __global const float* const from = before + (first - a) * bins;
        for (uint second = max(begin, b); second < end; second++) row[second] += frequency * from[second - b];
      }
    }
  }
}
