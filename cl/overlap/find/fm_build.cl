// Makes an FM-index from a part of a suffix array: consecutive rows from a multiple of FM_ROWS on. Row first_row + i is
// the suffix at positions[offset + i]. An item is a block.
#include "common/items.clh"
#include "overlap/find/fm.clh"

// True if no letter precedes the position.
static inline bool is_skip(__global const uint* separators, ulong position) {
  if (position == 0) return true;
#if TEXT_SEPARATORS
  return (separators[(position - 1) >> 5] << ((uint)(position - 1) & 31)) >> 31 != 0;
#else
  (void)separators;
  return false;
#endif
}

// Writes the bits and the samples of the rows. numbers[c * count + b]: how often block b has the letter c; with c = 4:
// its skips.
ITEM_KERNEL void fill_blocks(__global const ulong* text, __global const uint* separators,
                             __global const uint* positions, ulong offset, ulong first_row, ulong rows,
                             __global ulong* blocks, __global uint* samples, __global uint* numbers, ulong count,
                             ulong share) {
  FOR_EACH_ITEM(b, count, share) {
    __global ulong* block = blocks + (first_row / FM_ROWS + b) * FM_WORDS;
    uint lows = 0, highs = 0, both = 0, skipped = 0, filled = 0;
    for (uint w = 0; w < 3; w++) {
      ulong low = 0, high = 0;
      for (uint k = 0; k < 64; k++) {
        const ulong i = b * FM_ROWS + 64 * w + k;
        if (i >= rows) break;
        filled++;
        const uint position = positions[offset + i];
        if ((first_row + i) % FM_SAMPLE == 0) samples[(first_row + i) / FM_SAMPLE] = position;
        if (is_skip(separators, position)) {
          skipped++;
          continue;
        }
        const ulong bit = (ulong)(position - 1) * TEXT_BITS;
        const uint letter = (uint)(text[bit >> 6] >> (62 - (bit & 63))) & 3;
        low |= (ulong)(letter & 1) << k;
        high |= (ulong)(letter >> 1) << k;
      }
      block[2 + 2 * w] = low;
      block[3 + 2 * w] = high;
      lows += (uint)popcount(low);
      highs += (uint)popcount(high);
      both += (uint)popcount(low & high);
    }
    numbers[b] = filled - skipped - lows - highs + both;
    numbers[count + b] = lows - both;
    numbers[2 * count + b] = highs - both;
    numbers[3 * count + b] = both;
    numbers[4 * count + b] = skipped;
  }
}

// Writes the ranks of the blocks and the number of their first skip. numbers: those of fill_blocks before a block of
// this part; before[c]: before the part.
ITEM_KERNEL void fill_ranks(__global const uint* numbers, __global const uint* before, ulong first_row,
                            __global ulong* blocks, __global uint* skips, ulong count, ulong share) {
  FOR_EACH_ITEM(b, count, share) {
    __global ulong* block = blocks + (first_row / FM_ROWS + b) * FM_WORDS;
    for (uint pair = 0; pair < 2; pair++) {
      const uint even = before[2 * pair] + numbers[2 * pair * count + b];
      const uint odd = before[2 * pair + 1] + numbers[(2 * pair + 1) * count + b];
      block[pair] = even | (ulong)odd << 32;
    }
    skips[first_row / FM_ROWS + b] = before[4] + numbers[4 * count + b];
  }
}

// skip_begins[b]: the number of skips of this part before block b.
ITEM_KERNEL void list_skips(__global const uint* separators, __global const uint* positions, ulong offset,
                            ulong first_row, ulong rows, __global const uint* skip_begins, __global uint* skip_rows,
                            __global uint* skip_positions, ulong count, ulong share) {
  FOR_EACH_ITEM(b, count, share) {
    uint at = skip_begins[b];
    for (ulong i = b * FM_ROWS, end = min(rows, i + FM_ROWS); i < end; i++) {
      if (!is_skip(separators, positions[offset + i])) continue;
      skip_rows[at] = (uint)(first_row + i);
      skip_positions[at++] = positions[offset + i];
    }
  }
}

// Adds bases[c] to the ranks of the letter c in all blocks.
ITEM_KERNEL void add_bases(__global const uint* bases, __global ulong* blocks, ulong count, ulong share) {
  FOR_EACH_ITEM(b, count, share) {
    for (uint pair = 0; pair < 2; pair++) {
      const ulong ranks = blocks[b * FM_WORDS + pair];
      blocks[b * FM_WORDS + pair] =
          (uint)((uint)ranks + bases[2 * pair]) | (ulong)(uint)((uint)(ranks >> 32) + bases[2 * pair + 1]) << 32;
    }
  }
}
