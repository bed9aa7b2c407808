// Builds the tables of `canonical`: the key of every position, the first entry of each key, and contexts.
#include "common/items.clh"
#include "marose/canonical.clh"
#include "marose/seed_in_text.clh"

#ifndef KEYS
#error "KEYS comes from the host"
#endif

// KEYS for a position without a seed.
INLINED uint key_at(REFERENCE_ARGUMENTS, uint position) {
  if (!holds_seed(REFERENCE, position)) return KEYS;
  uint way;
  return canonical_key(text_window(text, (long)position - SIDE) & first_bases(EXTENDED_BASES), &way);
}

// The context in the orientation of the key.
INLINED uint turned_context(__global const ulong* text, uint position) {
  const ulong extended = text_window(text, (long)position - SIDE) & first_bases(EXTENDED_BASES);
  uint way;
  canonical_key(extended, &way);
  return context_of(way == REVERSED ? reverse_extended(extended) : extended);
}

ITEM_KERNEL void canonical_keys(REFERENCE_ARGUMENTS, __global uint* keys, __global uint* positions, ulong share) {
  FOR_EACH_ITEM(i, text_length, share) {
    keys[i] = key_at(REFERENCE, (uint)i);
    positions[i] = (uint)i;
  }
}

// Keys that are sorted together: [low, low + range_keys), stored as key - low. Their first entry is `begin`.
#define RANGE_ARGUMENTS uint low, uint range_keys, uint begin
#define RANGE low, range_keys, begin

// Entries i - 1 and i of a range have these keys: every key after the first and up to the second begins at i.
INLINED void begin_keys(uint low, uint begin, uint before, uint key, uint i, __global uint* first) {
  for (uint k = before; k < key; k++) first[low + k + 1] = begin + i;
}

// Entry i of `count` of a range in the order of keys: sets the begins of the keys up to its own.
INLINED void begin_keys_at(__global const uint* keys, uint count, RANGE_ARGUMENTS, uint i, __global uint* first) {
  const uint key = keys[i];
  if (i == 0) first[low] = begin;
  begin_keys(low, begin, i == 0 ? 0 : keys[i - 1], key, i, first);
  if (i + 1 == count) begin_keys(low, begin, key, range_keys, count, first);
}

// first[low + key] for 0 <= key <= range_keys.
ITEM_KERNEL void canonical_firsts(__global const uint* keys, uint count, RANGE_ARGUMENTS, __global uint* first,
                                  ulong share) {
  FOR_EACH_ITEM(i, count, share) begin_keys_at(keys, count, RANGE, (uint)i, first);
}

// The same, with contexts.
ITEM_KERNEL void canonical_entries(__global const ulong* text, __global const uint* keys,
                                   __global const uint* positions, uint count, RANGE_ARGUMENTS, __global uint* first,
                                   __global uint* contexts, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    begin_keys_at(keys, count, RANGE, (uint)i, first);
    // Deterministic bytes, also without a seed.
    contexts[begin + (uint)i] = keys[i] < range_keys ? turned_context(text, positions[i]) : 0;
  }
}
