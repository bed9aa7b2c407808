// Banded affine alignment of DNA pairs with two-piece gap costs, clipped query ends and end bonuses: see
// include/genocl/pairwise/banded.hpp. Gotoh's recurrence by rows of the query; a byte a cell keeps the choices for the
// traceback.
//
// Column b of row i is text base i + b of the band: the diagonal lies still. `lanes` aligns 16 pairs side by side, a
// 16-bit lane each; in `group` a work-item aligns one.
#include "common/items.clh"

#ifdef ONLY_LANES
#define LANES 16
typedef short16 Lanes;
typedef Lanes Cells;
typedef short Lane;
typedef uchar16 Choices;
typedef const Lanes* Letters;
#define TO_CHOICES(x) convert_uchar16(x)
#else
#define LANES 1
// GPUs compute 32 bits as fast as 16; in memory 16 take less.
typedef int Lanes;
typedef short Cells;
typedef int Lane;
typedef uchar Choices;
typedef __global const uchar* Letters;
#define TO_CHOICES(x) (uchar)(x)
#endif
#define LANE(vector, l) (((Lane*)&(vector))[l])
#define ALL(x) ((Lanes)(Lane)(x))

#define MAX_DIAGONALS 160
#define MAX_ROWS 1000

// Below every score, with room for one more cost.
#define NO_SCORE (-16000)
// Letters as the host gives them: bases 0 to 3, another letter of a query 4, of a text 5, and what stands beside a text
// or behind a query.
#define UNKNOWN 4
#define OUTSIDE 32

// The choices of a cell: where its score comes from (1: the diagonal, 2 and 4: a deletion of the first and second
// piece, 3 and 5: an insertion), whether each gap goes on, and whether the alignment begins here.
#define FROM 7
#define DELETION_EXTENDS 8
#define INSERTION_EXTENDS 16
#define DELETION2_EXTENDS 32
#define INSERTION2_EXTENDS 64
#define BEGINS 128

// The text begins at the band's first diagonal and has query_length + diagonals - 1 letters.
typedef struct {
  uint query, query_length, text;
  int begin_bonus, end_bonus;
} Pair;

// Rows [query_begin, query_end) and text letters [text_begin, text_end). The runs are those of the traceback, last
// first.
typedef struct {
  int score, query_begin, query_end, text_begin, text_end, runs;
} Result;

typedef struct {
  short match, mismatch, ambiguous;
  short first, extend, first2, extend2;  // of gaps; the first base of one costs open + extend
} Costs;

INLINED Lanes pair_scores(Lanes query, Lanes text, bool special, const Costs* costs) {
  Lanes score = query == text ? ALL(costs->match) : ALL(-costs->mismatch);
  if (special) {
    const Lanes both = query | text;
    score = (both & ALL(UNKNOWN)) != ALL(0) ? ALL(-costs->ambiguous) : score;
    score = (both & ALL(OUTSIDE)) != ALL(0) ? ALL(NO_SCORE) : score;
  }
  return score;
}

