// Histograms of a bit field of 32-bit keys, of samples in bins of equal width, and of samples between given levels.
//
// Samples are in groups of CHANNELS, as the channels of a pixel. The first COUNTED of a group are counted, each in its
// own bins: those of channel c are counts[c * bins_each] and on.
//
// Defines: BINNING (BINS_OF_FIELD, ...), SAMPLE and LEVEL (types of samples and of limits of bins), REAL (1 for
// floats), SHIFTS (1: bins have a width of 2^shift), NARROW (1: 32 bits hold all intermediate values of an integer),
// CHANNELS, COUNTED, COUNT_WORDS (32-bit words of a count, 1 or 2), ALONE (1: the only group or worker), COPIES (a
// worker's tables, for `cpu`).
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#include "common/types.clh"
#include "primitives/wide_count.clh"

// BIN_OF(sample): its bin, or a number that is not below `bins_each`. BINNING_PARAMETERS: kernel parameters, each
// followed by a comma.
#define BINS_OF_FIELD 0
#define BINS_OF_EQUAL_WIDTH 1
#define BINS_BETWEEN_LEVELS 2
#define OUTSIDE UINT_MAX

#if BINNING == BINS_OF_FIELD
CALLERS_VECTOR(KeyQuad, uint4, uint);
#define BINNING_PARAMETERS uint shift, uint mask,
#define BIN_OF(sample) ((sample) >> shift & mask)

#elif BINNING == BINS_OF_EQUAL_WIDTH
#if REAL
typedef LEVEL FACTOR;
// The product can round up to the number of bins. NaNs are in no bin.
static inline uint bin_of(LEVEL sample, LEVEL lower, LEVEL upper, FACTOR factor, uint shift, uint bins) {
  const uint bin = min((uint)((sample - lower) * factor), bins - 1);
  return sample >= lower && sample < upper ? bin : OUTSIDE;
}
#elif NARROW
typedef float FACTOR;
#if SHIFTS
// A sample outside gets a number that is not below `bins`.
static inline uint bin_of(uint sample, uint lower, uint range, FACTOR factor, uint shift) {
  return (sample - lower) >> shift;
}
#else
// floor((sample - lower) * bins / range), with range <= 2^30. The float is wrong by 1 at most, since there are at most
// 2^16 bins, so the rest fits 32 bits. A sample outside gets the number of bins.
static inline uint bin_of(uint sample, uint lower, uint range, FACTOR factor, uint bins) {
  const uint offset = min(sample - lower, range);
  const uint bin = (uint)(int)((float)(int)offset * factor);
  const int rest = (int)(offset * bins - bin * range);
  return bin + (uint)(rest >= (int)range) - (uint)(rest < 0);
}
#endif
#else
typedef float FACTOR;
// floor((sample - lower) * bins / (upper - lower)), all of whose terms are below 2^49. With SHIFTS the width of a bin
// is 2^shift. Otherwise the float is wrong by 1 at most, since there are at most 2^16 bins.
static inline uint bin_of(LEVEL sample, LEVEL lower, LEVEL upper, FACTOR factor, uint shift, uint bins) {
  const ulong offset = (ulong)sample - (ulong)lower, range = (ulong)upper - (ulong)lower;
  uint bin = (uint)(offset >> shift);
  if (!SHIFTS) {
    bin = (uint)((float)(long)offset * factor);
    const long rest = (long)(offset * bins - bin * range);
    bin += (rest >= (long)range) - (rest < 0);
  }
  return sample >= lower && sample < upper ? bin : OUTSIDE;
}
#endif
#if !REAL && NARROW
#define BINNING_PARAMETERS uint lower, uint range, FACTOR factor, uint shift,
#define BIN_OF(sample) bin_of((uint)(sample), lower, range, factor, SHIFTS ? shift : bins_each)
#else
#define BINNING_PARAMETERS LEVEL lower, LEVEL upper, FACTOR factor, uint shift,
#define BIN_OF(sample) bin_of(sample, lower, upper, factor, shift, bins_each)
#endif

