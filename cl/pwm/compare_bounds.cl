// One column of the union of two matrices: the joint distribution of their losses, losses[first][second], from the one
// before it. What a letter adds beyond the last bin is no hit any more and is left out.
#include "common/items.clh"

// bins: of the second one, and of a row; added: bins that A, C, G, T add to the first loss, then to the second one;
// UINT_MAX for a letter that allows no hit.
ITEM_KERNEL void add_column(__global const float* before, __global float* after, __global const uint* added,
                            __global const float* frequencies, uint bins, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint first = (uint)i / bins, second = (uint)i % bins;
    float sum = 0;
    for (uint letter = 0; letter < 4; letter++) {
      const uint a = added[letter], b = added[4 + letter];
      if (a <= first && b <= second) sum += frequencies[letter] * before[(first - a) * bins + (second - b)];
    }
    after[i] = sum;
  }
}
