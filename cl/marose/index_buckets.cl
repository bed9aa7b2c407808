// Builds the table of records that groups look up (see map_canonical_gpu_scan.clh) from the tables of `canonical`.
#include "common/items.clh"
#include "marose/map_canonical_gpu_filter.clh"

#ifndef KEYS
#error "KEYS comes from the host"
#endif
#ifndef BUCKET_WORDS
#error "BUCKET_WORDS comes from the host"
#endif

// Records of BUCKET_WORDS for each key, and one more: the first entry, then the contexts that fit (see
// map_canonical_gpu_filter.clh). An item is a word of the table.
ITEM_KERNEL void canonical_buckets(__global const uint* first, __global const uint* contexts, __global uint* buckets,
                                   ulong share) {
  FOR_EACH_ITEM(i, ((ulong)KEYS + 1) * BUCKET_WORDS, share) {
    const uint key = (uint)(i / BUCKET_WORDS), word = (uint)(i % BUCKET_WORDS);
    const uint begin = first[key], count = key == KEYS ? 0 : first[key + 1] - begin;
    uint value = BUCKET_EMPTY;
    if (word == 0) {
      value = begin;
    } else if (word <= count) {
      value = contexts[begin + word - 1] >> BUCKET_SHIFT;
      if (word == 1 && count >= BUCKET_WORDS) value |= BUCKET_MORE;
    }
    buckets[i] = value;
  }
}