#else
// The last of bins_each + 1 levels that is not above each of `number` samples. NaNs are in no bin. Searches for several
// samples take turns, since each waits for its loads. No branch depends on the samples.
INLINED void bins_of(const LEVEL* samples, uint* found, uint number, __global const LEVEL* levels, uint bins) {
  for (uint i = 0; i < number; i++) found[i] = 0;
  for (uint left = bins; left > 1;) {
    const uint half_count = left / 2;
    for (uint i = 0; i < number; i++) found[i] += half_count & -(uint)(samples[i] >= levels[found[i] + half_count]);
    left -= half_count;
  }
  for (uint i = 0; i < number; i++)
    if (!(samples[i] >= levels[0] && samples[i] < levels[bins])) found[i] = OUTSIDE;
}
static inline uint bin_of(LEVEL sample, __global const LEVEL* levels, uint bins) {
  uint found[1];
  bins_of(&sample, found, 1, levels, bins);
  return found[0];
}
#define BINNING_PARAMETERS __global const LEVEL *levels,
#define BIN_OF(sample) bin_of(sample, levels, bins_each)
#endif

// The bin of channel `c` in the table of all channels.
static inline uint bin_of_channel(uint bin, uint c, uint bins_each) {
  return COUNTED == 1 ? bin : bin < bins_each ? c * bins_each + bin : OUTSIDE;
}
#define CHANNEL_BIN(at, c) bin_of_channel(BIN_OF(keys[(at)*CHANNELS + (c)]), c, bins_each)

#ifndef ONLY_CPU
#define ROWS (COUNTED == 1 ? 8 : 2)

static inline void count_key(volatile __local uint* table, uint bin, uint bins, uint number) {
  if (bin < bins) atomic_add(&table[bin], number);
}

