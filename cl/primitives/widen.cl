// Values of 1 to 7 bytes as words that move with the keys of a sort, and back.
//
// Defines: BYTES (of a value), WORD (uint or ulong, at least as wide), and those of common/items.clh.
#include "common/items.clh"

#ifndef BYTES
#error "BYTES comes from the host"
#endif
#ifndef WORD
#error "WORD comes from the host"
#endif

// The low bytes of words[i] become those of value i. The other bytes are 0.
ITEM_KERNEL void widen_values(__global const uchar* values, ulong count, __global WORD* words, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    WORD word = 0;
    for (uint k = 0; k < BYTES; k++) word |= (WORD)values[i * BYTES + k] << 8 * k;
    words[i] = word;
  }
}

ITEM_KERNEL void narrow_values(__global const WORD* words, ulong count, __global uchar* values, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const WORD word = words[i];
    for (uint k = 0; k < BYTES; k++) values[i * BYTES + k] = (uchar)(word >> 8 * k);
  }
}
