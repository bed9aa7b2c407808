// Smith-Waterman scores on a CPU: one query against LANES subjects in lock-step, column by column (inter-sequence
// parallelisation, Rognes 2011). Each work-item is a worker that takes jobs from a counter until none remain. A job is
// a stack of queries against a vector of LANES subjects.
//
// Cells, for query row i and subject column j (the affine recurrence of Gotoh 1982):
//   H(i,j) = max(0, H(i-1,j-1) + score, E(i,j), F(i,j))
//   E(i,j+1) = max(E(i,j) - extend, N(i,j)),  F(i+1,j) = max(F(i,j) - extend, N(i,j))
//   N(i,j) = max(H(i-1,j-1) + score, E(i,j)) - first, where first = open + extend
// N uses H before the maximum with F, which shortens the dependency chain from row to row. This does not change H.
// Gotoh's form additionally allows paths in which a gap E directly follows a gap F. The same gaps with all E before all
// F connect the same cells and are allowed here. They do not cost more: the residues are the same, and the number of
// openings is not larger, because adjacent gaps of one kind join (open >= 0). Since H is the maximum over all paths, it
// is the same for all penalties, including 0.
#include "align/score/score_cpu_cells.clh"

// Number of words with one bit for each lane of a vector.
#ifndef MASKS
#error "MASKS comes from the host"
#endif

// 1: queries are profiles with separate scores for each row; 0: all rows of a letter have the same scores.
#ifndef PROFILES
#error "PROFILES comes from the host"
#endif

// 1: subjects come from a list, in any order; 0: all subjects of the chunk in order.
#ifndef LISTED
#error "LISTED comes from the host"
#endif

// The lanes are divided into parts with adjacent letters: whole groups of the chunk or part of one. With a list, each
// lane is a part.
#if LISTED
#define PARTS LANES
#else
#define PARTS ((LANES + CHUNK_LANES - 1) / CHUNK_LANES)
#endif
#define PART_LANES (LANES / PARTS)

typedef struct {
  ulong first[PARTS];  // of column 0, in letters; a column has CHUNK_LANES letters
  uint columns[PARTS];
  uint max_columns, count;
} Subjects;

// Costs of a gap's first and each further residue. H is stored as H + zero; above cap it may be too low.
typedef struct {
  cell first, extend, zero, cap;
} Limits;

// list: `subjects->count` subjects. Without LISTED: the subjects from first_subject on.
INLINED void find_subjects(__global const uint* begin, __global const uint* columns, __global const uint* list,
                           uint first_subject, Subjects* subjects) {
  (void)list;
  subjects->max_columns = 0;
  for (uint part = 0; part < PARTS; part++) {
    const uint place = min(part * PART_LANES, subjects->count - 1);
#if LISTED
    const uint subject = list[place];
#else
    const uint subject = first_subject + place;
#endif
    const uint group = subject / CHUNK_LANES;
    subjects->first[part] = (ulong)begin[group] * CHUNK_LANES + subject % CHUNK_LANES;
    subjects->columns[part] = part * PART_LANES < subjects->count ? columns[group] : 0;
    subjects->max_columns = max(subjects->max_columns, subjects->columns[part]);
  }
}

INLINED void load_letters(__global const uchar* letters, const Subjects* subjects, uint column, uchar pad,
                          uchar16* block) {
  uchar* const block_letters = (uchar*)block;
  for (uint part = 0; part < PARTS; part++) {
    __global const uchar* const from = letters + subjects->first[part] + (ulong)column * CHUNK_LANES;
    const bool inside = column < subjects->columns[part];  // columns come in blocks
    for (uint c = 0; c < COLUMNS; c++)
      for (uint l = 0; l < PART_LANES; l++)
        block_letters[c * LANES + part * PART_LANES + l] = inside ? from[c * CHUNK_LANES + l] : pad;
  }
}

#if PROFILES
typedef __global const Scores32* QueryRows;
typedef const Letters* ColumnScores;
#else
typedef __global const uchar* QueryRows;
typedef const char* ColumnScores;
#endif

