// `list`: the whole block of a seed is scanned, and every neighbourhood in it compared.
#include "marose/published/look_up.clh"

// A chunk of neighbourhoods is compared at once; a bit of the result for each that has no more than `errors`.
#ifdef ONLY_CPU
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

// 0 where no mismatch is left.
INLINED CHUNK_WORDS left_over(CHUNK_WORDS chunk, const Pattern* pattern, const uint errors) {
  CHUNK_WORDS x = chunk ^ (CHUNK_WORDS)(WORD)pattern->neighbourhood;
  x = ((x | x >> (CHUNK_WORDS)(WORD)1) & TWO_BITS) | (CHUNK_WORDS)(WORD)pattern->unknown;
  for (uint i = 0; i < errors; i++) x &= x - (CHUNK_WORDS)(WORD)1;
  return x;
}

// Looks at four chunks with one branch: for long blocks in which little matches.
INLINED bool none_of_four(__global const CHUNK_WORDS* chunks, const Pattern* pattern, const uint errors) {
  const CHUNK_WORDS least = min(min(left_over(chunks[0], pattern, errors), left_over(chunks[1], pattern, errors)),
                                min(left_over(chunks[2], pattern, errors), left_over(chunks[3], pattern, errors)));
  const ulong4 equal = as_ulong4(least == (CHUNK_WORDS)(WORD)0);
  return (equal.x | equal.y | equal.z | equal.w) == 0;
}

INLINED uint matches(CHUNK_WORDS chunk, const Pattern* pattern, const uint errors) {
  const ulong4 equal = as_ulong4(left_over(chunk, pattern, errors) == (CHUNK_WORDS)(WORD)0);
  if ((equal.x | equal.y | equal.z | equal.w) == 0) return 0;
  const ulong4 bits = equal & ENTRY_BITS;
  const ulong all = bits.x | bits.y | bits.z | bits.w;
  const uint folded = (uint)(all | all >> 32);
  return FOLD_BITS(folded) & ((1u << CHUNK) - 1);
}
#else
// A chunk is 16 bytes.
#define CHUNK_WORDS uint4
#define CHUNK (128 / WORD_BITS)

#if WORD_BITS == 16
// Two neighbourhoods in 32 bits. Mismatches are even bits, so bit 15 of each half is free to stop a borrow.
#define TOP_BITS 0x80008000u
#define LESS_ONE(x) (((x) | TOP_BITS) - 0x00010001u)

INLINED uint matches(CHUNK_WORDS chunk, const Pattern* pattern, const uint errors) {
  uint4 x = chunk ^ pattern->neighbourhood * 0x10001u;
  x = ((x | x >> 1) & 0x55555555u) | pattern->unknown * 0x10001u;
  for (uint i = 0; i < errors; i++) x &= LESS_ONE(x);  // without its lowest mismatch
  const uint4 left = LESS_ONE(x) & TOP_BITS;           // where one more mismatch remains
  if ((left.x & left.y & left.z & left.w) == TOP_BITS) return 0;
  const uint4 gone = left ^ TOP_BITS;
  const uint4 bits = gone >> 15 | gone >> 30;
  return (bits.x & 3) | (bits.y & 3) << 2 | (bits.z & 3) << 4 | (bits.w & 3) << 6;
}
#else
INLINED uint matches(CHUNK_WORDS chunk, const Pattern* pattern, const uint errors) {
  const uint4 x = chunk ^ pattern->neighbourhood;
  const uint4 count = popcount(((x | x >> 1) & 0x55555555u) | pattern->unknown);
  return (count.x <= errors) | (count.y <= errors) << 1 | (count.z <= errors) << 2 | (count.w <= errors) << 3;
}
#endif
#endif

#define LIST_ARGUMENTS \
  __global const uint *first, __global const CHUNK_WORDS *neighbourhoods, __global const uint *positions
#define LIST first, neighbourhoods, positions

// If several matches are expected, so that checking both ends of the block pays when they are counted.
#define LONG_BLOCK 1024

INLINED uint scan_block(const Pattern* pattern, const uint errors, LIST_ARGUMENTS, OUTPUT_ARGUMENTS) {
  const uint begin = first[pattern->seed], end = first[pattern->seed + 1];
  if (begin == end) return 0;
  uint given = 0;
  bool looked = false, all_can_be_hits = false;
  const uint last = (end - 1) / CHUNK;
  for (uint chunk = begin / CHUNK + pattern->part; chunk <= last; chunk += PARTS) {
#ifdef ONLY_CPU
    while (chunk + 3 <= last && none_of_four(neighbourhoods + chunk, pattern, errors)) chunk += 4;
    if (chunk > last) break;
#endif
    uint mask = matches(neighbourhoods[chunk], pattern, errors);
    if (mask == 0) continue;
    const uint from = chunk * CHUNK;
    if (from < begin) mask &= ~0u << (begin - from);
    if (end - from < CHUNK) mask &= ~(~0u << (end - from));
    if (!writes && end - begin >= LONG_BLOCK) {
      // A block is in the order of positions.
      if (!looked) all_can_be_hits = can_be_hit(pattern, positions[begin]) && can_be_hit(pattern, positions[end - 1]);
      looked = true;
      if (all_can_be_hits) {
        given += popcount(mask);
        continue;
      }
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
  if (pattern.errors == 2) return scan_block(&pattern, 2, LIST, OUTPUT);
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
