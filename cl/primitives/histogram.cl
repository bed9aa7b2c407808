// Histogram of a bit field of 32-bit keys.
//
// Defines: COUNT_WORDS (32-bit words of a count, 1 or 2), COPIES (a worker's tables, for `cpu`).
#include "common/types.clh"

#ifndef COUNT_WORDS
#error "COUNT_WORDS comes from the host"
#endif

CALLERS_VECTOR(KeyQuad, uint4, uint);

static inline uint bin_of(uint key, uint shift, uint mask) { return key >> shift & mask; }

#ifndef ONLY_CPU
// Adds to a 64-bit count by its halves, low word first as on every device: OpenCL 1.2 promises no 64-bit atomics. The
// sum is exact when all have added, since each carry is seen by exactly one of them.
static inline void add_to_count(volatile __global uint* counts, uint bin, uint number) {
#if COUNT_WORDS == 1
  atomic_add(&counts[bin], number);
#else
  const uint before = atomic_add(&counts[bin * 2], number);
  if (before + number < before) atomic_inc(&counts[bin * 2 + 1]);
#endif
}

static inline void count_key(volatile __local uint* table, uint bin, uint bins, uint number) {
  if (bin < bins) atomic_add(&table[bin], number);
}

// Group g counts chunk g / parts (fewer than 2^32 keys) into part g % parts of the bins, PART_BINS in local memory, and
// adds what it has to `counts`, which are 0 at the start. Groups that read the same chunk are neighbours, so that it is
// read from memory once.
GROUP_KERNEL void histogram_gpu(__global const uint* keys, ulong count, ulong chunk, uint shift, uint mask, uint bins,
                                uint parts, uint part_bins, __local uint* table_memory,
                                volatile __global uint* counts) {
  volatile __local uint* table = table_memory;
  const uint item = get_local_id(0), part = get_group_id(0) % parts;
  const uint first_bin = part * part_bins, own_bins = min(part_bins, bins - first_bin);
  const ulong first = get_group_id(0) / parts * chunk, last = min(count, first + chunk);
  for (uint bin = item; bin < own_bins; bin += GROUP_SIZE) table[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  for (ulong at = first + item * 4; at < last; at += GROUP_SIZE * 4) {
    if (at + 4 <= last) {
      const uint4 quad = *(__global const KeyQuad*)(keys + at);
      // A bin below first_bin wraps round to a large number.
      const uint a = bin_of(quad.x, shift, mask) - first_bin, b = bin_of(quad.y, shift, mask) - first_bin;
      const uint c = bin_of(quad.z, shift, mask) - first_bin, d = bin_of(quad.w, shift, mask) - first_bin;
      if (a == b && b == c && c == d) {  // runs of equal keys would wait for each other
        count_key(table, a, own_bins, 4);
      } else {
        count_key(table, a, own_bins, 1);
        count_key(table, b, own_bins, 1);
        count_key(table, c, own_bins, 1);
        count_key(table, d, own_bins, 1);
      }
    } else {
      for (ulong i = at; i < last; i++) count_key(table, bin_of(keys[i], shift, mask) - first_bin, own_bins, 1);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint bin = item; bin < own_bins; bin += GROUP_SIZE)
    if (table[bin] != 0) add_to_count(counts, first_bin + bin, table[bin]);
}
#endif

#ifndef ONLY_GPU
// Equal keys one after the other would wait for each other's store: four tables take turns where they fit the cache.
#ifndef COPIES
#error "COPIES comes from the host"
#endif
#if COUNT_WORDS == 1
#define COUNT uint
#else
#define COUNT ulong
#endif

// tables[(worker * COPIES + copy) * stride]: `bins` counts and one for the keys outside, which is never looked at.
WORKER_KERNEL void histogram_cpu(__global const uint* keys, ulong count, ulong share, uint shift, uint mask, uint bins,
                                 uint stride, __global uint* tables) {
  ulong at = WORKER_FIRST(count, share);
  const ulong last = WORKER_LAST(count, share);
  tables += get_group_id(0) * COPIES * (ulong)stride;
  for (uint i = 0; i < COPIES * stride; i++) tables[i] = 0;
  for (; at + COPIES <= last; at += COPIES) {
#pragma unroll
    for (uint copy = 0; copy < COPIES; copy++)
      tables[copy * stride + min(bin_of(keys[at + copy], shift, mask), bins)]++;
  }
  for (; at < last; at++) tables[min(bin_of(keys[at], shift, mask), bins)]++;
}

// Each worker adds up the tables for its share of the bins.
WORKER_KERNEL void histogram_merge_cpu(__global const uint* tables, uint number_of_tables, uint bins, uint stride,
                                       uint share, __global COUNT* counts) {
  const uint last = (uint)WORKER_LAST(bins, share);
  for (uint bin = (uint)WORKER_FIRST(bins, share); bin < last; bin++) {
    COUNT sum = 0;
    for (uint table = 0; table < number_of_tables; table++) sum += tables[table * (ulong)stride + bin];
    counts[bin] = sum;
  }
}
#endif
