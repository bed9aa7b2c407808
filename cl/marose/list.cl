// `list`: a seed's block is gone through, and every neighbourhood in it compared.
#include "marose/look_up.clh"

// A chunk of neighbourhoods is compared at once; a bit of the result for each that has no more than `errors`.
#ifdef ONLY_LANES
// 256 bits, which the compiler makes one register. Clearing the lowest mismatch `errors` times leaves 0.
#if WORD_BITS == 16
#define CHUNK 16
#define CHUNK_WORDS ushort16
#define TWO_BITS (ushort16)(ushort) 0x5555
#define ENTRY_BITS (ulong4)(0x0008000400020001UL, 0x0080004000200010UL, 0x0800040002000100UL, 0x8000400020001000UL)
#define FOLD_BITS(u) (u | u >> 16)
#else
#define CHUNK 8
#define CHUNK_WORDS uint8
#define TWO_BITS (uint8)0x55555555u
#define ENTRY_BITS (ulong4)(0x0000000200000001UL, 0x0000000800000004UL, 0x0000002000000010UL, 0x0000008000000040UL)
#define FOLD_BITS(u) (u)
#endif

INLINED uint matches(CHUNK_WORDS chunk, const Pattern* pattern, const uint errors) {
  CHUNK_WORDS x = chunk ^ (CHUNK_WORDS)(WORD)pattern->neighbourhood;
  x = ((x | x >> (CHUNK_WORDS)(WORD)1) & TWO_BITS) | (CHUNK_WORDS)(WORD)pattern->unknown;
  for (uint i = 0; i < errors; i++) x &= x - (CHUNK_WORDS)(WORD)1;
  const ulong4 equal = as_ulong4(x == (CHUNK_WORDS)(WORD)0);
  if ((equal.x | equal.y | equal.z | equal.w) == 0) return 0;
  const ulong4 bits = equal & ENTRY_BITS;
  const ulong all = bits.x | bits.y | bits.z | bits.w;
  const uint folded = (uint)(all | all >> 32);
  return FOLD_BITS(folded) & ((1u << CHUNK) - 1);
}
#else
// 16 bytes.
#define CHUNK_WORDS uint4
#define CHUNK (128 / WORD_BITS)

INLINED uint matches(CHUNK_WORDS chunk, const Pattern* pattern, const uint errors) {
#if WORD_BITS == 16
  const uint4 x = chunk ^ pattern->neighbourhood * 0x10001u;
  const uint4 different = ((x | x >> 1) & 0x55555555u) | pattern->unknown * 0x10001u;
  const uint4 low = popcount(different & 0xffffu), high = popcount(different >> 16);
  return (low.x <= errors) | (high.x <= errors) << 1 | (low.y <= errors) << 2 | (high.y <= errors) << 3 |
         (low.z <= errors) << 4 | (high.z <= errors) << 5 | (low.w <= errors) << 6 | (high.w <= errors) << 7;
#else
  const uint4 x = chunk ^ pattern->neighbourhood;
  const uint4 count = popcount(((x | x >> 1) & 0x55555555u) | pattern->unknown);
  return (count.x <= errors) | (count.y <= errors) << 1 | (count.z <= errors) << 2 | (count.w <= errors) << 3;
#endif
}
#endif

#define LIST_ARGUMENTS \
  __global const uint *first, __global const CHUNK_WORDS *neighbourhoods, __global const uint *positions
#define LIST first, neighbourhoods, positions

INLINED uint scan_block(const Pattern* pattern, const uint errors, LIST_ARGUMENTS, OUTPUT_ARGUMENTS) {
  const uint begin = first[pattern->seed], end = first[pattern->seed + 1];
  if (begin == end) return 0;
  // A block is in the order of positions.
  const bool all_can_be_hits = can_be_hit(pattern, positions[begin]) && can_be_hit(pattern, positions[end - 1]);
  uint given = 0;
  const uint chunks = (end - 1) / CHUNK;
  for (uint chunk = begin / CHUNK + pattern->part; chunk <= chunks; chunk += PARTS) {
    uint mask = matches(neighbourhoods[chunk], pattern, errors);
    if (mask == 0) continue;
    const uint from = chunk * CHUNK;
    if (from < begin) mask &= ~0u << (begin - from);
    if (end - from < CHUNK) mask &= ~(~0u << (end - from));
    if (!writes && all_can_be_hits) {
      given += popcount(mask);
      continue;
    }
    for (; mask != 0; mask &= mask - 1)
      given += give_position(pattern, positions[from + 31 - clz(mask & -mask)], writes, keys, at + given);
  }
  return given;
}

INLINED uint list_find(LOOK_UP_ITEM_ARGUMENTS, LIST_ARGUMENTS, OUTPUT_ARGUMENTS) {
  Pattern pattern;
  if (!read_pattern(LOOK_UP(item), &pattern)) return 0;
  if (pattern.errors == 0) return scan_block(&pattern, 0, LIST, OUTPUT);
  if (pattern.errors == 1) return scan_block(&pattern, 1, LIST, OUTPUT);
  return scan_block(&pattern, pattern.errors, LIST, OUTPUT);
}

ITEM_KERNEL void list_count(LOOK_UP_ARGUMENTS, LIST_ARGUMENTS, __global ulong* counts, ulong share) {
  ulong found = 0;
  FOR_EACH_ITEM(i, items, share) found += list_find(LOOK_UP((uint)i), LIST, COUNT_ONLY);
  counts[get_global_id(0)] = found;
}

ITEM_KERNEL void list_write(LOOK_UP_ARGUMENTS, LIST_ARGUMENTS, __global const ulong* offsets, __global ulong* keys,
                            ulong share) {
  ulong at = offsets[get_global_id(0)];
  FOR_EACH_ITEM(i, items, share) at += list_find(LOOK_UP((uint)i), LIST, true, keys, at);
}
