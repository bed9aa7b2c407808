// Giraud and Varre's BUCKET SCORE DISTRIBUTION in two dimensions: the words of a slice of the union of two matrices go
// into buckets by both scores, and the slices' distributions are merged.
#include "common/items.clh"
#include "pwm/add_wide.clh"

#ifndef WEIGHTED
#define WEIGHTED 0  // 1: words by their probability, in units of 2^-62; 0: words are counted
#endif
#ifndef FRACTION_BITS
#define FRACTION_BITS 16  // of a score, which counts in buckets
#endif

// scores[column][first: A, C, G, T; second: A, C, G, T]: UINT_MAX allows no hit. low, high: [bucket of the
// first][bucket of the second].
ITEM_KERNEL void fill_buckets(__global const uint* scores, __global const float* frequencies,
                              volatile __global uint* low, volatile __global uint* high, uint columns, uint buckets,
                              ulong words, ulong share) {
  FOR_EACH_ITEM(word, words, share) {
    uint first = 0, second = 0, possible = 1;
    float p = 1;
    for (uint i = 0; i < columns; i++) {
      const uint letter = (uint)(word >> (2 * i)) & 3;
      const uint a = scores[8 * i + letter], b = scores[8 * i + 4 + letter];
      possible &= (a != UINT_MAX) & (b != UINT_MAX);
      first += a;
      second += b;
      p *= frequencies[letter];
    }
    if (possible) {
      const uint cell = min(first >> FRACTION_BITS, buckets - 1) * buckets + min(second >> FRACTION_BITS, buckets - 1);
      const ulong weight = WEIGHTED ? convert_ulong(p * 4611686018427387904.0f) : 1;
      add_wide(low + cell, high + cell, weight);
    }
  }
}

// Both slices together: buckets add up. No score of a word of the union is beyond the last bucket.
ITEM_KERNEL void merge_buckets(__global const float* left, __global const float* right, __global float* merged,
                               uint buckets, ulong count, ulong share) {
  FOR_EACH_ITEM(cell, count, share) {
    const uint first = (uint)cell / buckets, second = (uint)cell % buckets;
    float sum = 0;
    for (uint i = 0; i <= first; i++)
      for (uint j = 0; j <= second; j++) sum += left[i * buckets + j] * right[(first - i) * buckets + (second - j)];
    merged[cell] = sum;
  }
}
