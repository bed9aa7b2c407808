// Builds the tables of `canonical`: the key of every position, where each key's entries begin, their contexts.
#include "common/items.clh"
#include "marose/canonical.clh"
#include "marose/reference.clh"

#ifndef KEYS
#define KEYS 655360
#endif

// KEYS for a position whose span holds an N or leaves its contig: such a seed matches no read.
INLINED uint key_at(REFERENCE_ARGUMENTS, uint position) {
  if (position + SEED_SPAN > text_length || !is_plain(REFERENCE, position, position + SEED_SPAN)) return KEYS;
  uint way;
  return canonical_key(text_window(text, (long)position - SIDE) & first_bases(EXTENDED_BASES), &way);
}

// The context as it lies when the word is turned to its key.
INLINED uint turned_context(__global const ulong* text, uint position) {
  const ulong extended = text_window(text, (long)position - SIDE) & first_bases(EXTENDED_BASES);
  uint way;
  canonical_key(extended, &way);
  return context_of(way == REVERSED ? reverse_extended(extended) : extended);
}

// Entries i - 1 and i have these keys: every key after the first and up to the second begins at i.
INLINED void begin_keys(uint before, uint key, uint i, __global uint* first) {
  for (uint k = before; k < key; k++) first[k + 1] = i;
}

ITEM_KERNEL void canonical_keys(REFERENCE_ARGUMENTS, __global uint* keys, __global uint* positions, ulong share) {
  FOR_EACH_ITEM(i, text_length, share) {
    keys[i] = key_at(REFERENCE, (uint)i);
    positions[i] = (uint)i;
  }
}

// `count` entries in the order of their keys; first[key] for 0 <= key <= KEYS.
ITEM_KERNEL void canonical_entries(__global const ulong* text, __global const uint* keys,
                                   __global const uint* positions, uint count, __global uint* first,
                                   __global uint* contexts, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint key = keys[i];
    if (i == 0) first[0] = 0;
    begin_keys(i == 0 ? 0 : keys[i - 1], key, (uint)i, first);
    if (i + 1 == count) begin_keys(key, KEYS, count, first);
    if (key < KEYS) contexts[i] = turned_context(text, positions[i]);
  }
}
