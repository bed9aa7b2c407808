// DC3's recursion if most names are unique: the names after a unique name have no effect on the order, so that the
// string keeps only repeated names and the name after each.
#include "overlap/suffix/dc3_string.clh"

// slots[t]: the indices of sorted samples with repeated names. Sets their marks, by place in the string, initially 0.
ITEM_KERNEL void dc3_mark_repeated(__global const uint* slots, __global const uint* samples, uint firsts,
                                   __global uchar* marks, ulong count, ulong share) {
  FOR_EACH_ITEM(t, count, share) marks[dc3_place(samples[slots[t]], firsts)] = 1;
}

ITEM_KERNEL void dc3_flag_kept(__global const uchar* marks, __global uchar* flags, ulong count, ulong share) {
  FOR_EACH_ITEM(place, count, share) flags[place] = marks[place] | (place > 0 ? marks[place - 1] : 0);
}

ITEM_KERNEL void dc3_keep_names(__global const uint* kept, __global const uint* ranks, __global uint* names,
                                ulong count, ulong share) {
  FOR_EACH_ITEM(t, count, share) names[t] = ranks[kept[t]];
}

// The places of the kept names in the order of their suffixes, and a flag for repeated ones.
ITEM_KERNEL void dc3_places_in_order(__global const uint* order, __global const uint* kept, __global const uchar* marks,
                                     __global uint* places, __global uchar* flags, ulong count, ulong share) {
  FOR_EACH_ITEM(t, count, share) {
    const uint place = kept[order[t]];
    places[t] = place;
    flags[t] = marks[place];
  }
}

// The t-th smallest sample with a repeated name gets the t-th slot.
ITEM_KERNEL void dc3_place_repeated(__global const uint* places, __global const uint* slots, uint firsts,
                                    __global uint* ranks, __global uint* samples, ulong count, ulong share) {
  FOR_EACH_ITEM(t, count, share) {
    const uint place = places[t], slot = slots[t];
    ranks[place] = slot + 1;
    samples[slot] = dc3_position(place, firsts);
  }
}
