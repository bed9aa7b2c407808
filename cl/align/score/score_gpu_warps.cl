// Smith-Waterman scores on NVIDIA GPUs, with packed 16-bit instructions and warp shuffles through inline PTX.
// cl/align/score/score_gpu.cl is the portable version.
//
// LANES work-items share a subject; each holds ROWS rows of the query in registers. At step s lane l computes column s
// - l, and passes T and F of its last row to the next lane by a shuffle. Longer queries take several strips. `borders`
// stores the output of the last lane, column by column, as the input of the first lane in the next strip.
#include "align/score/score_gpu_rows.clh"

#if GENOCL_PTX

// Steps between checks for the end. On an H200, 8 steps are 4 to 6% faster than 4.
#define BLOCK 8
#define TEAMS (GROUP_SIZE / LANES)

// 1: several strips, or a launch that begins or ends in the middle of a query.
#ifndef BORDERS
#error "BORDERS comes from the host"
#endif

static inline uint round_up_to_block(uint columns) { return (columns + BLOCK - 1) / BLOCK * BLOCK; }

// T and F of a lane's last row, and of the row above from a border; T of the row above in the previous column; the
// next letters of both subjects; the best scores.
typedef struct {
  word last_t, last_f, diagonal, best;
  uint above_t, above_f, letter, letter_b;
} LaneState;

// Where a lane is in its subjects. next, next_b: letters of the block after this one. reads, reads_next: read borders
// in this block, and at its end for the next one; writes: write borders.
typedef struct {
  __global const uchar *here, *here_b;
  __global uint2* border;
  uint next, next_b;
  int reads, reads_next, writes;
} ColumnBlock;

// Computes a block of columns. keep: mask of the cells whose query continues from the previous lane.
INLINED void align_block(word* t, word* e, __local const uint* profile, __global const uchar* restrict letters,
                         uint lane, uint keep, const ColumnBlock* block, LaneState* state) {
#pragma unroll
  for (uint i = 0; i < BLOCK; i++) {
    // The letter is loaded a step ahead.
    const uint letter_next = i + 1 < BLOCK ? block->here[i + 1] : letters[block->next];
    const word from_t = word_of((ptx_shuffle_up(bits_of(state->last_t), 1) & keep) | state->above_t);
    word f = word_of((ptx_shuffle_up(bits_of(state->last_f), 1) & keep) | state->above_f);
#if BORDERS
    if (i + 1 < BLOCK ? block->reads : block->reads_next) {
      const uint2 border = block->border[i + 1];  // of the next block, before the end
      state->above_t = border.x;
      state->above_f = border.y;
    }
#endif
    word row[ROWS];
    const uint known = FOLD_PAD ? min(state->letter, (uint)(LETTERS - 1)) : state->letter;
#if FORM == FORM_SUBJECTS
    const uint letter_b_next = i + 1 < BLOCK ? block->here_b[i + 1] : letters[block->next_b];
    const uint known_b = FOLD_PAD ? min(state->letter_b, (uint)(LETTERS - 1)) : state->letter_b;
    state->letter_b = letter_b_next;
#else
    const uint known_b = known;
#endif
    load_scores(row, profile, lane, known, known_b);
    state->best = align_column(t, e, row, state->diagonal, &f, state->best);
    state->diagonal = from_t;
    state->last_t = t[ROWS - 1];
    state->last_f = f;
    state->letter = letter_next;
#if BORDERS
    if (block->writes) block->border[i] = (uint2)(bits_of(state->last_t), bits_of(state->last_f));
#endif
  }
}

// subjects: number of subjects of the range that ends with `top`, or of list entries. roles: of all strips, for each
// lane: the mask of the cells whose query continues from the previous lane, and its query numbers, 16 bits each.
// profiles: of `strips` strips from first_strip on. writes_last: further strips follow the last one. border_base: the
// letter of the first border. Not a GROUP_KERNEL: that attribute would override the register limit of the host.
__kernel void score_gpu_warps(__global const uchar* restrict letters, __global const uint* restrict begin,
                              __global const uint* restrict length, __global const uint4* restrict list, uint listed,
                              uint top, uint subjects, __global const uint2* restrict roles,
                              __global const uint4* restrict profiles, uint strips, uint first_strip, uint writes_last,
                              __global uint2* borders, uint border_base, __global int* scores, uint count) {
  __local uint4 profile[STRIP_WORDS / 4];
  const uint item = get_local_id(0), lane = item % LANES;
  const uint team = get_group_id(0) * TEAMS + item / LANES;
  const uint per_team = FORM == FORM_SUBJECTS ? 2 : 1, teams = (subjects + per_team - 1) / per_team;

  const Stretch a = stretch_of(team * per_team, subjects, top, listed, list, begin, length);
#if FORM == FORM_SUBJECTS
  const Stretch b = stretch_of(team * per_team + 1, subjects, top, listed, list, begin, length);
  const uint has_b = team * per_team + 1 < subjects;
#else
  const Stretch b = a;
  const uint has_b = 0;
#endif
  // The first stretch of a warp is the longest.
  const uint leader = get_group_id(0) * TEAMS + item / PTX_WARP * (PTX_WARP / LANES);
  const uint columns = stretch_of(leader * per_team, subjects, top, listed, list, begin, length).columns;
  const uint steps = leader < teams ? round_up_to_block(columns) + max(LANES, BLOCK) : 0;

  for (uint strip = 0; strip < strips; strip++) {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    load_profile(profile, profiles, strip, item);
    barrier(CLK_LOCAL_MEM_FENCE);

    const uint2 role = roles[(first_strip + strip) * LANES + lane];
#if BORDERS
    const int reads = lane == 0 && first_strip + strip != 0;
    const int writes = lane == LANES - 1 && team < teams && (strip + 1 != strips || writes_last);
    // The first lane takes its input from the borders unchanged.
    const uint keep = lane == 0 ? 0 : role.x;
#else
    const uint keep = role.x;
#endif
    word t[ROWS], e[ROWS];
    clear_rows(t, e);
    uint place = a.begin - lane, place_b = b.begin - lane;
    LaneState state = {MINUS_FIRST,    word_of(0), MINUS_FIRST, word_of(0), bits_of(MINUS_FIRST) & ~keep, 0,
                       letters[place], 0};
#if FORM == FORM_SUBJECTS
    state.letter_b = letters[place_b];
#endif
#if BORDERS
    if (reads) {
      const uint2 border = borders[place - border_base];
      state.above_t = border.x;
      state.above_f = border.y;
    }
#endif
    for (uint step = 0; step < steps; step += BLOCK) {
      // After its end a stretch repeats its pads (at least 64), since subjects of a warp may have different lengths.
      ColumnBlock block = {letters + place,
                           letters + place_b,
                           borders,
                           min(place + BLOCK, a.stop),
                           min(place_b + BLOCK, b.stop),
                           0,
                           0,
                           0};
#if BORDERS
      // Borders of pads must not be read, since they may belong to another query. Borders up to the end of this block
      // have been written.
      block.border = borders + (place - border_base);
      block.reads = reads && place < a.stop;
      block.reads_next = reads && place + BLOCK < a.stop;
      block.writes = writes;
#endif
      align_block(t, e, (__local const uint*)profile, letters, lane, keep, &block, &state);
      place = block.next;
      place_b = block.next_b;
    }
    if (team < teams) report_best(scores, count, role.y, a.subject, b.subject, has_b, state.best);
  }
}

#endif  // GENOCL_PTX
