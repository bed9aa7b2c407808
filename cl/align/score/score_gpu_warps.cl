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
    for (uint i = item; i < STRIP_WORDS / 4; i += GROUP_SIZE)
      profile[i] = profiles[(ulong)strip * (STRIP_WORDS / 4) + i];
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
    uint above_t = bits_of(MINUS_FIRST) & ~keep, above_f = 0;

    word t[ROWS], e[ROWS];
#pragma unroll
    for (uint i = 0; i < ROWS; i++) {
      t[i] = MINUS_FIRST;
      e[i] = word_of(0);
    }
    word best = word_of(0), last_t = MINUS_FIRST, last_f = word_of(0), diagonal = MINUS_FIRST;
    uint place = a.begin - lane, letter = letters[place];
#if FORM == FORM_SUBJECTS
    uint place_b = b.begin - lane, letter_b = letters[place_b];
#endif
#if BORDERS
    if (reads) {
      const uint2 border = borders[place - border_base];
      above_t = border.x;
      above_f = border.y;
    }
#endif
    for (uint step = 0; step < steps; step += BLOCK) {
      // After its end a stretch repeats its pads (at least 64), since subjects of a warp may have different lengths.
      const uint next = min(place + BLOCK, a.stop);
#if FORM == FORM_SUBJECTS
      const uint next_b = min(place_b + BLOCK, b.stop);
#endif
#if BORDERS
      // Borders of pads must not be read, since they may belong to another query. Borders up to the end of this block
      // have been written.
      const int reads_here = reads && place < a.stop, reads_next = reads && place + BLOCK < a.stop;
#endif
      __global const uchar* here = letters + place;
#if FORM == FORM_SUBJECTS
      __global const uchar* here_b = letters + place_b;
#endif
#if BORDERS
      __global uint2* border_here = borders + (place - border_base);
#endif
#pragma unroll
      for (uint i = 0; i < BLOCK; i++) {
        // The letter is loaded a step ahead.
        const uint letter_next = i + 1 < BLOCK ? here[i + 1] : letters[next];
        const word from_t = word_of((ptx_shuffle_up(bits_of(last_t), 1) & keep) | above_t);
        word f = word_of((ptx_shuffle_up(bits_of(last_f), 1) & keep) | above_f);
#if BORDERS
        if (i + 1 < BLOCK ? reads_here : reads_next) {
          const uint2 border = border_here[i + 1];  // of the next block, before the end
          above_t = border.x;
          above_f = border.y;
        }
#endif
        word row[ROWS];
        const uint known = FOLD_PAD ? min(letter, (uint)(LETTERS - 1)) : letter;
#if FORM == FORM_SUBJECTS
        const uint letter_b_next = i + 1 < BLOCK ? here_b[i + 1] : letters[next_b];
        const uint known_b = FOLD_PAD ? min(letter_b, (uint)(LETTERS - 1)) : letter_b;
        letter_b = letter_b_next;
#else
        const uint known_b = known;
#endif
        load_scores(row, (__local const uint*)profile, lane, known, known_b);
        best = align_column(t, e, row, diagonal, &f, best);
        diagonal = from_t;
        last_t = t[ROWS - 1];
        last_f = f;
        letter = letter_next;
#if BORDERS
        if (writes) border_here[i] = (uint2)(bits_of(last_t), bits_of(last_f));
#endif
      }
      place = next;
#if FORM == FORM_SUBJECTS
      place_b = next_b;
#endif
    }
    if (team < teams) report_best(scores, count, role.y, a.subject, b.subject, has_b, best);
  }
}

#endif  // GENOCL_PTX
