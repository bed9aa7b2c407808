// Prefix-free parsing, last part: all suffixes, from the order of the phrases.
//
// Defines: PHRASE_TEAM (work-items for the places of a phrase).
#include "common/items.clh"

#ifndef PHRASE_TEAM
#error "PHRASE_TEAM comes from the host"
#endif

// Each position of the text with the class of its suffix up to the end of the phrase. `count`: phrases times
// PHRASE_TEAM.
ITEM_KERNEL void phrase_places(__global const uint* starts, __global const uint* phrases, __global const uint* offsets,
                               __global const uint* entries, __global const uint* begins, __global const uint* classes,
                               __global uint* keys, __global uint* positions, ulong count, ulong share) {
  FOR_EACH_ITEM(item, count, share) {
    const ulong k = item / PHRASE_TEAM;
    const uint i = phrases[k], start = starts[i], length = starts[i + 1] - start;
    const uint entry = begins[entries[i]];
    const ulong to = offsets[k];
    for (uint at = item % PHRASE_TEAM; at < length; at += PHRASE_TEAM) {
      keys[to + at] = classes[entry + at];
      positions[to + at] = start + at;
    }
  }
}