// Fills the choices of `rows` rows, cell (i, b) of lane l at (i * diagonals + b) * stride + l, and gives the best last
// cell of each lane.
INLINED void fill_band(Letters query, Letters text, uint rows, uint diagonals, bool special, Lanes last_row,
                       Lanes begin_bonus, Lanes end_bonus, const Costs* costs, __global uchar* choices, ulong stride,
                       Lanes* best_score, Lanes* best_row, Lanes* best_column) {
  Cells score[MAX_DIAGONALS + 1], insertion[MAX_DIAGONALS + 1], insertion2[MAX_DIAGONALS + 1];
  for (uint b = 0; b < diagonals; b++) {
    score[b] = (Cells)(0);
    insertion[b] = insertion2[b] = (Cells)(NO_SCORE);
  }
  score[diagonals] = insertion[diagonals] = insertion2[diagonals] = (Cells)(NO_SCORE);
  Lanes best = ALL(0), row_of_best = ALL(0), column_of_best = ALL(0);
  for (uint i = 0; i < rows; i++) {
    const Lanes letter = (Lanes)query[i];
    const Lanes start = i == 0 ? begin_bonus : ALL(0);
    const Lanes bonus = last_row == ALL(i) ? end_bonus : ALL(0);
    Lanes left = ALL(NO_SCORE), deletion = ALL(NO_SCORE), deletion2 = ALL(NO_SCORE);
    Lanes row_best = ALL(NO_SCORE), row_column = ALL(0);
    __global uchar* out = choices + (ulong)i * diagonals * stride;
    for (uint b = 0; b < diagonals; b++, out += stride) {
      const Lanes before = (Lanes)score[b], above = (Lanes)score[b + 1];
      Lanes choice = before <= start ? ALL(BEGINS + 1) : ALL(1);
      const Lanes diagonal = max(before, start) + pair_scores(letter, (Lanes)text[i + b], special, costs);

      Lanes opened = above - ALL(costs->first), extended = (Lanes)insertion[b + 1] - ALL(costs->extend);
      choice |= extended > opened ? ALL(INSERTION_EXTENDS) : ALL(0);
      const Lanes gap = max(opened, extended);
      insertion[b] = (Cells)gap;
      opened = above - ALL(costs->first2);
      extended = (Lanes)insertion2[b + 1] - ALL(costs->extend2);
      choice |= extended > opened ? ALL(INSERTION2_EXTENDS) : ALL(0);
      const Lanes gap2 = max(opened, extended);
      insertion2[b] = (Cells)gap2;
      opened = left - ALL(costs->first);
      extended = deletion - ALL(costs->extend);
      choice |= extended > opened ? ALL(DELETION_EXTENDS) : ALL(0);
      deletion = max(opened, extended);
      opened = left - ALL(costs->first2);
      extended = deletion2 - ALL(costs->extend2);
      choice |= extended > opened ? ALL(DELETION2_EXTENDS) : ALL(0);
      deletion2 = max(opened, extended);

      // A better source has its number in place of the 1.
      Lanes best_here = diagonal, from = ALL(1);
      from = deletion > best_here ? ALL(2) : from;
      best_here = max(best_here, deletion);
      from = gap > best_here ? ALL(3) : from;
      best_here = max(best_here, gap);
      from = deletion2 > best_here ? ALL(4) : from;
      best_here = max(best_here, deletion2);
      from = gap2 > best_here ? ALL(5) : from;
      best_here = max(max(best_here, gap2), ALL(0));
      choice = (choice & ALL(0xff - 1)) | from;
      *(__global Choices*)out = TO_CHOICES(choice);

      const Lanes ended = diagonal + bonus;
      row_column = ended > row_best ? ALL(b) : row_column;
      row_best = max(row_best, ended);
      left = best_here;
      score[b] = (Cells)best_here;
    }
    const Lanes better = row_best > best;
    row_of_best = better ? ALL(i) : row_of_best;
    column_of_best = better ? row_column : column_of_best;
    best = max(best, row_best);
  }
  *best_score = best;
  *best_row = row_of_best;
  *best_column = column_of_best;
}

