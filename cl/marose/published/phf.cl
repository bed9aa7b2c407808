// `phf`: every word of the degenerated set is hashed to the vertex that it would own, and compared with the word
// stored there. See bdz.clh and index_phf.cl.
#include "marose/published/bdz.clh"
#include "marose/published/degenerate.clh"

#define PHF_ARGUMENTS                                                                                                  \
  HEAD_ARGUMENTS, __global const uint *values, __global const WORD *first_words, __global const uint *first_positions, \
      __global const uint *several, __global const uint *lists
#define PHF heads, values, first_words, first_positions, several, lists

INLINED uint phf_find(LOOK_UP_ITEM_ARGUMENTS, PHF_ARGUMENTS, OUTPUT_ARGUMENTS) {
  Pattern pattern;
  if (!read_pattern(LOOK_UP(item), &pattern)) return 0;
  const uint2 head = heads[pattern.seed];
  const uint vertices = heads[pattern.seed + 1].x - head.x;
  uint given = 0;
  FOR_EACH_WORD(word, &pattern) {
    const uint vertex = vertex_in_block(values, head, vertices, word);
    if (vertex == NO_VERTEX || first_words[vertex] != word) continue;
    const uint found = first_positions[vertex];
    if (several[vertex >> 5] >> (vertex & 31) & 1)
      given += give_positions(&pattern, lists, found + 1, found + 1 + lists[found], writes, keys, at + given);
    else
      given += give_position(&pattern, found, writes, keys, at + given);
  }
  return given;
}

ITEM_KERNEL void phf_count(LOOK_UP_ARGUMENTS, PHF_ARGUMENTS, __global ulong* counts, ulong share) {
  ulong found = 0;
  FOR_EACH_ITEM(i, items, share) found += phf_find(LOOK_UP((uint)i), PHF, COUNT_ONLY);
  counts[get_global_id(0)] = found;
}

ITEM_KERNEL void phf_write(LOOK_UP_ARGUMENTS, PHF_ARGUMENTS, __global const ulong* offsets, __global ulong* keys,
                           ulong share) {
  ulong at = offsets[get_global_id(0)];
  FOR_EACH_ITEM(i, items, share) at += phf_find(LOOK_UP((uint)i), PHF, true, keys, at);
}
