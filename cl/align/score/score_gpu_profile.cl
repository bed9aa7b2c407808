// Computes the query profiles of the `gpu` scoring kernels.
#include "align/score/score_gpu_words.clh"
#include "common/items.clh"

#define QUERY_SIDES (FORM == FORM_QUERIES ? 2 : 1)
// Letters in a row of the matrix.
#ifndef MATRIX_LETTERS
#error "MATRIX_LETTERS comes from the host"
#endif

// The score includes the cost of a gap's first residue, as the recurrence requires.
static inline int score_at(__global const char* matrix, uint code, uint letter) {
  return (int)matrix[code * MATRIX_LETTERS + letter] + GAP_FIRST;
}

// profiles[strip][letter][vector][lane][row of the vector] (score_gpu_rows.clh) of the strips from first_strip on.
// rows: codes[strip][side][row] of all strips. matrix: [code][letter]. A code is a letter, the absence of a row, or a
// row of a profile.
ITEM_KERNEL void make_profiles(__global const uint* rows, __global const char* matrix, __global uint* profiles,
                               ulong words, uint first_strip, ulong share) {
  FOR_EACH_ITEM(w, words, share) {
    const uint strip = first_strip + (uint)(w / STRIP_WORDS), place = (uint)(w % STRIP_WORDS);
    const uint letter = place / LETTER_WORDS, of_letter = place % LETTER_WORDS;
    const uint words_per_vector = FORM == FORM_SUBJECTS ? VECTOR_ROWS / 4 : VECTOR_ROWS;
    const uint vector = of_letter / (LANES * words_per_vector), of_vector = of_letter % (LANES * words_per_vector);
    const uint lane = of_vector / words_per_vector, word_of_vector = of_vector % words_per_vector;
    uint value = 0;
#if FORM == FORM_SUBJECTS
    const uint row = lane * ROWS + vector * VECTOR_ROWS + word_of_vector * 4;
    for (uint i = 0; i < 4; i++) {
      const int score = score_at(matrix, rows[(ulong)strip * STRIP_ROWS + row + i], letter);
      value |= (as_uint(max(score, -128)) & 0xffu) << (8 * i);
    }
#else
    const uint row = lane * ROWS + vector * VECTOR_ROWS + word_of_vector;
    __global const uint* code = rows + (ulong)strip * QUERY_SIDES * STRIP_ROWS + row;
    value = as_uint(score_at(matrix, code[0], letter));
    if (FORM == FORM_QUERIES)
      value = (value & 0xffffu) | as_uint(score_at(matrix, code[STRIP_ROWS * (QUERY_SIDES - 1)], letter)) << 16;
#endif
    profiles[w] = value;
  }
}
