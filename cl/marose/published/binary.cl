// `binary`: a seed's block is in the order of its neighbourhoods, and every word of the degenerated set is searched
// for.
#include "marose/published/degenerate.clh"

#define BINARY_ARGUMENTS __global const uint *first, __global const WORD *neighbourhoods, __global const uint *positions
#define BINARY first, neighbourhoods, positions

// The first entry of [low, high) whose neighbourhood is not below `word`, or (`past`) above it; else high.
INLINED uint bound(__global const WORD* neighbourhoods, uint low, uint high, uint word, const bool past) {
  while (low < high) {
    const uint middle = low + (high - low) / 2;
    const bool before = past ? neighbourhoods[middle] <= word : neighbourhoods[middle] < word;
    low = before ? middle + 1 : low;
    high = before ? high : middle;
  }
  return low;
}

INLINED uint binary_find(LOOK_UP_ITEM_ARGUMENTS, BINARY_ARGUMENTS, OUTPUT_ARGUMENTS) {
  Pattern pattern;
  if (!read_pattern(LOOK_UP(item), &pattern)) return 0;
  const uint begin = first[pattern.seed], end = first[pattern.seed + 1];
  uint given = 0;
  FOR_EACH_WORD(word, &pattern) {
    const uint low = bound(neighbourhoods, begin, end, word, false);
    if (low == end || neighbourhoods[low] != word) continue;
    const uint high = bound(neighbourhoods, low + 1, end, word, true);
    given += give_positions(&pattern, positions, low, high, writes, keys, at + given);
  }
  return given;
}

ITEM_KERNEL void binary_count(LOOK_UP_ARGUMENTS, BINARY_ARGUMENTS, __global ulong* counts, ulong share) {
  ulong found = 0;
  FOR_EACH_ITEM(i, items, share) found += binary_find(LOOK_UP((uint)i), BINARY, COUNT_ONLY);
  counts[get_global_id(0)] = found;
}

ITEM_KERNEL void binary_write(LOOK_UP_ARGUMENTS, BINARY_ARGUMENTS, __global const ulong* offsets, __global ulong* keys,
                              ulong share) {
  ulong at = offsets[get_global_id(0)];
  FOR_EACH_ITEM(i, items, share) at += binary_find(LOOK_UP((uint)i), BINARY, true, keys, at);
}
