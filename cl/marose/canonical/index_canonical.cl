// Builds the tables of `canonical`: the key of every position, where each key's entries begin, their contexts.
#include "common/items.clh"
#include "marose/canonical/canonical.clh"
#include "marose/canonical/seed_in_text.clh"

#ifndef KEYS
#error "KEYS comes from the host"
#endif

// Gives KEYS for a position without a seed.
INLINED uint key_at(REFERENCE_ARGUMENTS, uint position) {
  if (!holds_seed(REFERENCE, position)) return KEYS;
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

// Entry i of `count` in the order of their keys: where the keys up to its own begin.
INLINED void begin_keys_at(__global const uint* keys, uint count, uint i, __global uint* first) {
  const uint key = keys[i];
  if (i == 0) first[0] = 0;
  begin_keys(i == 0 ? 0 : keys[i - 1], key, i, first);
  if (i + 1 == count) begin_keys(key, KEYS, count, first);
}

// first[key] for 0 <= key <= KEYS.
ITEM_KERNEL void canonical_firsts(__global const uint* keys, uint count, __global uint* first, ulong share) {
  FOR_EACH_ITEM(i, count, share) begin_keys_at(keys, count, (uint)i, first);
}

// The same, with contexts.
ITEM_KERNEL void canonical_entries(__global const ulong* text, __global const uint* keys,
                                   __global const uint* positions, uint count, __global uint* first,
                                   __global uint* contexts, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint key = keys[i];
    begin_keys_at(keys, count, (uint)i, first);
    contexts[i] = key < KEYS ? turned_context(text, positions[i]) : 0;  // the same bytes each time
  }
}