// Group g counts chunk g / parts (fewer than 2^32 samples) into part g % parts of the bins, part_bins in local memory,
// and adds its table to `counts`, which are 0 at the start; a group ALONE stores it. Groups that read the same chunk
// are neighbours, so that it is read from memory once. `bins`: of all counted channels.
GROUP_KERNEL void histogram_gpu(__global const SAMPLE* keys, ulong count, ulong chunk,
                                BINNING_PARAMETERS uint bins_each, uint bins, uint parts, uint part_bins,
                                __local uint* table_memory, volatile __global uint* counts) {
  volatile __local uint* table = table_memory;
  const uint item = get_local_id(0), part = get_group_id(0) % parts;
  const uint first_bin = part * part_bins, own_bins = min(part_bins, bins - first_bin);
  const ulong first = get_group_id(0) / parts * chunk, last = min(count, first + chunk);
  for (uint bin = item; bin < own_bins; bin += GROUP_SIZE) table[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

#if BINNING == BINS_OF_FIELD
  for (ulong at = first + item * 4; at < last; at += GROUP_SIZE * 4) {
    if (at + 4 <= last) {
      const uint4 quad = *(__global const KeyQuad*)(keys + at);
      // A bin below first_bin wraps round to a large number.
      const uint a = BIN_OF(quad.x) - first_bin, b = BIN_OF(quad.y) - first_bin;
      const uint c = BIN_OF(quad.z) - first_bin, d = BIN_OF(quad.w) - first_bin;
      if (a == b && b == c && c == d) {  // runs of equal keys would wait for each other
        count_key(table, a, own_bins, 4);
      } else {
        count_key(table, a, own_bins, 1);
        count_key(table, b, own_bins, 1);
        count_key(table, c, own_bins, 1);
        count_key(table, d, own_bins, 1);
      }
    } else {
      for (ulong i = at; i < last; i++) count_key(table, BIN_OF(keys[i]) - first_bin, own_bins, 1);
    }
  }
#else
  // ROWS groups of samples are in flight together.
  ulong base = first;
  for (; base + GROUP_SIZE * ROWS <= last; base += GROUP_SIZE * ROWS) {
    SAMPLE samples[ROWS * COUNTED];
#pragma unroll
    for (uint row = 0; row < ROWS; row++)
#pragma unroll
      for (uint c = 0; c < COUNTED; c++)
        samples[row * COUNTED + c] = keys[(base + row * GROUP_SIZE + item) * CHANNELS + c];
#pragma unroll
    for (uint k = 0; k < ROWS * COUNTED; k++)
      count_key(table, bin_of_channel(BIN_OF(samples[k]), k % COUNTED, bins_each) - first_bin, own_bins, 1);
  }
  for (ulong at = base + item; at < last; at += GROUP_SIZE)
#pragma unroll
    for (uint c = 0; c < COUNTED; c++) count_key(table, CHANNEL_BIN(at, c) - first_bin, own_bins, 1);
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
#if ALONE
  for (uint bin = item; bin < own_bins; bin += GROUP_SIZE) {
    counts[bin * COUNT_WORDS] = table[bin];
    if (COUNT_WORDS == 2) counts[bin * COUNT_WORDS + 1] = 0;
  }
#else
  for (uint bin = item; bin < own_bins; bin += GROUP_SIZE)
    if (table[bin] != 0) add_to_count(counts, first_bin + bin, table[bin]);
#endif
}
#endif

#ifndef ONLY_GPU
// Equal keys one after the other would wait for each other's store: four tables take turns where they fit the cache.
#ifndef COPIES
#error "COPIES comes from the host"
#endif
// Samples whose bins are found together. A block stays in memory between the two loops: compilers keep 16 in vector
// registers, from which each bin takes two instructions.
#define BLOCK (BINNING == BINS_BETWEEN_LEVELS ? 16 : 128)
#if COUNT_WORDS == 1
#define COUNT uint
#else
#define COUNT ulong
#endif

// tables[(worker * COPIES + copy) * stride]: `bins` counts of all counted channels, and one of the samples outside,
// which is not used. A worker ALONE also adds them up.
WORKER_KERNEL void histogram_cpu(__global const SAMPLE* keys, ulong count, ulong share,
                                 BINNING_PARAMETERS uint bins_each, uint bins, uint stride, __global uint* tables,
                                 __global COUNT* counts) {
  ulong at = WORKER_FIRST(count, share);
  const ulong last = WORKER_LAST(count, share);
  tables += get_group_id(0) * COPIES * (ulong)stride;
  for (uint i = 0; i < COPIES * stride; i++) tables[i] = 0;
#if BINNING == BINS_OF_FIELD
  for (; at + COPIES <= last; at += COPIES) {
#pragma unroll
    for (uint copy = 0; copy < COPIES; copy++) tables[copy * stride + min(BIN_OF(keys[at + copy]), bins)]++;
  }
#else
  for (; at + BLOCK <= last; at += BLOCK)
    for (uint c = 0; c < COUNTED; c++) {
      uint found[BLOCK];
#if BINNING == BINS_BETWEEN_LEVELS
      LEVEL samples[BLOCK];
      for (uint i = 0; i < BLOCK; i++) samples[i] = keys[(at + i) * CHANNELS + c];
      bins_of(samples, found, BLOCK, levels, bins_each);
#else
      for (uint i = 0; i < BLOCK; i++) found[i] = BIN_OF(keys[(at + i) * CHANNELS + c]);
#endif
      for (uint i = 0; i < BLOCK; i++) found[i] = min(bin_of_channel(found[i], c, bins_each), bins);
      for (uint i = 0; i < BLOCK; i += COPIES)
#pragma unroll
        for (uint copy = 0; copy < COPIES; copy++) tables[copy * stride + found[i + copy]]++;
    }
#endif
  for (; at < last; at++)
    for (uint c = 0; c < COUNTED; c++) tables[min(CHANNEL_BIN(at, c), bins)]++;
#if ALONE
  for (uint bin = 0; bin < bins; bin++) {
    COUNT sum = 0;
    for (uint copy = 0; copy < COPIES; copy++) sum += tables[copy * stride + bin];
    counts[bin] = sum;
  }
#endif
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
