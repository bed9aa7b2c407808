// The letters of a text as the finders read them: 0 to 3, everything else 4; and 2 bits for each letter, 32 of them
// in a word, the first in the highest bits. There, letters that are no bases become bases drawn by their position: a
// run of millions of N would otherwise be millions of A, and every place in it a candidate of some target.
#include "common/items.clh"

// Eight letters, the first in the lowest byte: those of 4 and more become 4.
static inline ulong clamped(ulong letters) {
  const ulong above = letters | letters >> 1, all = above | above >> 2 | above >> 4;
  const ulong other = all & 0x0404040404040404ul;
  return (letters & ~(other | other >> 1 | other >> 2) & 0x0303030303030303ul) | other;
}

// Their lowest two bits, the first letter in the highest of sixteen.
static inline ulong packed(ulong letters) {
  ulong x = letters & 0x0303030303030303ul;
  x = (x << 2 | x >> 8) & 0x000f000f000f000ful;
  x = (x << 4 | x >> 16) & 0x000000ff000000fful;
  return (x << 8 | x >> 32) & 0xfffful;
}

// Bits that look drawn, of a word's number (the finaliser of splitmix64).
static inline ulong drawn(ulong x) {
  x = (x + 1) * 0x9e3779b97f4a7c15ul;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ul;
  x = (x ^ x >> 27) * 0x94d049bb133111ebul;
  return x ^ x >> 31;
}

ITEM_KERNEL void pack_text(__global ulong* codes, __global ulong* words, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    ulong word = 0, no_base = 0;
    for (uint k = 0; k < 4; k++) {
      const ulong letters = clamped(codes[4 * i + k]);
      codes[4 * i + k] = letters;
      word = word << 16 | packed(letters);
      no_base = no_base << 16 | packed((letters >> 2 & 0x0101010101010101ul) * 3);
    }
    words[i] = word | (no_base & drawn(i));
  }
}
