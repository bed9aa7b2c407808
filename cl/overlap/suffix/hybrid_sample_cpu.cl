// Samples the windows of a text to estimate how much of it repeats: all occurrences of windows with certain hashes.
#include "common/types.clh"
#include "overlap/text/padded.clh"

#define SAMPLE_WINDOWS 4

// samples: for the positions whose window hashes to 0 in the highest `bits` bits, a hash of SAMPLE_WINDOWS windows from
// there on. counts[0]: their number; the first `most` are stored.
WORKER_KERNEL void sample_windows(__global const ulong* text, __global const uint* separators, uint bits, uint most,
                                  __global ulong* samples, __global uint* counts, ulong size, ulong share) {
  const ulong begin = WORKER_FIRST(size, share), end = WORKER_LAST(size, share);
  for (ulong i = begin; i < end; i++) {
    ulong hash = padded_window(text, separators, size, i) * 0x9e3779b97f4a7c15ul;
    if (hash >> (64 - bits) != 0) continue;
    for (uint k = 1; k < SAMPLE_WINDOWS; k++) {
      if (i + k * TEXT_WINDOW >= size) break;
      hash = ((hash ^ hash >> 31) + padded_window(text, separators, size, i + k * TEXT_WINDOW)) * 0xbf58476d1ce4e5b9ul;
    }
    const uint sample = atomic_inc(&counts[0]);
    if (sample < most) samples[sample] = hash;
  }
}
