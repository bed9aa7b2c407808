// Searches patterns in an FM-index, from their last letter to the first.
#include "common/items.clh"
#include "common/lower_bound.clh"
#include "overlap/find/fm.clh"

// table[2 * c] and [2 * c + 1]: the first row of the suffixes that begin with the `symbols` letters c, and the row
// after the last. firsts[c]: the first row of the suffixes that begin with the letter c; firsts[4] is the number of
// rows.
ITEM_KERNEL void fill_table(__global const ulong* blocks, __global const uint* skips, __global const uint* skip_rows,
                            __global const uint* firsts, __global uint* table, uint symbols, ulong count, ulong share) {
  FOR_EACH_ITEM(code, count, share) {
    uint first = firsts[code & 3], end = firsts[(code & 3) + 1];
    for (uint s = 1; s < symbols && first < end; s++) {
      const uint letter = (uint)(code >> 2 * s) & 3;
      first = fm_rank(blocks, skips, skip_rows, letter, first);
      end = fm_rank(blocks, skips, skip_rows, letter, end);
    }
    table[2 * code] = first;
    table[2 * code + 1] = max(first, end);
  }
}

// words, begins, lengths: patterns as in find.cl. An item is FM_TOGETHER patterns; `count`: the number of items.
ITEM_KERNEL void find_patterns(__global const ulong* blocks, __global const uint* skips, __global const uint* skip_rows,
                               __global const uint* firsts, __global const uint* table, uint symbols,
                               __global const ulong* words, __global const ulong* begins, __global const uint* lengths,
                               __global uint* first_rows, __global uint* counts, ulong patterns, ulong count,
                               ulong share) {
  FOR_EACH_ITEM(item, count, share) {
    const uint here = (uint)min((ulong)FM_TOGETHER, patterns - item * FM_TOGETHER);
    uint first[FM_TOGETHER], end[FM_TOGETHER], left[FM_TOGETHER];
    for (uint j = 0; j < here; j++) {
      const ulong p = item * FM_TOGETHER + j;
      const uint length = lengths[p];
      first[j] = end[j] = left[j] = 0;
      if (length == UINT_MAX) continue;
      const ulong begin = begins[p] * TEXT_WINDOW;
      const uint known = length < symbols ? 1 : symbols;
      const ulong code = text_window(words, begin + length - known) >> (64 - known * TEXT_BITS);
      first[j] = length < symbols ? firsts[code] : table[2 * code];
      end[j] = length < symbols ? firsts[code + 1] : table[2 * code + 1];
      left[j] = first[j] < end[j] ? length - known : 0;
    }
    bool open = true;
    while (open) {
      open = false;
      for (uint j = 0; j < here; j++) {
        if (left[j] == 0) continue;
        const uint at = --left[j];
        const ulong word = words[begins[item * FM_TOGETHER + j] + at / TEXT_WINDOW];
        const uint letter = (uint)(word >> (62 - 2 * (at % TEXT_WINDOW))) & 3;
        first[j] = fm_rank(blocks, skips, skip_rows, letter, first[j]);
        end[j] = fm_rank(blocks, skips, skip_rows, letter, end[j]);
        if (first[j] >= end[j]) left[j] = 0;
        open |= left[j] != 0;
      }
    }
    for (uint j = 0; j < here; j++) {
      first_rows[item * FM_TOGETHER + j] = first[j];
      counts[item * FM_TOGETHER + j] = end[j] > first[j] ? end[j] - first[j] : 0;
    }
  }
}

// places[h - first_hit]: the position of occurrence h; first and begins as in find.cl. A walk goes from a row to that
// of the suffix one letter longer, until the position is known: in every FM_SAMPLE-th row, and in skips. An item is
// FM_TOGETHER occurrences; `count`: the number of items.
ITEM_KERNEL void list_places(__global const ulong* blocks, __global const uint* skips, __global const uint* skip_rows,
                             __global const uint* skip_positions, __global const uint* samples,
                             __global const uint* first, __global const ulong* begins, __global uint* places,
                             ulong patterns, ulong first_hit, ulong hits, ulong count, ulong share) {
  FOR_EACH_ITEM(item, count, share) {
    const uint here = (uint)min((ulong)FM_TOGETHER, hits - item * FM_TOGETHER);
    uint row[FM_TOGETHER], steps[FM_TOGETHER];
    for (uint j = 0; j < here; j++) {
      const ulong hit = first_hit + item * FM_TOGETHER + j, p = last_not_above_ulong(begins, patterns, hit);
      row[j] = first[p] + (uint)(hit - begins[p]);
      steps[j] = 0;
    }
    uint open = here;
    while (open != 0) {
      for (uint j = 0; j < here; j++) {
        if (row[j] == UINT_MAX) continue;
        uint known = UINT_MAX;
        const uint letter = fm_letter(blocks, row[j]);
        if (row[j] % FM_SAMPLE == 0) {
          known = samples[row[j] / FM_SAMPLE];
        } else if (letter == 0) {
          const uint skip = fm_skip(skips, skip_rows, row[j]);
          if (skip != UINT_MAX) known = skip_positions[skip];
        }
        if (known != UINT_MAX) {
          places[item * FM_TOGETHER + j] = known + steps[j];
          row[j] = UINT_MAX;
          open--;
        } else {
          row[j] = fm_rank(blocks, skips, skip_rows, letter, row[j]);
          steps[j]++;
        }
      }
    }
  }
}
