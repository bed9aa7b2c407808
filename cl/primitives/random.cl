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

#ifdef ONLY_CPU
#define LOW(words) ((words) & (ulong8)(0xffffffffu))

// The words of blocks `counter` to `counter` + 7, which become results[0] to results[31]. Each 64-bit lane has one word
// of a block: processors multiply the low halves of such lanes.
static inline void philox_8(ulong counter, ulong stream, ulong seed, __global uint* results) {
  const ulong8 counters = (ulong8)(counter) + (ulong8)(0, 1, 2, 3, 4, 5, 6, 7);
  ulong8 x = LOW(counters), y = counters >> 32, z = (ulong8)(stream & 0xffffffffu), w = (ulong8)(stream >> 32);
  uint2 key = (uint2)((uint)seed, (uint)(seed >> 32));
#pragma unroll
  for (uint round = 0; round < ROUNDS; round++) {
    const ulong8 product0 = LOW(x) * (ulong8)(0xd2511f53u), product1 = LOW(z) * (ulong8)(0xcd9e8d57u);
    x = product1 >> 32 ^ y ^ (ulong8)(key.x);
    z = product0 >> 32 ^ w ^ (ulong8)(key.y);
    y = LOW(product1);
    w = LOW(product0);
    key += (uint2)(0x9e3779b9u, 0xbb67ae85u);
  }
  const ulong8 a = x | y << 32, b = z | w << 32;
  vstore16(as_uint16((ulong8)(a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3)), 0, results);
  vstore16(as_uint16((ulong8)(a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7)), 1, results);
}
#endif

// Block b makes results 4 * b - skipped to 4 * b - skipped + 3, as far as they exist.
ITEM_KERNEL void random_words(__global uint* results, ulong count, ulong blocks, ulong first_block, ulong skipped,
                              ulong stream, ulong seed, ulong share) {
  FOR_EACH_ITEM(block, blocks, share) {
#ifdef ONLY_CPU
    // Eight blocks whose results all exist.
    while (block != 0 && block + 8 <= block_end && 4 * (block + 8) - skipped <= count) {
      philox_8(first_block + block, stream, seed, results + (4 * block - skipped));
      block += 8;
    }
    if (block == block_end) break;
#endif
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
