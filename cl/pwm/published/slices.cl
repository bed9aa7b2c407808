// The scan by slices (Giraud and Varre): a matrix is cut into slices of SLICE columns, and the scores of all 4^SLICE
// words of each are in a table. A letter that is no base counts as any here; the exact scores sort those places out.
// With MATRICES above 1, the entries of that number of matrices for a word are next to each other, in global memory.
#include "pwm/published/places.clh"

#ifndef SLICE
#define SLICE 4
#endif
// Of the longest matrix.
#ifndef SLICES
#define SLICES 16
#endif
#ifndef MATRICES
#define MATRICES 1
#endif
#define WORD_BITS (2 * SLICE)
// Of a load of 32 letters.
#define LOAD_SLICES (32 / SLICE)

// 32 letters from `place` on, the first highest.
static inline ulong letters_at(__global const ulong* words, uint place) {
  const uint word = place / 32, shift = place % 32 * 2;
  return shift == 0 ? words[word] : words[word] << shift | words[word + 1] >> (64 - shift);
}

// Adds to `score` the entries of `count` slices of the word at `place`: table[slice][word of it].
#define ADD_SLICES(score, table, place, count)                                     \
  for (uint first = 0; first < (count); first += LOAD_SLICES) {                    \
    ulong letters = letters_at(words, (place) + first * SLICE);                    \
    for (uint slice = first; slice < min((count), first + LOAD_SLICES); slice++) { \
      score += table[(slice << WORD_BITS) + (uint)(letters >> (64 - WORD_BITS))];  \
      letters <<= WORD_BITS;                                                       \
    }                                                                              \
  }

#if MATRICES > 1

#if MATRICES == 2
typedef float2 Scores;
#define KEEP_SCORES vstore2
#else
typedef float4 Scores;
#define KEEP_SCORES vstore4
#endif

// Targets [first, first + count) of one group of MATRICES: the fewest letters of one, and the most.
static inline uint2 lengths_of(__global const uint* lengths, uint first, uint count) {
  uint2 range = (uint2)(lengths[first]);
  for (uint i = 1; i < count; i++) {
    range.x = min(range.x, lengths[first + i]);
    range.y = max(range.y, lengths[first + i]);
  }
  return range;
}

#endif

PLACE_KERNEL void slices(PLACE_PARAMETERS, __global const ulong* words) {
#if MATRICES > 1
  // table[slice][word of it][target of the group]: one read has the entries of all. Targets of a group that are not
  // searched are in the read only.
  const uint behind = first_target + targets;
  for (uint from = first_target; from < behind; from += MATRICES - from % MATRICES) {
    const uint group = from - from % MATRICES, to = min(behind, group + MATRICES);
    const uint2 letters_of = lengths_of(lengths, from, to - from);
    const uint count = (letters_of.y + SLICE - 1) / SLICE;
    __global const Scores* table = (__global const Scores*)(tables + table_begin[from]);
    FOR_EACH_PLACE(place, letters_of.x) {
      Scores sum = (Scores)(0);
      ADD_SLICES(sum, table, place, count)
      float score[MATRICES];
      KEEP_SCORES(sum, 0, score);
      for (uint target = from; target < to; target++)
        if (score[target - group] >= thresholds[target] && place + lengths[target] <= size) KEEP(target, place);
    }
  }
#else
  LOCAL_TABLE(local_table, SLICES << WORD_BITS);
  FOR_EACH_TARGET(target) {
    const uint length = lengths[target], count = (length + SLICE - 1) / SLICE;
    const float threshold = thresholds[target];
    TABLE_OF(table, target, local_table, count << WORD_BITS);
    FOR_EACH_PLACE(place, length) {
      float score = 0;
      ADD_SLICES(score, table, place, count)
      if (score >= threshold) KEEP(target, place);
    }
  }
#endif
}
