// Packs bytes into symbols of 2, 4 or 8 bits.
//
// Defines besides those of text.clh: FIRST_HALF_IS_HIGH (the device's byte order, 0 or 1).
#include "common/items.clh"
#include "overlap/text/text.clh"

// Byte k of a word, the lowest first.
#define BYTE_OF(word, k) ((uchar)((word) >> (8 * (k))))

// Eight bytes as a number, the first the highest.
static inline ulong first_highest(uchar8 bytes) {
#ifdef __ENDIAN_LITTLE__
  return as_ulong(bytes.s76543210);
#else
  return as_ulong(bytes);
#endif
}

// Eight codes of 2 bits, one a byte, in 16 bits.
static inline ulong join_codes(uchar8 codes) {
  ulong joined = first_highest(codes);
  joined = (joined | joined >> 6) & 0x000f000f000f000ful;
  joined = (joined | joined >> 12) & 0x000000ff000000fful;
  return (joined | joined >> 24) & 0xffff;
}
// Eight bytes of 0 or 1 in 8 bits.
static inline uint join_flags(uchar8 flags) { return (uint)(first_highest(flags) * 0x0102040810204080ul >> 56); }

// codes[byte]: its symbol, or 256 for a separator. An item is 32 bytes: TEXT_BITS / 2 words and a word of separators.
ITEM_KERNEL void pack(__global const uchar* bytes, ulong size, __constant ushort* codes, __global ulong* words,
                      __global uint* separators, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    uint separated = 0;
    for (uint w = 0; w < TEXT_BITS / 2; w++) {
      ulong word = 0;
      for (uint k = 0; k < TEXT_WINDOW; k++) {
        const ulong at = 32 * i + w * TEXT_WINDOW + k;
        const uint code = at < size ? codes[bytes[at]] : 0;
        separated |= code == 256 ? 1u << (31 - (w * TEXT_WINDOW + k)) : 0;
        word = word << TEXT_BITS | (code == 256 ? 0 : code);
      }
      words[TEXT_BITS / 2 * i + w] = word;
    }
#if TEXT_SEPARATORS
    separators[i] = separated;
#else
    (void)separators;
    (void)separated;
#endif
  }
}

// The same with at most four symbols. Byte k of `symbols` has code k if byte k of `used` is set; all other bytes are
// separators. An item is 32 bytes: one word and a word of separators. `bytes` has memory up to the end of the last
// item.
ITEM_KERNEL void pack_bases(__global const uchar* bytes, ulong size, uint symbols, uint used, __global ulong* words,
                            __global uint* separators, ulong count, ulong share) {
  const uchar16 symbol_0 = (uchar16)BYTE_OF(symbols, 0), symbol_1 = (uchar16)BYTE_OF(symbols, 1);
  const uchar16 symbol_2 = (uchar16)BYTE_OF(symbols, 2), symbol_3 = (uchar16)BYTE_OF(symbols, 3);
  const uchar16 used_0 = (uchar16)BYTE_OF(used, 0), used_1 = (uchar16)BYTE_OF(used, 1);
  const uchar16 used_2 = (uchar16)BYTE_OF(used, 2), used_3 = (uchar16)BYTE_OF(used, 3);
  FOR_EACH_ITEM(i, count, share) {
    ulong word = 0;
    uint separated = 0;
    __global const uchar16* vectors = (__global const uchar16*)(bytes + 32 * i);
    for (uint part = 0; part < 2; part++) {
      const uchar16 vector = vectors[part];
      const uchar16 is_0 = as_uchar16(vector == symbol_0) & used_0, is_1 = as_uchar16(vector == symbol_1) & used_1;
      const uchar16 is_2 = as_uchar16(vector == symbol_2) & used_2, is_3 = as_uchar16(vector == symbol_3) & used_3;
      const uchar16 code = (is_1 & (uchar16)1) | (is_2 & (uchar16)2) | (is_3 & (uchar16)3);
      word = word << 32 | join_codes(code.lo) << 16 | join_codes(code.hi);
#if TEXT_SEPARATORS
      const uchar16 breaking = ~(is_0 | is_1 | is_2 | is_3) & (uchar16)1;
      separated = separated << 16 | join_flags(breaking.lo) << 8 | join_flags(breaking.hi);
#else
      (void)is_0;
#endif
    }
    if (32 * i + 32 > size) {
      const uint symbols_left = (uint)(size - 32 * i);
      word &= ~0ul << (64 - 2 * symbols_left);
      separated &= ~0u << (32 - symbols_left);
    }
    words[i] = word;
#if TEXT_SEPARATORS
    separators[i] = separated;
#else
    (void)separators;
    (void)separated;
#endif
  }
}

// Which 32 bits of a 64-bit word come first in memory is the device's byte order.
#ifndef FIRST_HALF_IS_HIGH
#error "FIRST_HALF_IS_HIGH comes from the host"
#endif

// Writes a separator to each of `places`, which may have any symbol.
ITEM_KERNEL void separate_at(__global const uint* places, __global uint* words, __global uint* separators, ulong count,
                             ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const ulong place = places[i], bit = place * TEXT_BITS;
    atomic_or(&separators[place >> 5], 1u << (31 - (place & 31)));
    // The half of a 64-bit word that holds the symbol.
    const ulong word = (bit >> 6 << 1) + (((bit & 63) < 32) != FIRST_HALF_IS_HIGH);
    const uint mask = ((1u << TEXT_BITS) - 1) << (32 - TEXT_BITS - ((uint)bit & 31));
    atomic_and(&words[word], ~mask);
  }
}
