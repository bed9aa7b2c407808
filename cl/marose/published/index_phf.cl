// The tables of `phf` besides the perfect hashes. The first level holds a word and a position for each vertex. Where a
// word has several positions, its bit in `several` is set, and instead of a position there is an index into the second
// level: a number of positions, then these.
#include "common/items.clh"
#include "marose/published/bdz.clh"
#include "marose/published/patterns.clh"

#ifndef KEY
#error "KEY comes from the host"
#endif

// keys[starts[d]] for d < distinct are the patterns, each once.
ITEM_KERNEL void phf_words(__global const KEY* keys, __global const uint* starts, uint distinct, __global uint* words,
                           __global uint* blocks, ulong share) {
  FOR_EACH_ITEM(d, distinct, share) {
    const KEY key = keys[starts[d]];
    words[d] = (uint)key & (0xffffffffu >> (32 - 2 * NEIGHBOURHOOD));
    blocks[d] = (uint)(key >> 2 * NEIGHBOURHOOD);
  }
}

ITEM_KERNEL void phf_list_sizes(__global const uint* starts, uint distinct, __global uint* sizes, ulong share) {
  FOR_EACH_ITEM(d, distinct, share) {
    const uint count = starts[d + 1] - starts[d];
    sizes[d] = count > 1 ? count + 1 : 0;
  }
}

ITEM_KERNEL void phf_entries(HEAD_ARGUMENTS, __global const uint* values, __global const uint* words,
                             __global const uint* blocks, __global const uint* starts, __global const uint* list_begins,
                             uint distinct, __global const uint* positions, __global WORD* first_words,
                             __global uint* first_positions, __global uint* several, __global uint* lists,
                             ulong share) {
  FOR_EACH_ITEM(d, distinct, share) {
    const uint vertex = vertex_of(heads, values, blocks[d], words[d]);
    const uint begin = starts[d], end = starts[d + 1];
    first_words[vertex] = (WORD)words[d];
    if (end - begin == 1) {
      first_positions[vertex] = positions[begin];
      continue;
    }
    uint at = list_begins[d];
    first_positions[vertex] = at;
    atomic_or(several + (vertex >> 5), 1u << (vertex & 31));
    lists[at++] = end - begin;
    for (uint i = begin; i < end; i++) lists[at++] = positions[i];
  }
}
