// Philox-4x32-10: ten rounds of two multiplications on a counter of four words with a key of two.
//
// Defines: those of common/items.clh.
#include "common/items.clh"

#define ROUNDS 10

static inline uint4 philox(uint4 counter, uint2 key) {
#pragma unroll
  for (uint round = 0; round < ROUNDS; round++) {
    const uint low0 = 0xd2511f53u * counter.x, high0 = mul_hi(0xd2511f53u, counter.x);
    const uint low1 = 0xcd9e8d57u * counter.z, high1 = mul_hi(0xcd9e8d57u, counter.z);
    counter = (uint4)(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
    key += (uint2)(0x9e3779b9u, 0xbb67ae85u);
  }
  return counter;
}

// Block b makes results 4 * b - skipped to 4 * b - skipped + 3, as far as they exist.
ITEM_KERNEL void random_words(__global uint* results, ulong count, ulong blocks, ulong first_block, ulong skipped,
                              ulong stream, ulong seed, ulong share) {
  FOR_EACH_ITEM(block, blocks, share) {
    const ulong counter = first_block + block;
    const uint4 words = philox((uint4)((uint)counter, (uint)(counter >> 32), (uint)stream, (uint)(stream >> 32)),
                               (uint2)((uint)seed, (uint)(seed >> 32)));
    const ulong place = 4 * block - skipped;
    if (block != 0 && place + 4 <= count) {
      results[place] = words.x;
      results[place + 1] = words.y;
      results[place + 2] = words.z;
      results[place + 3] = words.w;
    } else {
      const uint each[4] = {words.x, words.y, words.z, words.w};
      for (ulong k = 0; k < 4; k++) {
        const ulong at = 4 * block + k;
        if (at >= skipped && at - skipped < count) results[at - skipped] = each[k];
      }
    }
  }
}