// Computes `rows` rows of a block of columns. query[row]: profile row of the query row. With PROFILES: the scores of
// the row (two vectors), and `profile` contains the letters. cells[row][2]: H of the previous column and E of the next
// one. diagonal, f: in: of each column, above the first row; out: below the last row.
INLINED void score_rows(QueryRows query, uint rows, ColumnScores profile, const Limits* limits, __global Lanes* cells,
                        Lanes* diagonal, Lanes* f, Lanes* best) {
  const Cells first = (Cells)(limits->first), extend = (Cells)(limits->extend), zero = (Cells)(limits->zero);
  for (uint row = 0; row < rows; row++) {
#if PROFILES
    char scores[BLOCK] __attribute__((aligned(64)));
    score_letters(profile, query[row], scores);
#else
    const char* const scores = profile + (uint)query[row] * BLOCK;
#endif
    __global Lanes* const kept = cells + (size_t)row * 2;
    FOR_EACH_VECTOR(v) {
      Cells h = kept[0].of[v], e = kept[1].of[v];
#pragma unroll
      for (uint c = 0; c < COLUMNS; c++) {
        const Cells score = TO_CELLS(((const Scores*)(scores + c * LANES))[v]);
        Cells value = plus(diagonal[c].of[v], score);
        diagonal[c].of[v] = h;
        value = highest(value, e);
        const Cells n = not_below(minus(value, first), zero);
        value = highest(value, f[c].of[v]);
        best->of[v] = highest(best->of[v], value);
        f[c].of[v] = highest(minus(f[c].of[v], extend), n);
        e = highest(minus(e, extend), n);
        h = value;
      }
      kept[0].of[v] = h;
      kept[1].of[v] = e;
    }
  }
}

// The memory of a worker; see score_cpu.
typedef struct {
  __global Lanes *cells, *border, *best;
} Memory;

// Rows [first_row, first_row + rows) of `count` queries, as far as each query has them. `more`: further strips follow.
typedef struct {
  __global const uint4* queries;
  uint count, first_row, rows;
  bool more;
} Strip;

// Computes a strip of a block of columns.
INLINED void score_block(const Strip* strip, uint column, QueryRows all_rows, ColumnScores profile,
                         const Limits* limits, const Lanes* nothing, const Memory* memory) {
  Lanes diagonal[COLUMNS], f[COLUMNS], best;
  __global Lanes* const below = memory->border + (size_t)(column / COLUMNS) * 2 * COLUMNS;
  __global Lanes* cells = memory->cells;
  for (uint q = 0; q < strip->count; q++) {
    const uint4 query = strip->queries[q];
    const uint rows = min(query.y - strip->first_row, strip->rows);
    best = memory->best[q];
    for (uint c = 0; c < COLUMNS; c++) {
      diagonal[c] = strip->first_row > 0 ? below[c] : *nothing;
      f[c] = strip->first_row > 0 ? below[COLUMNS + c] : *nothing;
    }
    score_rows(all_rows + (size_t)query.x + strip->first_row, rows, profile, limits, cells, diagonal, f, &best);
    memory->best[q] = best;
    if (strip->more)
      for (uint c = 0; c < COLUMNS; c++) {
        below[c] = diagonal[c];
        below[COLUMNS + c] = f[c];
      }
    cells += (size_t)rows * 2;
  }
}

// Writes the scores of one query, and to `unsure` the lanes that must be computed again. Subjects: `listed` with
// LISTED, otherwise all from first_subject on.
INLINED void store_scores(__global const cell* best, uint lanes, __global const uint* listed, uint first_subject,
                          const Limits* limits, __global int* results, __global uint* unsure,
                          volatile __global uint* counters) {
  (void)listed, (void)first_subject;
  for (uint mask = 0; mask < MASKS; mask++) {
    uint again = 0;
    for (uint l = mask * 32; l < min(mask * 32 + 32, lanes); l++) {
      const cell score = best[l];
#if LISTED
      const uint subject = listed[l];
#else
      const uint subject = first_subject + l;
#endif
      again |= (uint)(score > limits->cap) << (l % 32);
      results[subject] = (int)score - limits->zero;
    }
    unsure[mask] = again;
    if (again != 0) atomic_add(counters + 1, popcount(again));
  }
}

