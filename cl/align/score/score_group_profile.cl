// Before and after the scoring kernels of the family `group`: query profiles, and the pairs that need wider cells.
#include "align/score/score_group_words.clh"
#include "common/items.clh"

#define QUERY_COLUMNS (FORM == FORM_QUERIES ? 2 : 1)
// Rows with this code belong to no query.
#define NO_ROW 32

// With the first residue of a gap, as the recurrence adds it.
static inline int score_at(__global const char* matrix, uint code, uint letter, int gap_first) {
  return (int)matrix[code * 32 + letter] + gap_first;
}

// profiles[pass][letter][vector][lane][row of the vector] (score_group_rows.clh) of the passes from first_pass on.
// rows: codes[pass][column][row] of all passes; matrix: [code][letter], codes up to NO_ROW.
ITEM_KERNEL void make_profiles(__global const uchar* rows, __global const char* matrix, __global uint* profiles,
                               ulong words, uint first_pass, int gap_first, ulong share) {
  FOR_EACH_ITEM(w, words, share) {
    const uint pass = first_pass + (uint)(w / PASS_WORDS), place = (uint)(w % PASS_WORDS);
    const uint letter = place / LETTER_WORDS, of_letter = place % LETTER_WORDS;
    const uint words_per_vector = FORM == FORM_SUBJECTS ? VECTOR_ROWS / 4 : VECTOR_ROWS;
    const uint vector = of_letter / (LANES * words_per_vector), of_vector = of_letter % (LANES * words_per_vector);
    const uint lane = of_vector / words_per_vector, word_of_vector = of_vector % words_per_vector;
    uint value = 0;
#if FORM == FORM_SUBJECTS
    const uint row = lane * ROWS + vector * VECTOR_ROWS + word_of_vector * 4;
    for (uint i = 0; i < 4; i++) {
      const int score = score_at(matrix, rows[(ulong)pass * PASS_ROWS + row + i], letter, gap_first);
      value |= (as_uint(max(score, -128)) & 0xffu) << (8 * i);
    }
#else
    const uint row = lane * ROWS + vector * VECTOR_ROWS + word_of_vector;
    __global const uchar* code = rows + (ulong)pass * QUERY_COLUMNS * PASS_ROWS + row;
    value = as_uint(score_at(matrix, code[0], letter, gap_first));
    if (FORM == FORM_QUERIES)
      value = (value & 0xffffu) | as_uint(score_at(matrix, code[PASS_ROWS * (QUERY_COLUMNS - 1)], letter, gap_first))
                                      << 16;
#endif
    profiles[w] = value;
  }
}

// The places of scores that are `limit` or more, in any order; found[0]: how many.
ITEM_KERNEL void list_saturated(__global const int* scores, ulong pairs, int limit, __global uint* found,
                                __global ulong* places, uint room, ulong share) {
  FOR_EACH_ITEM(i, pairs, share) {
    if (scores[i] >= limit) {
      const uint place = atomic_inc(found);
      if (place < room) places[place] = i;
    }
  }
}
