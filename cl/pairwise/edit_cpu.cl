// Edit distances on a CPU: LANES pairs of similar size in lock-step, in words of 64 rows, word by word down a block of
// columns. Each work-item is a worker that takes vectors of pairs from a counter until none is left.
#include "pairwise/edit.clh"

#ifndef LANES
#error "LANES comes from the host"
#endif
typedef GENOCL_JOIN(ulong, LANES) Words;

// Columns computed together: a word is loaded and stored once for all of them.
#define COLUMNS 4

typedef union {
  ulong each[LANES];
  Words all;
} Lanes;

// The state between the words of a column: whether D rises or falls from the column before, in the lowest bit; and the
// planes of the column's letter, all bits equal.
typedef struct {
  Words rises, falls, planes[PLANES];
#if FREE_END
  Words change;  // of D below the last row, from the column before
#endif
} Column;

INLINED void begin_column(Column* column, __global const uchar* letters, const EditPair* pairs, uint number) {
  Lanes letter;
  for (uint l = 0; l < LANES; l++)
    letter.each[l] = letters[PAIR_SUBJECT(pairs[l]) + min(number, PAIR_COLUMNS(pairs[l]) - 1)];
#pragma unroll
  for (uint p = 0; p < PLANES; p++) column->planes[p] = (Words)(0) - ((letter.all >> (Words)(p)) & (Words)(1));
  column->rises = (Words)(FREE_BEGIN ? 0 : 1);
  column->falls = (Words)(0);
#if FREE_END
  column->change = (Words)(0);
#endif
}

// The last rows of the lanes: no word before `first` has one; `word` and `bit` are its position in each lane.
typedef struct {
  uint first;
  Words word, bit;
} LastRows;

// Computes `count` columns down all words. `masked`: some lanes may lack the column; `has` is all ones for the others.
INLINED void go_down(__global Words* state, uint words, Column* columns, uint count, bool masked, Words has,
                     const LastRows* last) {
  for (uint w = 0; w < words; w++) {
    __global Words* const word = state + w * (PLANES + 2);
    Words vp = word[PLANES], vn = word[PLANES + 1];
#pragma unroll
    for (uint c = 0; c < count; c++) {
      Column* const column = columns + c;
      Words differs = word[0] ^ column->planes[0];
#pragma unroll
      for (uint p = 1; p < PLANES; p++) differs |= word[p] ^ column->planes[p];
      const Words equal = ~differs | column->falls;
      const Words same = MYERS_SAME(equal, vp, vn);
      const Words rises = MYERS_RISES(same, vp, vn), falls = MYERS_FALLS(same, vp);
#if FREE_END
      if (w >= last->first) {
        const Words here = ((Words)(w) == last->word) ? (Words)(1) : (Words)(0);
        column->change += ((rises >> last->bit) & here) - ((falls >> last->bit) & here);
      }
#endif
      const Words rises_in = rises << (Words)(1) | column->rises, falls_in = falls << (Words)(1) | column->falls;
      column->rises = rises >> (Words)(63);
      column->falls = falls >> (Words)(63);
      const Words new_vp = MYERS_VP(same, rises_in, falls_in), new_vn = MYERS_VN(same, rises_in);
      vp = masked ? (new_vp & has) | (vp & ~has) : new_vp;
      vn = masked ? (new_vn & has) | (vn & ~has) : new_vn;
    }
    word[PLANES] = vp;
    word[PLANES + 1] = vn;
  }
  (void)last;
  (void)has;
}

