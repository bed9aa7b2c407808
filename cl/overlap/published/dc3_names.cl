// Names of the published algorithm: 1, 2, ... in the order of the triples.
#include "overlap/suffix/dc3_string.clh"

// Converts the result of dc3_mark_triples to the input of an inclusive scan, which gives the names.
ITEM_KERNEL void published_count_names(__global uint* names, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) names[k] = names[k] != 0;
}

// Writes names to their places, with a 0 after the last, and copies the order of the sample.
ITEM_KERNEL void published_place_names(__global const uint* positions, __global const uint* names, uint firsts,
                                       __global uint* ranks, __global uint* samples, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    const uint i = positions[k];
    ranks[dc3_place(i, firsts)] = names[k];
    if (k == 0) ranks[count] = 0;
    samples[k] = i;
  }
}
