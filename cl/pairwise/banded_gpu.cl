// Banded affine alignment on GPUs: the work-items of a group align several pairs, COLUMNS diagonals of a pair each,
// kept in registers. Item t of a pair is at row i in step i + t: it computes the left half of its columns, for which
// the item to its left has passed the end of the same row, and then the right half, for which the item to its right has
// passed the beginning of the row above.
//
// Scores are multiples of 8: the number of a cell's source travels in the three bits below, so that one maximum finds
// both.

#define COLUMNS 8
#define HALF 4
#define SHIFT 3
// A cell's choices are a byte; row i of item t is written in step i + t, the first column of each half in the highest
// byte of a word. `width`: the items of a pair.
#define CHOICE_AT(choices, width, row, column)                                                                     \
  (uint)(choices)[(((ulong)(row) + ((ulong)(column) >> SHIFT)) * (width) + ((ulong)(column) >> SHIFT)) * COLUMNS + \
                  ((ulong)((column) & (COLUMNS - 1)) ^ (HALF - 1))]
#include "pairwise/banded.clh"

// Appends the sign of a difference to a word of choices.
#define APPEND_SIGN(word, difference) ((word) << 1 | (uint)(difference) >> 31)

// What items pass one another: H, and of the gaps of both pieces what a neighbour extends.
typedef struct {
  int score, gap, gap2;
} Edge;

typedef struct {
  int first, extend, first2, extend2;
} GapCosts;

// Computes `HALF` cells of a row from column `begin`. `right` is the cell beyond them in the row above, `left` the one
// before them in the same row, which becomes the last one. Returns their choices. `key` holds the highest score of a
// last cell so far, with the first of its columns in the lowest bits.
INLINED uint half_row(int* score, int* insertion, int* insertion2, uint begin, uint letters, uint letter, int same,
                      int differ, int ambiguous, Edge right, const GapCosts* gaps, Edge* left, int* key) {
  int pair_scores[HALF];
#pragma unroll
  for (uint c = 0; c < HALF; c++) pair_scores[c] = (letters >> 8 * c & 0xff) == letter ? same : differ;
  if ((letters & 0x24242424u) != 0) {
#pragma unroll
    for (uint c = 0; c < HALF; c++) {
      const uint own = letters >> 8 * c & 0xff;
      pair_scores[c] = (own & OUTSIDE) != 0 ? NO_SCORE << SHIFT : (own & UNKNOWN) != 0 ? ambiguous : pair_scores[c];
    }
  }
  uint word = 0;
#pragma unroll
  for (uint c = 0; c < HALF; c++) {
    const uint b = begin + c;
    const bool last = c == HALF - 1;
    const int before = score[b], above = last ? right.score : score[last ? b : b + 1];
    const int above_gap = last ? right.gap : insertion[last ? b : b + 1];
    const int above_gap2 = last ? right.gap2 : insertion2[last ? b : b + 1];
    word = APPEND_SIGN(word, before - 1);
    const int diagonal = before + pair_scores[c];
    *key = max(*key, diagonal + (int)(COLUMNS - 1 - FROM_DIAGONAL - b));

    int extended = above_gap - gaps->extend;
    word = APPEND_SIGN(word, above - gaps->first - extended);
    insertion[b] = max(above - gaps->first, extended);
    extended = above_gap2 - gaps->extend2;
    word = APPEND_SIGN(word, above - gaps->first2 - extended);
    insertion2[b] = max(above - gaps->first2, extended);
    int best = max(diagonal, max(insertion[b] + FROM_INSERTION, insertion2[b] + FROM_INSERTION2));

    extended = left->gap - gaps->extend;
    word = APPEND_SIGN(word, left->score - gaps->first - extended);
    left->gap = max(left->score - gaps->first, extended);
    extended = left->gap2 - gaps->extend2;
    word = APPEND_SIGN(word, left->score - gaps->first2 - extended);
    left->gap2 = max(left->score - gaps->first2, extended);
    best = max(best, max(left->gap + FROM_DELETION, left->gap2 + FROM_DELETION2));

    word = word << SHIFT | ((uint)best & FROM);
    score[b] = left->score = max(best, 0) & ~FROM;
  }
  return word;
}

