// The scan by slices (Giraud and Varre): a matrix is cut into slices of SLICE columns, and the scores of all 4^SLICE
// words of each are in a table. A letter that is no base counts as any here; the exact scores sort those places out.
#include "pwm/published/places.clh"

#ifndef SLICE
#define SLICE 4
#endif
// Of the longest matrix.
#ifndef SLICES
#define SLICES 16
#endif
#define WORD_BITS (2 * SLICE)
// Of a load of 32 letters.
#define LOAD_SLICES (32 / SLICE)

// 32 letters from `place` on, the first highest.
static inline ulong letters_at(__global const ulong* words, uint place) {
  const uint word = place / 32, shift = place % 32 * 2;
  return shift == 0 ? words[word] : words[word] << shift | words[word + 1] >> (64 - shift);
}

// table[slice][word of it]
PLACE_KERNEL void slices(PLACE_PARAMETERS, __global const ulong* words) {
  LOCAL_TABLE(local_table, SLICES << WORD_BITS);
  FOR_EACH_TARGET(target) {
    const uint length = lengths[target], count = (length + SLICE - 1) / SLICE;
    const float threshold = thresholds[target];
    TABLE_OF(table, target, local_table, count << WORD_BITS);
    FOR_EACH_PLACE(place, length) {
      float score = 0;
      for (uint first = 0; first < count; first += LOAD_SLICES) {
        ulong letters = letters_at(words, place + first * SLICE);
        for (uint slice = first; slice < min(count, first + LOAD_SLICES); slice++, letters <<= WORD_BITS)
          score += table[(slice << WORD_BITS) + (uint)(letters >> (64 - WORD_BITS))];
      }
      if (score >= threshold) KEEP(target, place);
    }
  }
}
