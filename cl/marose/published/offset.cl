// `offset`: every position of a seed is a candidate.
#include "marose/published/look_up.clh"

#define OFFSET_ARGUMENTS __global const uint *first, __global const uint *positions
#define OFFSET first, positions

INLINED uint offset_find(LOOK_UP_ITEM_ARGUMENTS, OFFSET_ARGUMENTS, OUTPUT_ARGUMENTS) {
  Pattern pattern;
  if (!read_pattern(LOOK_UP(item), &pattern)) return 0;
  return give_positions(&pattern, positions, first[pattern.seed], first[pattern.seed + 1], OUTPUT);
}

ITEM_KERNEL void offset_count(LOOK_UP_ARGUMENTS, OFFSET_ARGUMENTS, __global ulong* counts, ulong share) {
  ulong found = 0;
  FOR_EACH_ITEM(i, items, share) found += offset_find(LOOK_UP((uint)i), OFFSET, COUNT_ONLY);
  counts[get_global_id(0)] = found;
}

ITEM_KERNEL void offset_write(LOOK_UP_ARGUMENTS, OFFSET_ARGUMENTS, __global const ulong* offsets, __global ulong* keys,
                              ulong share) {
  ulong at = offsets[get_global_id(0)];
  FOR_EACH_ITEM(i, items, share) at += offset_find(LOOK_UP((uint)i), OFFSET, true, keys, at);
}
