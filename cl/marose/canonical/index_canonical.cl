// Builds the tables of `canonical`: the key of every position, where each key's entries begin, their contexts.
#include "common/items.clh"
#include "marose/canonical/canonical.clh"
#include "marose/canonical/map_canonical_group_filter.clh"
#include "marose/canonical/seed_in_text.clh"

#ifndef KEYS
#define KEYS 655360
#endif
#ifndef BUCKET_WORDS
#define BUCKET_WORDS 8
#endif

// KEYS for a position without a seed.
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

// `count` entries in the order of their keys; first[key] for 0 <= key <= KEYS.
ITEM_KERNEL void canonical_entries(__global const ulong* text, __global const uint* keys,
                                   __global const uint* positions, uint count, __global uint* first,
                                   __global uint* contexts, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint key = keys[i];
    if (i == 0) first[0] = 0;
    begin_keys(i == 0 ? 0 : keys[i - 1], key, (uint)i, first);
    if (i + 1 == count) begin_keys(key, KEYS, count, first);
    contexts[i] = key < KEYS ? turned_context(text, positions[i]) : 0;  // the same bytes each time
  }
}

// Records of BUCKET_WORDS for each key, and one behind: the first entry, then the contexts of as many as there is room
// for (see map_canonical_group_filter.clh). An item is a word of the table.
ITEM_KERNEL void canonical_buckets(__global const uint* first, __global const uint* contexts, __global uint* buckets,
                                   ulong share) {
  FOR_EACH_ITEM(i, ((ulong)KEYS + 1) * BUCKET_WORDS, share) {
    const uint key = (uint)(i / BUCKET_WORDS), word = (uint)(i % BUCKET_WORDS);
    const uint begin = first[key], count = key == KEYS ? 0 : first[key + 1] - begin;
    uint value = BUCKET_EMPTY;
    if (word == 0) {
      value = begin;
    } else if (word <= count) {
      value = contexts[begin + word - 1] >> BUCKET_SHIFT;
      if (word == 1 && count >= BUCKET_WORDS) value |= BUCKET_MORE;
    }
    buckets[i] = value;
  }
}
