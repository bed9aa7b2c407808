// DC3's recursion where most names are of one suffix only: what follows such a name in the string of names decides
// nothing, so that the string needs to keep only names that repeat and the one behind each.
#include "overlap/suffix/dc3_string.clh"

// slots[t]: which of the sorted samples have names that repeat; marks by their places in the string, which hold 0.
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

// The kept names' places in the order of their suffixes, and whether they repeat.
ITEM_KERNEL void dc3_places_in_order(__global const uint* order, __global const uint* kept, __global const uchar* marks,
                                     __global uint* places, __global uchar* flags, ulong count, ulong share) {
  FOR_EACH_ITEM(t, count, share) {
    const uint place = kept[order[t]];
    places[t] = place;
    flags[t] = marks[place];
  }
}

// The t-th smallest with a name that repeats has the t-th of their slots.
ITEM_KERNEL void dc3_place_repeated(__global const uint* places, __global const uint* slots, uint firsts,
                                    __global uint* ranks, __global uint* samples, ulong count, ulong share) {
  FOR_EACH_ITEM(t, count, share) {
    const uint place = places[t], slot = slots[t];
    ranks[place] = slot + 1;
    samples[slot] = dc3_position(place, firsts);
  }
}
