// Exact scores of candidates: the hits among them, their number for each target, and their scores.
#include "common/items.clh"
#include "common/types.clh"

// The exact form of all targets (src/pwm/device_state.hpp): a word's score in double, as ScoreMatrix::score() has it.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Whether the word at `letter` is a hit: all of it bases and before the text's end, begun in the piece's own letters,
// and scored at least the threshold. Column i belongs to letter i of the word, or to the i-th from its end (step -1),
// so that columns are added in the motif's own order on both strands. `score` is left with its score where all letters
// are bases.
static inline bool is_hit(__global const uchar* codes, uint letter, uint size, uint own_begin, uint own_end,
                          __global const double* scores, uint first, uint length, int step, double threshold,
                          double* score) {
  if (letter < own_begin || letter >= own_end || length > size - letter) return false;
  double sum = 0;
  uint other = 0, at = step < 0 ? letter + length - 1 : letter;
  for (uint i = 0; i < length; i++, at += (uint)step) {
    const uint code = codes[at];
    other |= code & ~3u;
    sum += scores[4 * (first + i) + (code & 3)];
  }
  *score = sum;
  return other == 0 && sum >= threshold;
}

// Maximum number of targets for which count_hits_locally, the group form, keeps counters in local memory; 0: none.
#ifndef LOCAL_TARGETS
#define LOCAL_TARGETS 0
#endif

// What every kernel here is given of a text and the targets.
#define TEXT_AND_TARGETS                                                                            \
  __global const uchar *codes, uint size, uint own_begin, uint own_end, __global const uint *first, \
      __global const uint *length, __global const int *step, __global const double *scores,         \
      __global const double *threshold

// key: (target << 32) | letter
#define IS_HIT(key, score)                                                                              \
  is_hit(codes, (uint)(key), size, own_begin, own_end, scores, first[(key) >> 32], length[(key) >> 32], \
         step[(key) >> 32], threshold[(key) >> 32], &(score))

// flags[i]: whether candidate i is a hit.
ITEM_KERNEL void flag_hits(TEXT_AND_TARGETS, __global const ulong* keys, __global uchar* flags, ulong count,
                           ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    double score = 0;
    flags[i] = IS_HIT(keys[i], score) ? 1 : 0;
  }
}

// results[i]: the score of hit i.
ITEM_KERNEL void score_hits(TEXT_AND_TARGETS, __global const ulong* keys, __global double* results, ulong count,
                            ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    double score = 0;
    const bool hit = IS_HIT(keys[i], score);
    (void)hit;
    results[i] = score;
  }
}

// counts[target] grows by its hits; 32 bits are enough for one call's candidates. targets: how many there are.
#if defined(ONLY_CPU) || LOCAL_TARGETS == 0
ITEM_KERNEL void count_hits(TEXT_AND_TARGETS, __global const ulong* keys, volatile __global uint* counts, uint targets,
                            ulong count, ulong share) {
  (void)targets;
  FOR_EACH_ITEM(i, count, share) {
    double score = 0;
    if (IS_HIT(keys[i], score)) atomic_inc(counts + (keys[i] >> 32));
  }
}
#else
GROUP_KERNEL void count_hits_locally(TEXT_AND_TARGETS, __global const ulong* keys, volatile __global uint* counts,
                                     uint targets, ulong count, ulong share) {
  __local uint own[LOCAL_TARGETS];
  const uint item = (uint)get_local_id(0);
  for (uint t = item; t < LOCAL_TARGETS; t += GROUP_SIZE) own[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (ulong i = get_global_id(0); i < count; i += share) {
    double score = 0;
    if (IS_HIT(keys[i], score)) atomic_inc(own + (keys[i] >> 32));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint t = item; t < targets; t += GROUP_SIZE)
    if (own[t] != 0) atomic_add(counts + t, own[t]);
}
#endif

// totals[t] += counts[t]
ITEM_KERNEL void add_counts(__global const uint* counts, __global ulong* totals, ulong count, ulong share) {
  FOR_EACH_ITEM(t, count, share) totals[t] += counts[t];
}
