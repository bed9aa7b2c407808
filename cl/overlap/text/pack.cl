// Bytes become symbols of as few bits as their number allows.
#include "common/items.clh"
#include "overlap/text/text.clh"

// The value of each of four bytes in a word, the lowest first.
#define BYTE_OF(word, k) ((uchar)((word) >> (8 * (k))))

static inline void found_byte(ulong* found, uint byte) {
  const ulong bit = 1ul << (byte & 63);
  found[0] |= byte >> 6 == 0 ? bit : 0;
  found[1] |= byte >> 6 == 1 ? bit : 0;
  found[2] |= byte >> 6 == 2 ? bit : 0;
  found[3] |= byte >> 6 == 3 ? bit : 0;
}

// Which bytes there are: bit b % 32 of present[b / 32] for byte b. Pieces without any but four `usual` bytes are passed
// over fast.
#define PIECE 2048
WORKER_KERNEL void find_symbols(__global const uchar* bytes, uint usual, __global uint* present, ulong size,
                                ulong share) {
  const ulong begin = WORKER_FIRST(size, share), end = WORKER_LAST(size, share);
  ulong found[4] = {0, 0, 0, 0};
  const char16 zero = (char16)0;
  const uchar16 usual_0 = (uchar16)BYTE_OF(usual, 0), usual_1 = (uchar16)BYTE_OF(usual, 1);
  const uchar16 usual_2 = (uchar16)BYTE_OF(usual, 2), usual_3 = (uchar16)BYTE_OF(usual, 3);
  char16 seen_0 = zero, seen_1 = zero, seen_2 = zero, seen_3 = zero;
  for (ulong piece = begin; piece < end; piece += PIECE) {
    ulong2 others = (ulong2)(~0ul);
    if (piece + PIECE <= end) {
      __global const uchar16* vectors = (__global const uchar16*)(bytes + piece);
      char16 all_usual = ~zero;
      for (uint k = 0; k < PIECE / 16; k++) {
        const uchar16 vector = vectors[k];
        const char16 is_0 = vector == usual_0, is_1 = vector == usual_1, is_2 = vector == usual_2,
                     is_3 = vector == usual_3;
        seen_0 |= is_0;
        seen_1 |= is_1;
        seen_2 |= is_2;
        seen_3 |= is_3;
        all_usual &= is_0 | is_1 | is_2 | is_3;
      }
      others = as_ulong2(~all_usual);
    }
    if ((others.x | others.y) != 0)
      for (ulong k = piece; k < min(end, piece + PIECE); k++) found_byte(found, bytes[k]);
  }
  const ulong2 any_0 = as_ulong2(seen_0), any_1 = as_ulong2(seen_1), any_2 = as_ulong2(seen_2),
               any_3 = as_ulong2(seen_3);
  if ((any_0.x | any_0.y) != 0) found_byte(found, BYTE_OF(usual, 0));
  if ((any_1.x | any_1.y) != 0) found_byte(found, BYTE_OF(usual, 1));
  if ((any_2.x | any_2.y) != 0) found_byte(found, BYTE_OF(usual, 2));
  if ((any_3.x | any_3.y) != 0) found_byte(found, BYTE_OF(usual, 3));
  for (uint k = 0; k < 4; k++) {
    if ((uint)found[k] != 0) atomic_or(&present[2 * k], (uint)found[k]);
    if (found[k] >> 32 != 0) atomic_or(&present[2 * k + 1], (uint)(found[k] >> 32));
  }
}

// The same by groups, each item 16 bytes at a time.
GROUP_KERNEL void find_symbols_group(__global const uchar* bytes, __global uint* present, ulong size) {
  __local uint own[8];
  const uint item = get_local_id(0);
  if (item < 8) own[item] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  ulong found[4] = {0, 0, 0, 0};
  for (ulong i = 16 * get_global_id(0); i < size; i += 16 * get_global_size(0)) {
    if (i + 16 <= size) {
      const uint4 words = *(__global const uint4*)(bytes + i);
      for (uint k = 0; k < 4; k++) {
        found_byte(found, BYTE_OF(words.x, k));
        found_byte(found, BYTE_OF(words.y, k));
        found_byte(found, BYTE_OF(words.z, k));
        found_byte(found, BYTE_OF(words.w, k));
      }
    } else {
      for (ulong k = i; k < size; k++) found_byte(found, bytes[k]);
    }
  }
  for (uint k = 0; k < 4; k++) {
    if ((uint)found[k] != 0) atomic_or(&own[2 * k], (uint)found[k]);
    if (found[k] >> 32 != 0) atomic_or(&own[2 * k + 1], (uint)(found[k] >> 32));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < 8 && own[item] != 0) atomic_or(&present[item], own[item]);
}

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

// The same with at most four symbols. Byte k of `symbols` has code k where byte k of `used` is set; what is none of
// them is a break. An item is 32 bytes: one word and a word of breaks. `bytes` reaches to the end of the last item.
ITEM_KERNEL void pack_bases(__global const uchar* bytes, ulong size, uint symbols, uint used, __global ulong* words,
                            __global uint* breaks, ulong count, ulong share) {
  const uchar16 symbol_0 = (uchar16)BYTE_OF(symbols, 0), symbol_1 = (uchar16)BYTE_OF(symbols, 1);
  const uchar16 symbol_2 = (uchar16)BYTE_OF(symbols, 2), symbol_3 = (uchar16)BYTE_OF(symbols, 3);
  const uchar16 used_0 = (uchar16)BYTE_OF(used, 0), used_1 = (uchar16)BYTE_OF(used, 1);
  const uchar16 used_2 = (uchar16)BYTE_OF(used, 2), used_3 = (uchar16)BYTE_OF(used, 3);
  FOR_EACH_ITEM(i, count, share) {
    ulong word = 0;
    uint broken = 0;
    __global const uchar16* vectors = (__global const uchar16*)(bytes + 32 * i);
    for (uint part = 0; part < 2; part++) {
      const uchar16 vector = vectors[part];
      const uchar16 is_0 = as_uchar16(vector == symbol_0) & used_0, is_1 = as_uchar16(vector == symbol_1) & used_1;
      const uchar16 is_2 = as_uchar16(vector == symbol_2) & used_2, is_3 = as_uchar16(vector == symbol_3) & used_3;
      const uchar16 code = (is_1 & (uchar16)1) | (is_2 & (uchar16)2) | (is_3 & (uchar16)3);
      word = word << 32 | join_codes(code.lo) << 16 | join_codes(code.hi);
#if TEXT_BREAKS
      const uchar16 breaking = ~(is_0 | is_1 | is_2 | is_3) & (uchar16)1;
      broken = broken << 16 | join_flags(breaking.lo) << 8 | join_flags(breaking.hi);
#else
      (void)is_0;
#endif
    }
    if (32 * i + 32 > size) {
      const uint symbols_left = (uint)(size - 32 * i);
      word &= ~0ul << (64 - 2 * symbols_left);
      broken &= ~0u << (32 - symbols_left);
    }
    words[i] = word;
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
