// Banded affine alignment on CPUs: 16 pairs side by side, a 16-bit lane each.
#define LANES 16
// `choices` are those of one lane, `width` the number of diagonals.
#define CHOICE_AT(choices, width, row, column) (uint)(choices)[((ulong)(row) * (width) + (ulong)(column)) * LANES]
#include "pairwise/banded.clh"

typedef short16 Lanes;
typedef short Lane;
#define LANE(vector, l) (((Lane*)&(vector))[l])
#define ALL(x) ((Lanes)(Lane)(x))

#define MAX_DIAGONALS 160
#define MAX_ROWS 1000

INLINED Lanes pair_scores(Lanes query, Lanes text, bool special, const Costs* costs) {
  Lanes score = query == text ? ALL(costs->match) : ALL(-costs->mismatch);
  if (special) {
    const Lanes both = query | text;
    score = (both & ALL(UNKNOWN)) != ALL(0) ? ALL(-costs->ambiguous) : score;
    score = (both & ALL(OUTSIDE)) != ALL(0) ? ALL(NO_SCORE) : score;
  }
  return score;
}

// Fills the choices of `rows` rows, cell (i, b) of lane l at (i * diagonals + b) * LANES + l, and gives the best last
// cell of each lane.
INLINED void fill_band(const Lanes* query, const Lanes* text, uint rows, uint diagonals, bool special, Lanes last_row,
                       Lanes begin_bonus, Lanes end_bonus, const Costs* costs, __global uchar* choices,
                       Lanes* best_score, Lanes* best_row, Lanes* best_column) {
  Lanes score[MAX_DIAGONALS + 1], insertion[MAX_DIAGONALS + 1], insertion2[MAX_DIAGONALS + 1];
  for (uint b = 0; b < diagonals; b++) {
    score[b] = ALL(0);
    insertion[b] = insertion2[b] = ALL(NO_SCORE);
  }
  score[diagonals] = insertion[diagonals] = insertion2[diagonals] = ALL(NO_SCORE);
  Lanes best = ALL(0), row_of_best = ALL(0), column_of_best = ALL(0);
  for (uint i = 0; i < rows; i++) {
    const Lanes letter = query[i];
    const Lanes start = i == 0 ? begin_bonus : ALL(0);
    const Lanes bonus = last_row == ALL(i) ? end_bonus : ALL(0);
    Lanes left = ALL(NO_SCORE), deletion = ALL(NO_SCORE), deletion2 = ALL(NO_SCORE);
    Lanes row_best = ALL(NO_SCORE), row_column = ALL(0);
    __global uchar* out = choices + (ulong)i * diagonals * LANES;
    for (uint b = 0; b < diagonals; b++, out += LANES) {
      const Lanes before = score[b], above = score[b + 1];
      Lanes choice = before <= start ? ALL(BEGINS) : ALL(0);
      const Lanes diagonal = max(before, start) + pair_scores(letter, text[i + b], special, costs);

      Lanes opened = above - ALL(costs->first), extended = insertion[b + 1] - ALL(costs->extend);
      choice |= extended > opened ? ALL(INSERTION_EXTENDS) : ALL(0);
      const Lanes gap = max(opened, extended);
      insertion[b] = gap;
      opened = above - ALL(costs->first2);
      extended = insertion2[b + 1] - ALL(costs->extend2);
      choice |= extended > opened ? ALL(INSERTION2_EXTENDS) : ALL(0);
      const Lanes gap2 = max(opened, extended);
      insertion2[b] = gap2;
      opened = left - ALL(costs->first);
      extended = deletion - ALL(costs->extend);
      choice |= extended > opened ? ALL(DELETION_EXTENDS) : ALL(0);
      deletion = max(opened, extended);
      opened = left - ALL(costs->first2);
      extended = deletion2 - ALL(costs->extend2);
      choice |= extended > opened ? ALL(DELETION2_EXTENDS) : ALL(0);
      deletion2 = max(opened, extended);

      Lanes best_here = diagonal, from = ALL(FROM_DIAGONAL);
      from = deletion > best_here ? ALL(FROM_DELETION) : from;
      best_here = max(best_here, deletion);
      from = gap > best_here ? ALL(FROM_INSERTION) : from;
      best_here = max(best_here, gap);
      from = deletion2 > best_here ? ALL(FROM_DELETION2) : from;
      best_here = max(best_here, deletion2);
      from = gap2 > best_here ? ALL(FROM_INSERTION2) : from;
      best_here = max(max(best_here, gap2), ALL(0));
      *(__global uchar16*)out = convert_uchar16(choice | from);

      const Lanes ended = diagonal + bonus;
      row_column = ended > row_best ? ALL(b) : row_column;
      row_best = max(row_best, ended);
      left = best_here;
      score[b] = best_here;
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

// results[i] and runs[max_runs * i ...] of pair i. `choices` holds `max_rows` rows of every lane of a worker.
WORKER_KERNEL void align_banded_cpu(__global const uchar* queries, __global const uchar* texts,
                                    __global const Pair* pairs, ulong count, uint diagonals, uint max_rows, short match,
                                    short mismatch, short ambiguous, short first, short extend, short first2,
                                    short extend2, __global uchar* choices, uint max_runs, __global Result* results,
                                    __global uint* runs, ulong share) {
  const Costs costs = {match, mismatch, ambiguous, first, extend, first2, extend2};
  __global uchar* own = choices + (ulong)get_group_id(0) * max_rows * diagonals * LANES;
  Lanes query[MAX_ROWS], text[MAX_ROWS + MAX_DIAGONALS];
  const ulong blocks = (count + LANES - 1) / LANES;
  for (ulong block = WORKER_FIRST(blocks, share); block < WORKER_LAST(blocks, share); block++) {
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
    Lanes best, best_row, best_column;
    fill_band(query, text, rows, diagonals, seen > 3, last_row, begin_bonus, own_end_bonus, &costs, own, &best,
              &best_row, &best_column);
    for (uint l = 0; l < LANES; l++) {
      const ulong item = block * LANES + l;
      if (item >= count) break;
      Result result = {LANE(best, l), 0, 0, 0, 0, 0};
      if (result.score > 0)
        trace_back(own + l, diagonals, LANE(best_row, l), LANE(best_column, l), runs + item * max_runs, max_runs,
                   &result);
      results[item] = result;
    }
  }
}
