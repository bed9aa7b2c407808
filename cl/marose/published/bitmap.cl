// `bitmap`: every word of the degenerated set, its seed in front, is one bit of a table of all words; the number of
// words before it says where its positions are. See bitmap_sectors.clh.
#include "marose/published/bitmap_sectors.clh"
#include "marose/published/degenerate.clh"

#define BITMAP_ARGUMENTS __global const uint *sectors, __global const uint *first, __global const uint *positions
#define BITMAP sectors, first, positions

INLINED uint bitmap_find(LOOK_UP_ITEM_ARGUMENTS, BITMAP_ARGUMENTS, OUTPUT_ARGUMENTS) {
  Pattern pattern;
  if (!read_pattern(LOOK_UP(item), &pattern)) return 0;
  uint given = 0;
  FOR_EACH_WORD(word, &pattern) {
    const uint all = pattern.seed << 2 * NEIGHBOURHOOD | word;
    if (!has_word(sectors, all)) continue;
    const uint rank = rank_of(sectors, all);
    given += give_positions(&pattern, positions, first[rank], first[rank + 1], writes, keys, at + given);
  }
  return given;
}

ITEM_KERNEL void bitmap_count(LOOK_UP_ARGUMENTS, BITMAP_ARGUMENTS, __global ulong* counts, ulong share) {
  ulong found = 0;
  FOR_EACH_ITEM(i, items, share) found += bitmap_find(LOOK_UP((uint)i), BITMAP, COUNT_ONLY);
  counts[get_global_id(0)] = found;
}

ITEM_KERNEL void bitmap_write(LOOK_UP_ARGUMENTS, BITMAP_ARGUMENTS, __global const ulong* offsets, __global ulong* keys,
                              ulong share) {
  ulong at = offsets[get_global_id(0)];
  FOR_EACH_ITEM(i, items, share) at += bitmap_find(LOOK_UP((uint)i), BITMAP, true, keys, at);
}