// letters, begin, columns: a chunk of `subjects` subjects (src/align/device_state.hpp). pad: the class after each
// subject.
//
// scores: [profile row][class], 32 classes. With PROFILES: [row of the concatenated queries][class].
//
// codes: profile rows of all queries, concatenated. queries[q]: first code, length, number in the batch.
//
// stacks[s]: first query of each stack, and one more entry. A stack is one strip of rows; a single query may have
// several strips.
//
// jobs: number of jobs. vectors: number of vectors of LANES subjects in the chunk. With LISTED, job_list[job] is the
// query, and the first index and the number of its subjects in `all_listed`.
//
// Memory of worker w: all_cells[w][strip_rows][2]; all_borders[w][border_blocks][2][COLUMNS], diagonals and F between
// strips; all_best[w][max_queries].
//
// gap_first, gap_extend, zero, cap: see Limits.
//
// results[query * subjects + subject]; unsure[query * vectors + vector][MASKS] (LISTED: [job][MASKS]): lanes to compute
// again. counters: next job, number of pairs to compute again.
WORKER_KERNEL void score_cpu(__global const uchar* letters, __global const uint* begin, __global const uint* columns,
                             uint subjects, uint pad, __global const char16* scores, uint profile_rows,
                             __global const uchar* codes, __global const uint4* queries, __global const uint* stacks,
                             uint jobs, uint vectors, __global const uint* all_listed, __global const uint4* job_list,
                             __global Lanes* all_cells, __global Lanes* all_borders, __global Lanes* all_best,
                             uint strip_rows, uint border_blocks, uint max_queries, int gap_first, int gap_extend,
                             int zero, int cap, __global int* results, __global uint* unsure,
                             volatile __global uint* counters) {
#if PROFILES
  Letters profile;
  const QueryRows all_rows = (QueryRows)scores;
  const ColumnScores column_scores = &profile;
  (void)codes;
  (void)profile_rows;
#else
  char16 profile[PROFILE_ROWS * (BLOCK / 16)];
  const QueryRows all_rows = codes;
  const ColumnScores column_scores = (const char*)profile;
#endif
  uchar16 block[BLOCK / 16];
  Lanes nothing;
  FOR_EACH_VECTOR(v) nothing.of[v] = (Cells)((cell)zero);
  const Limits limits = {(cell)gap_first, (cell)gap_extend, (cell)zero, (cell)cap};
  const size_t worker = get_group_id(0);
  const Memory memory = {all_cells + worker * strip_rows * 2, all_borders + worker * border_blocks * 2 * COLUMNS,
                         all_best + worker * max_queries};
  __global const uint* listed = all_listed;
  (void)job_list;
  (void)stacks;

  for (;;) {
    const uint job = atomic_inc(counters);
    if (job >= jobs) return;
    Subjects vector;
#if LISTED
    const uint first_query = job_list[job].x, count = 1, place = 0;
    listed = all_listed + job_list[job].y;
    vector.count = job_list[job].z;
#else
    // Longest first: stacks are in this order, vectors are taken from the end.
    const uint stack = job / vectors, place = vectors - 1 - job % vectors;
    const uint first_query = stacks[stack], count = stacks[stack + 1] - first_query;
    vector.count = min((uint)LANES, subjects - place * LANES);
#endif
    find_subjects(begin, columns, listed, place * LANES, &vector);
    for (uint q = 0; q < count; q++) memory.best[q] = nothing;
    Strip strip = {queries + first_query, count, 0, strip_rows, false};
    // Only a long query has several strips.
    const uint length = count == 1 ? queries[first_query].y : 0;
    for (; strip.first_row == 0 || strip.first_row < length; strip.first_row += strip_rows) {
      strip.more = length > strip.first_row && length - strip.first_row > strip_rows;
      uint rows = 0;
      for (uint q = 0; q < count; q++) rows += min(strip.queries[q].y - strip.first_row, strip_rows);
      for (size_t i = 0; i < (size_t)rows * 2; i++) memory.cells[i] = nothing;
      for (uint column = 0; column < vector.max_columns; column += COLUMNS) {
        load_letters(letters, &vector, column, (uchar)pad, block);
#if PROFILES
        prepare_letters(block, &profile);
#else
        make_profile(block, scores, profile_rows, profile);
#endif
        score_block(&strip, column, all_rows, column_scores, &limits, &nothing, &memory);
      }
    }
    for (uint q = 0; q < count; q++)
      store_scores((__global const cell*)(memory.best + q), vector.count, listed, place * LANES, &limits,
                   results + (size_t)strip.queries[q].z * subjects,
                   unsure + (LISTED ? job : (size_t)(first_query + q) * vectors + place) * MASKS, counters);
  }
}
