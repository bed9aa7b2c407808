// Partitions the positions of a text by bins of their keys, so that the tables of `canonical` can be built by ranges
// of keys, in the memory of one range. A bin is 2^BIN_SHIFT consecutive keys; BINS of them contain all keys, and one
// more contains positions without a seed.
//
// Count, scan, write: an item is a block of the text, and its counts are at [bin][block], so that their prefix sums
// are the places to write to.
#include "common/items.clh"
#include "marose/canonical_key.clh"
#include "marose/seed_in_text.clh"

#ifndef KEYS
#error "KEYS comes from the host"
#endif
#ifndef BINS
#error "BINS comes from the host"
#define BINS 1  // NVIDIA's compiler ends the process at an array of unknown size
#endif
#ifndef BIN_SHIFT
#error "BIN_SHIFT comes from the host"
#endif
#ifndef BLOCK_WORDS
#error "BLOCK_WORDS comes from the host"
#endif

#define WORD_BASES 32

// The bins of the positions of a word of 32 bases of the text; BINS without a seed.
INLINED void bins_of_word(REFERENCE_ARGUMENTS, uint word, uint* bins) {
  const uint first = word * WORD_BASES;
  const ulong here = text_window(text, (long)first - SIDE), next = text_window(text, (long)first - SIDE + WORD_BASES);
  // The other strand of these 64 bases: an extended window i bases from their begin is i bases from its end.
  const ulong other = reverse_complement(next), behind = reverse_complement(here);
  for (uint i = 0; i < WORD_BASES; i++) {
    const uint skipped = 64 - EXTENDED_BASES - i;
    const ulong reversed = skipped < 32 ? join_words(other, behind, skipped) : behind << 2 * (skipped - 32);
    uint way;
    bins[i] = canonical_key_of(join_words(here, next, i) & first_bases(EXTENDED_BASES),
                               reversed & first_bases(EXTENDED_BASES), &way) >>
              BIN_SHIFT;
  }
  const ulong last = (ulong)first + WORD_BASES - 1 + SEED_SPAN;
  if (last <= text_length && !is_special(special, first, (uint)last)) return;
  for (uint i = 0; i < WORD_BASES; i++)
    if (!holds_seed(REFERENCE, first + i)) bins[i] = BINS;
}

INLINED uint words_of_text(uint text_length) { return text_length / WORD_BASES + (text_length % WORD_BASES != 0); }

// counts[bin][block]. Positions of the last word after the text are counted with those without a seed.
ITEM_KERNEL void count_bins(REFERENCE_ARGUMENTS, ulong blocks, __global uint* counts, ulong share) {
  const uint words = words_of_text(text_length);
  FOR_EACH_ITEM(block, blocks, share) {
    uint count[BINS + 1], bins[WORD_BASES];
    for (uint bin = 0; bin <= BINS; bin++) count[bin] = 0;
    const uint end = min(words, (uint)(block + 1) * BLOCK_WORDS);
    for (uint word = (uint)block * BLOCK_WORDS; word < end; word++) {
      bins_of_word(REFERENCE, word, bins);
      for (uint i = 0; i < WORD_BASES; i++) count[bins[i]]++;
    }
    for (uint bin = 0; bin <= BINS; bin++) counts[bin * blocks + block] = count[bin];
  }
}

// `starts`: prefix sums of the counts. Places from `capacity` on are not written.
ITEM_KERNEL void place_positions(REFERENCE_ARGUMENTS, ulong blocks, __global const uint* starts,
                                 __global uint* positions, uint capacity, ulong share) {
  const uint words = words_of_text(text_length);
  FOR_EACH_ITEM(block, blocks, share) {
    uint place[BINS + 1], bins[WORD_BASES];
    for (uint bin = 0; bin <= BINS; bin++) place[bin] = starts[bin * blocks + block];
    const uint end = min(words, (uint)(block + 1) * BLOCK_WORDS);
    for (uint word = (uint)block * BLOCK_WORDS; word < end; word++) {
      bins_of_word(REFERENCE, word, bins);
      for (uint i = 0; i < WORD_BASES; i++) {
        const uint at = place[bins[i]]++;
        if (at < capacity) positions[at] = word * WORD_BASES + i;
      }
    }
  }
}

// Number of keys that are computed in parallel: a CPU has vectors for them.
#ifdef ONLY_CPU
#define SIDE_BY_SIDE 16
#else
#define SIDE_BY_SIDE 1
#endif

// The positions [begin, begin + count), all with a seed, and their keys minus `low`. An item is SIDE_BY_SIDE of them;
// `items` covers all.
ITEM_KERNEL void range_keys(__global const ulong* text, __global const uint* positions, uint begin, uint count,
                            uint low, ulong items, __global uint* keys, __global uint* values, ulong share) {
  FOR_EACH_ITEM(item, items, share) {
    const uint first = (uint)item * SIDE_BY_SIDE, present = min(count - first, (uint)SIDE_BY_SIDE);
    uint at[SIDE_BY_SIDE], key[SIDE_BY_SIDE];
    ulong windows[SIDE_BY_SIDE];
    for (uint i = 0; i < SIDE_BY_SIDE; i++) at[i] = positions[begin + first + min(i, present - 1)];
    for (uint i = 0; i < SIDE_BY_SIDE; i++) windows[i] = text_window(text, (long)at[i] - SIDE);
    for (uint i = 0; i < SIDE_BY_SIDE; i++) {
      uint way;
      key[i] = canonical_key(windows[i] & first_bases(EXTENDED_BASES), &way) - low;
    }
    if (present == SIDE_BY_SIDE) {
      for (uint i = 0; i < SIDE_BY_SIDE; i++) keys[first + i] = key[i];
      for (uint i = 0; i < SIDE_BY_SIDE; i++) values[first + i] = at[i];
    } else {
      for (uint i = 0; i < present; i++) keys[first + i] = key[i];
      for (uint i = 0; i < present; i++) values[first + i] = at[i];
    }
  }
}
