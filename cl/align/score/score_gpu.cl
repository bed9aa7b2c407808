// Portable Smith-Waterman scores: LANES work-items of a group share a subject and exchange data through local memory.
// cl/align/score/score_gpu_warps.cl is the version for NVIDIA GPUs.
//
// Each work-item holds ROWS rows of the query in registers. At step s lane l computes block s - l of BLOCK columns, and
// passes T and F of its last row to the next lane. Blocks reduce the number of barriers, one per step. Longer queries
// take several strips. `borders` stores the output of the last lane, column by column, as the input of the first lane
// in the next strip.
#include "align/score/score_gpu_rows.clh"

#define BLOCK 4
#define TEAMS (GROUP_SIZE / LANES)

static inline uint4 kept(uint4 from, uint keep, uint other) { return (from & (uint4)(keep)) | (uint4)(other); }

// Computes a block of columns of a lane's rows. four, four_b: the letters of both subjects. *t, *f: in: T and F of the
// row above; out: of the last row. *diagonal: T of the row above in the column before.
INLINED void align_block(word* rows_t, word* rows_e, __local const uint* profile, uint lane, uint four, uint four_b,
                         word* diagonal, uint4* t, uint4* f, word* best) {
  uint to_t[BLOCK], to_f[BLOCK];
  const uint in_t[BLOCK] = {t->x, t->y, t->z, t->w};
  const uint in_f[BLOCK] = {f->x, f->y, f->z, f->w};
#pragma unroll
  for (uint i = 0; i < BLOCK; i++) {
    uint letter = four >> (8 * i) & 0xff, letter_b = four_b >> (8 * i) & 0xff;
    if (FOLD_PAD) {
      letter = min(letter, (uint)(LETTERS - 1));
      letter_b = min(letter_b, (uint)(LETTERS - 1));
    }
    word row[ROWS], down = word_of(in_f[i]);
    load_scores(row, profile, lane, letter, letter_b);
    *best = align_column(rows_t, rows_e, row, *diagonal, &down, *best);
    *diagonal = word_of(in_t[i]);
    to_t[i] = bits_of(rows_t[ROWS - 1]);
    to_f[i] = bits_of(down);
  }
  *t = (uint4)(to_t[0], to_t[1], to_t[2], to_t[3]);
  *f = (uint4)(to_f[0], to_f[1], to_f[2], to_f[3]);
}

// For the arguments see score_gpu_warps.
GROUP_KERNEL void score_gpu(__global const uchar* restrict letters, __global const uint* restrict begin,
                            __global const uint* restrict length, __global const uint4* restrict list, uint listed,
                            uint top, uint subjects, __global const uint2* restrict roles,
                            __global const uint4* restrict profiles, uint strips, uint first_strip, uint writes_last,
                            __global uint4* borders, uint border_base, __global int* scores, uint count) {
  __local uint4 profile[STRIP_WORDS / 4];
  __local uint4 below_t[2][GROUP_SIZE], below_f[2][GROUP_SIZE];
  const uint item = get_local_id(0), lane = item % LANES;
  const uint per_team = FORM == FORM_SUBJECTS ? 2 : 1;
  const uint team = get_group_id(0) * TEAMS + item / LANES, teams = (subjects + per_team - 1) / per_team;

  const Stretch a = stretch_of(team * per_team, subjects, top, listed, list, begin, length);
#if FORM == FORM_SUBJECTS
  const Stretch b = stretch_of(team * per_team + 1, subjects, top, listed, list, begin, length);
  const uint has_b = team * per_team + 1 < subjects;
#else
  const Stretch b = a;
  const uint has_b = 0;
#endif
  // The first stretch of a group is the longest. Blocks and stretches begin at multiples of four letters.
  const uint columns =
      stretch_of(get_group_id(0) * TEAMS * per_team, subjects, top, listed, list, begin, length).columns;
  const uint steps = (columns + BLOCK - 1) / BLOCK + LANES - 1;
  const uint stop = (a.stop + BLOCK - 1) / BLOCK * BLOCK, stop_b = (b.stop + BLOCK - 1) / BLOCK * BLOCK;
  const uint fresh = bits_of(MINUS_FIRST);

  for (uint strip = 0; strip < strips; strip++) {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    load_profile(profile, profiles, strip, item);
    below_t[0][item] = below_t[1][item] = (uint4)(fresh);
    below_f[0][item] = below_f[1][item] = (uint4)(0);

    const uint2 role = roles[(first_strip + strip) * LANES + lane];
    const int reads = lane == 0 && first_strip + strip != 0;
    const int writes = lane == LANES - 1 && team < teams && (strip + 1 != strips || writes_last);
    const uint keep = lane == 0 ? 0 : role.x;
    word t[ROWS], e[ROWS];
    clear_rows(t, e);
    word best = word_of(0), diagonal = MINUS_FIRST;
    uint place = a.begin - lane * BLOCK, place_b = b.begin - lane * BLOCK;

    for (uint step = 0; step < steps; step++) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint4 above_t = below_t[(step + 1) % 2][item - (lane != 0)],
                  above_f = below_f[(step + 1) % 2][item - (lane != 0)];
      uint4 row_t = kept(above_t, keep, fresh & ~keep), row_f = kept(above_f, keep, 0);
      if (reads && place < stop) {
        const uint4 first = borders[(place - border_base) / 2], second = borders[(place - border_base) / 2 + 1];
        row_t = (uint4)(first.x, first.z, second.x, second.z);
        row_f = (uint4)(first.y, first.w, second.y, second.w);
      }
      const uint four = *(__global const uint*)(letters + place), four_b = *(__global const uint*)(letters + place_b);
      align_block(t, e, (__local const uint*)profile, lane, four, four_b, &diagonal, &row_t, &row_f, &best);
      below_t[step % 2][item] = row_t;
      below_f[step % 2][item] = row_f;
      if (writes) {
        borders[(place - border_base) / 2] = (uint4)(row_t.x, row_f.x, row_t.y, row_f.y);
        borders[(place - border_base) / 2 + 1] = (uint4)(row_t.z, row_f.z, row_t.w, row_f.w);
      }
      // After its end a stretch remains at its pads, since subjects of a group may have different lengths.
      place = min(place + BLOCK, stop);
      place_b = min(place_b + BLOCK, stop_b);
    }
    if (team < teams) report_best(scores, count, role.y, a.subject, b.subject, has_b, best);
  }
}
