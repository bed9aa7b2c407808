// Builds the blocks of the published index: for every seed its (neighbourhood, position), in the order of positions or
// of neighbourhoods.
#include "common/items.clh"
#include "marose/published/patterns.clh"

// What the entries are sorted by: the seed, and behind it the neighbourhood or (KEY_NEIGHBOURHOOD 0) nothing.
#ifndef KEY
#error "KEY comes from the host"
#endif
#ifndef KEY_NEIGHBOURHOOD
#error "KEY_NEIGHBOURHOOD comes from the host"
#endif

ITEM_KERNEL void indexed_positions(REFERENCE_ARGUMENTS, __global uchar* flags, ulong share) {
  FOR_EACH_ITEM(i, text_length, share) flags[i] = is_indexed(REFERENCE, (uint)i);
}

ITEM_KERNEL void pattern_keys(__global const ulong* text, __global const uint* positions, uint count,
                              __global KEY* keys, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    KEY key = seed_at(text, positions[i]);
#if KEY_NEIGHBOURHOOD
    key = key << 2 * NEIGHBOURHOOD | neighbourhood_at(text, positions[i]);
#endif
    keys[i] = key;
  }
}

// first[seed] for 0 <= seed <= seeds: where its block begins among the sorted keys.
ITEM_KERNEL void block_begins(__global const KEY* keys, uint count, uint seeds, __global uint* first, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint seed = (uint)(keys[i] >> 2 * KEY_NEIGHBOURHOOD);
    for (uint s = i == 0 ? 0 : (uint)(keys[i - 1] >> 2 * KEY_NEIGHBOURHOOD) + 1; s <= seed; s++) first[s] = (uint)i;
    if (i + 1 == count)
      for (uint s = seed + 1; s <= seeds; s++) first[s] = count;
  }
}

// An item is 32 bits.
ITEM_KERNEL void block_neighbourhoods(__global const ulong* text, __global const uint* positions, uint count,
                                      __global uint* neighbourhoods, ulong share) {
  const uint in_one = 32 / WORD_BITS;
  FOR_EACH_ITEM(i, (count + in_one - 1) / in_one, share) {
    const uint at = (uint)i * in_one;
    uint words = neighbourhood_at(text, positions[at]);
    if (in_one > 1 && at + 1 < count) words |= neighbourhood_at(text, positions[at + 1]) << 16;
    neighbourhoods[i] = words;
  }
}

// Where a key differs from the one before it.
ITEM_KERNEL void distinct_keys(__global const KEY* keys, uint count, __global uchar* flags, ulong share) {
  FOR_EACH_ITEM(i, count, share) flags[i] = i == 0 || keys[i] != keys[i - 1];
}
