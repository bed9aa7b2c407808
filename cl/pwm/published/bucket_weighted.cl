// BUCKET SCORE DISTRIBUTION with letters that are not equally frequent: each word of a slice adds its probability, in
// units of 2^-62, to the bucket of its score. columns, fraction, buckets: as in bucket.cl.
#include "common/items.clh"
#include "pwm/add_wide.clh"

// frequencies[letter]; low, high: the halves of each bucket's sum, 0 at the start. An impossible word is in no bucket.
ITEM_KERNEL void bucket_weighted(__global const uint* columns, __global const float* frequencies,
                                 volatile __global uint* low, volatile __global uint* high, uint length, uint buckets,
                                 uint fraction, ulong words, ulong share) {
  FOR_EACH_ITEM(word, words, share) {
    uint sum = 0;
    float p = 1;
    for (uint i = 0; i < length; i++) {
      const uint letter = (uint)(word >> (2 * i)) & 3;
      sum += columns[i * 4 + letter];
      p *= frequencies[letter];
    }
    const uint bucket = sum >> fraction;
    if (bucket < buckets) add_wide(low + bucket, high + bucket, convert_ulong(p * 4611686018427387904.0f));
  }
}