// Writes the runs of one pair from its last cell backwards, as BAM encodes them (M 0, I 1, D 2); counts those that have
// no room, too.
INLINED void trace_back(__global const uchar* choices, ulong stride, uint diagonals, int row, int column,
                        __global uint* runs, uint max_runs, Result* result) {
  uint count = 0, operation = 0, length = 0, state = 1;
  bool first = true;
  result->query_end = row + 1;
  result->text_end = row + column + 1;
  for (;;) {
    const uint choice = choices[((ulong)row * diagonals + (ulong)column) * stride];
    if (state == 1 && !first) state = choice & FROM;
    first = false;
    const uint next = state == 1 ? 0u : (state & 1) != 0 ? 1u : 2u;
    if (next != operation && length > 0) {
      if (count < max_runs) runs[count] = length << 4 | operation;
      count++;
      length = 0;
    }
    operation = next;
    length++;
    if (state == 1) {
      if ((choice & BEGINS) != 0 || row == 0) break;
      row--;
    } else {
      const uint goes_on = state == 2   ? DELETION_EXTENDS
                           : state == 3 ? INSERTION_EXTENDS
                           : state == 4 ? DELETION2_EXTENDS
                                        : INSERTION2_EXTENDS;
      if ((choice & goes_on) == 0) state = 1;
      if (next == 1) {
        row--;
        column++;
      } else {
        column--;
      }
    }
  }
  if (count < max_runs) runs[count] = length << 4 | operation;
  result->runs = (int)(count + 1);
  result->query_begin = row;
  result->text_begin = row + column;
}

// results[i] and runs[max_runs * i ...] of pair i. `choices` has room for `max_rows` rows of every worker (`lanes`) or
// work-item.
ITEM_KERNEL void align_banded(__global const uchar* queries, __global const uchar* texts, __global const Pair* pairs,
                              ulong count, uint diagonals, uint max_rows, short match, short mismatch, short ambiguous,
                              short first, short extend, short first2, short extend2, __global uchar* choices,
                              uint max_runs, __global Result* results, __global uint* runs, ulong share) {
  const Costs costs = {match, mismatch, ambiguous, first, extend, first2, extend2};
#ifdef ONLY_LANES
  const ulong stride = LANES;
  __global uchar* own = choices + (ulong)get_group_id(0) * max_rows * diagonals * LANES;
#else
  const ulong stride = get_global_size(0);
  __global uchar* own = choices + get_global_id(0);
#endif
#ifdef ONLY_LANES
  Lanes query[MAX_ROWS], text[MAX_ROWS + MAX_DIAGONALS];
#endif
  FOR_EACH_ITEM(block, (count + LANES - 1) / LANES, share) {
    Pair own_pairs[LANES];
    uint rows = 0, seen = 0;
    Lanes last_row, begin_bonus, own_end_bonus;
    for (uint l = 0; l < LANES; l++) {
      own_pairs[l] = pairs[min(block * LANES + l, count - 1)];
      rows = max(rows, own_pairs[l].query_length);
      LANE(last_row, l) = (Lane)((int)own_pairs[l].query_length - 1);
      LANE(begin_bonus, l) = (Lane)own_pairs[l].begin_bonus;
      LANE(own_end_bonus, l) = (Lane)own_pairs[l].end_bonus;
    }
#ifdef ONLY_LANES
    for (uint l = 0; l < LANES; l++) {
      const Pair pair = own_pairs[l];
      for (uint i = 0; i < rows; i++) {
        const uint letter = i < pair.query_length ? queries[pair.query + i] : (uint)OUTSIDE;
        LANE(query[i], l) = (short)letter;
        seen |= letter;
      }
      for (uint c = 0; c < rows + diagonals - 1; c++) {
        const uint letter = c < pair.query_length + diagonals - 1 ? texts[pair.text + c] : (uint)OUTSIDE;
        LANE(text[c], l) = (short)letter;
        seen |= letter;
      }
    }
#else
    Letters query = queries + own_pairs[0].query, text = texts + own_pairs[0].text;
    seen = ~0u;
#endif
    Lanes best, best_row, best_column;
    fill_band(query, text, rows, diagonals, seen > 3, last_row, begin_bonus, own_end_bonus, &costs, own, stride, &best,
              &best_row, &best_column);
    for (uint l = 0; l < LANES; l++) {
      const ulong item = block * LANES + l;
      if (item >= count) break;
      Result result = {LANE(best, l), 0, 0, 0, 0, 0};
      if (result.score > 0)
        trace_back(own + l, stride, diagonals, LANE(best_row, l), LANE(best_column, l), runs + item * max_runs,
                   max_runs, &result);
      results[item] = result;
    }
  }
}
