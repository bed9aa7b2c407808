// The two levels of `phf` as published. The first level has a word and the begin of its list for each vertex. The
// second level has the lists of positions, in the order of the vertices.
#include "common/items.clh"
#include "marose/published/bdz.clh"
#include "marose/published/patterns.clh"

// For each distinct pattern its vertex; the word of the vertex, and the size of its list.
ITEM_KERNEL void phf_first_level(HEAD_ARGUMENTS, __global const uint* values, __global const uint* words,
                                 __global const uint* blocks, __global const uint* starts, uint distinct,
                                 __global uint* vertices, __global WORD* first_words, __global uint* sizes,
                                 ulong share) {
  FOR_EACH_ITEM(d, distinct, share) {
    const uint vertex = vertex_of(heads, values, blocks[d], words[d]);
    vertices[d] = vertex;
    first_words[vertex] = (WORD)words[d];
    sizes[vertex] = starts[d + 1] - starts[d];
  }
}

ITEM_KERNEL void phf_second_level(__global const uint* vertices, __global const uint* starts,
                                  __global const uint* begins, uint distinct, __global const uint* positions,
                                  __global uint* lists, ulong share) {
  FOR_EACH_ITEM(d, distinct, share) {
    uint to = begins[vertices[d]];
    for (uint i = starts[d]; i < starts[d + 1]; i++) lists[to++] = positions[i];
  }
}