// results[i] and runs[max_runs * i ...] of pair i. `choices` holds max_rows + width - 1 steps of every pair that
// a group aligns at a time; `width` is the number of work-items of a pair.
GROUP_KERNEL void align_banded_gpu(__global const uchar* queries, __global const uchar* texts,
                                   __global const Pair* pairs, ulong count, uint diagonals, uint width, uint max_rows,
                                   short match, short mismatch, short ambiguous, short first, short extend,
                                   short first2, short extend2, __global uchar* choices, uint max_runs,
                                   __global Result* results, __global uint* runs) {
  __local Edge to_left[GROUP_SIZE], to_right[GROUP_SIZE];
  __local uint longest[1];
  const uint item = get_local_id(0), own_pair = item / width, t = item % width;
  const uint group_pairs = GROUP_SIZE / width;
  const uint columns = min((uint)COLUMNS, diagonals - t * COLUMNS);
  const GapCosts gaps = {first << SHIFT, extend << SHIFT, first2 << SHIFT, extend2 << SHIFT};
  const Edge none = {NO_SCORE << SHIFT, NO_SCORE << SHIFT, NO_SCORE << SHIFT};
  const ulong own_bytes = (ulong)(max_rows + width - 1) * width * COLUMNS;
  __global uchar* own = choices + ((ulong)get_group_id(0) * group_pairs + own_pair) * own_bytes;
  for (ulong block = get_group_id(0); block * group_pairs < count; block += get_num_groups(0)) {
    const ulong number = block * group_pairs + own_pair;
    const bool idle = own_pair >= group_pairs || number >= count;
    const Pair pair = pairs[idle ? 0 : number];
    const uint rows = idle ? 0u : pair.query_length;
    if (item == 0) longest[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) atomic_max(longest, rows);
    int score[COLUMNS], insertion[COLUMNS], insertion2[COLUMNS];
    uint letters = 0, letters2 = 0;
    __global const uchar* query = queries + pair.query;
    __global const uchar* text = texts + pair.text;
    const uint text_end = pair.query_length + diagonals - 2;
#pragma unroll
    for (uint b = 0; b < COLUMNS; b++) {
      score[b] = b < columns ? 0 : NO_SCORE << SHIFT;
      insertion[b] = insertion2[b] = NO_SCORE << SHIFT;
      const uint letter = text[min(t * COLUMNS + b, text_end)];
      if (b < HALF)
        letters |= letter << 8 * b;
      else
        letters2 |= letter << 8 * (b - HALF);
    }
    to_left[item] = none;
    to_left[item].score = 0;
    uint next_letter = query[0], next_text = text[min((t + 1) * COLUMNS, text_end)];
    int best = 0;
    uint best_row = 0, best_column = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint steps = longest[0] + width - 1;
    for (uint step = 0; step < steps; step++) {
      const uint i = step - t;
      const bool active = step >= t && i < rows;
      const uint letter = next_letter;
      const int start = i == 0 ? pair.begin_bonus : 0;
      const int other = ((start - ambiguous) << SHIFT) + FROM_DIAGONAL;
      const int same = letter < UNKNOWN ? ((start + match) << SHIFT) + FROM_DIAGONAL : other;
      const int differ = letter < UNKNOWN ? ((start - mismatch) << SHIFT) + FROM_DIAGONAL : other;
      Edge left = none;
      int key = NO_SCORE << SHIFT;
      uint word = 0;
      if (active) {
        if (t > 0) left = to_right[item - 1];
        const Edge middle = {score[HALF], insertion[HALF], insertion2[HALF]};
        word =
            half_row(score, insertion, insertion2, 0, letters, letter, same, differ, other, middle, &gaps, &left, &key);
        const Edge edge = {score[0], insertion[0], insertion2[0]};
        to_left[item] = edge;
        next_letter = query[min(i + 1, rows - 1)];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      if (active) {
        const Edge right = t + 1 < width ? to_left[item + 1] : none;
        const uint word2 = half_row(score, insertion, insertion2, HALF, letters2, letter, same, differ, other, right,
                                    &gaps, &left, &key);
        to_right[item] = left;
        *(__global uint2*)(own + ((ulong)step * width + t) * COLUMNS) = (uint2)(word, word2);
        const int total = (key >> SHIFT) + (i == rows - 1 ? pair.end_bonus : 0);
        if (total > best) {
          best = total;
          best_row = i;
          best_column = t * COLUMNS + COLUMNS - 1 - ((uint)key & (COLUMNS - 1));
        }
        if (columns < COLUMNS) {
#pragma unroll
          for (uint b = 1; b < COLUMNS; b++) score[b] = b < columns ? score[b] : NO_SCORE << SHIFT;
        }
        letters = letters >> 8 | letters2 << 24;
        letters2 = letters2 >> 8 | next_text << 24;
        next_text = text[min(i + 2 + t * COLUMNS + COLUMNS - 1, text_end)];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    // Of equal scores the one in the first row, and there in the first column.
    const Edge found = {best, (int)best_row, (int)best_column};
    to_left[item] = found;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (t == 0 && !idle) {
      Edge chosen = found;
      for (uint k = 1; k < width; k++) {
        const Edge one = to_left[item + k];
        if (one.score > chosen.score || (one.score == chosen.score && one.gap < chosen.gap)) chosen = one;
      }
      Result result = {chosen.score, 0, 0, 0, 0, 0};
      if (result.score > 0)
        trace_back(own, width, chosen.gap, chosen.gap2, runs + number * max_runs, max_runs, &result);
      results[number] = result;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
