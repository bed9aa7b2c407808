// Names of the published algorithm: 1, 2, ... in the order of the triples.
#include "overlap/suffix/dc3_string.clh"

// From what dc3_mark_triples says to what an inclusive scan makes names of.
ITEM_KERNEL void published_count_names(__global uint* names, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) names[k] = names[k] != 0;
}

// Names to their places, a 0 behind them, and the sample's order out of memory that is needed again.
ITEM_KERNEL void published_place_names(__global const uint* positions, __global const uint* names, uint firsts,
                                       __global uint* ranks, __global uint* samples, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    const uint i = positions[k];
    ranks[dc3_place(i, firsts)] = names[k];
    if (k == 0) ranks[count] = 0;
    samples[k] = i;
  }
}
