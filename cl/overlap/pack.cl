// Bytes become symbols of as few bits as their number allows.
#include "common/items.clh"
#include "overlap/text.clh"

// Which bytes there are: bit b % 32 of present[b / 32] for byte b. An item is 32 bytes.
ITEM_KERNEL void find_symbols(__global const uchar* bytes, ulong size, __global uint* present, ulong count,
                              ulong share) {
  ulong found[4] = {0, 0, 0, 0};
  FOR_EACH_ITEM(i, count, share) {
    const ulong end = min(size, 32 * i + 32);
    for (ulong k = 32 * i; k < end; k++) {
      const uint byte = bytes[k];
      const ulong bit = 1ul << (byte & 63);
      found[0] |= byte >> 6 == 0 ? bit : 0;
      found[1] |= byte >> 6 == 1 ? bit : 0;
      found[2] |= byte >> 6 == 2 ? bit : 0;
      found[3] |= byte >> 6 == 3 ? bit : 0;
    }
  }
  for (uint k = 0; k < 4; k++) {
    if ((uint)found[k] != 0) atomic_or(&present[2 * k], (uint)found[k]);
    if (found[k] >> 32 != 0) atomic_or(&present[2 * k + 1], (uint)(found[k] >> 32));
  }
}

// codes[byte]: its symbol, or 256 for a break. An item is 32 bytes: TEXT_BITS / 2 words and a word of breaks.
ITEM_KERNEL void pack(__global const uchar* bytes, ulong size, __constant ushort* codes, __global ulong* words,
                      __global uint* breaks, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    uint broken = 0;
    for (uint w = 0; w < TEXT_BITS / 2; w++) {
      ulong word = 0;
      for (uint k = 0; k < TEXT_WINDOW; k++) {
        const ulong at = 32 * i + w * TEXT_WINDOW + k;
        const uint code = at < size ? codes[bytes[at]] : 0;
        broken |= code == 256 ? 1u << (31 - (w * TEXT_WINDOW + k)) : 0;
        word = word << TEXT_BITS | (code == 256 ? 0 : code);
      }
      words[TEXT_BITS / 2 * i + w] = word;
    }
#if TEXT_BREAKS
    breaks[i] = broken;
#else
    (void)breaks;
    (void)broken;
#endif
  }
}

// Which 32 bits of a 64-bit word come first in memory is the device's byte order.
#ifndef FIRST_HALF_IS_HIGH
#define FIRST_HALF_IS_HIGH 0
#endif

// A break at each of `places`, which the text holds as any symbol.
ITEM_KERNEL void break_at(__global const uint* places, __global uint* words, __global uint* breaks, ulong count,
                          ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const ulong place = places[i], bit = place * TEXT_BITS;
    atomic_or(&breaks[place >> 5], 1u << (31 - (place & 31)));
    // The half of a 64-bit word that holds the symbol.
    const ulong word = (bit >> 6 << 1) + (((bit & 63) < 32) != FIRST_HALF_IS_HIGH);
    const uint mask = ((1u << TEXT_BITS) - 1) << (32 - TEXT_BITS - ((uint)bit & 31));
    atomic_and(&words[word], ~mask);
  }
}