// pairs: vectors of pairs of similar size, the last one padded with repetitions. memory: max_words * (PLANES + 2) words
// of LANES for each worker. counter: the next vector.
WORKER_KERNEL void edit_cpu(__global const uchar* letters, __global const EditPair* pairs, uint vectors,
                            __global Words* memory, uint max_words, volatile __global uint* counter,
                            __global uint* distances) {
  __global Words* const state = memory + (ulong)get_group_id(0) * max_words * (PLANES + 2);
  for (;;) {
    const uint vector = atomic_inc(counter);
    if (vector >= vectors) return;
    EditPair own[LANES];
    uint words = 0, min_columns = UINT_MAX, max_columns = 0;
    LastRows last;
    last.first = UINT_MAX;
    Lanes word, bit, rows, columns_of;
    for (uint l = 0; l < LANES; l++) {
      own[l] = pairs[vector * LANES + l];
      const uint last_row = PAIR_ROWS(own[l]) - 1;
      words = max(words, last_row / 64 + 1);
      last.first = min(last.first, last_row / 64);
      word.each[l] = last_row / 64;
      bit.each[l] = last_row % 64;
      rows.each[l] = PAIR_ROWS(own[l]);
      columns_of.each[l] = PAIR_COLUMNS(own[l]);
      min_columns = min(min_columns, PAIR_COLUMNS(own[l]));
      max_columns = max(max_columns, PAIR_COLUMNS(own[l]));
    }
    last.word = word.all;
    last.bit = bit.all;
    for (uint w = 0; w < words; w++) {
      Lanes planes[PLANES];
      for (uint l = 0; l < LANES; l++) {
        ulong of_plane[PLANES];
        for (uint p = 0; p < PLANES; p++) of_plane[p] = 0;
        for (uint r = 0; r < 64; r += 8) {
          if (w * 64 + r >= PAIR_ROWS(own[l])) break;
          const ulong eight = as_ulong(vload8(0, letters + PAIR_QUERY(own[l]) + w * 64 + r));
          for (uint p = 0; p < PLANES; p++) of_plane[p] |= plane_of_eight(eight, p) << r;
        }
        for (uint p = 0; p < PLANES; p++) planes[p].each[l] = of_plane[p];
      }
      for (uint p = 0; p < PLANES; p++) state[w * (PLANES + 2) + p] = planes[p].all;
      state[w * (PLANES + 2) + PLANES] = ~(Words)(0);
      state[w * (PLANES + 2) + PLANES + 1] = (Words)(0);
    }

    Words below = rows.all, best = rows.all;  // D below the last row
    uint number = 0;
    for (; number + COLUMNS <= min_columns; number += COLUMNS) {
      Column columns[COLUMNS];
#pragma unroll
      for (uint c = 0; c < COLUMNS; c++) begin_column(columns + c, letters, own, number + c);
      go_down(state, words, columns, COLUMNS, false, (Words)(0), &last);
#if FREE_END
#pragma unroll
      for (uint c = 0; c < COLUMNS; c++) {
        below += columns[c].change;
        best = min(best, below);
      }
#endif
    }
    for (; number < max_columns; number++) {
      Column column;
      begin_column(&column, letters, own, number);
      // All ones if the difference is negative.
      const Words has = (Words)(0) - (((Words)(number)-columns_of.all) >> (Words)(63));
      go_down(state, words, &column, 1, true, has, &last);
#if FREE_END
      below += column.change & has;
      best = min(best, below);
#endif
    }

#if FREE_END
    Lanes found;
    found.all = best;
    for (uint l = 0; l < LANES; l++) distances[vector * LANES + l] = (uint)found.each[l];
#else
    for (uint l = 0; l < LANES; l++) {
      uint distance = FREE_BEGIN ? 0 : PAIR_COLUMNS(own[l]);
      for (uint w = 0; w * 64 < PAIR_ROWS(own[l]); w++) {
        const uint left = PAIR_ROWS(own[l]) - w * 64;
        const ulong inside = left >= 64 ? ~0ul : (1ul << left) - 1;
        __global const ulong* const of_word = (__global const ulong*)(state + w * (PLANES + 2) + PLANES);
        distance += (uint)popcount(of_word[l] & inside) - (uint)popcount(of_word[LANES + l] & inside);
      }
      distances[vector * LANES + l] = distance;
    }
#endif
    (void)below;
    (void)best;
  }
}
