// Packs reads, forward and reverse complement, and marks what is not a base.
#include "common/items.clh"
#include "marose/map/reads.clh"

// `codes` of the DNA alphabet (0 to 3, else not a base); read r is codes[offsets[r] .. offsets[r + 1]). An item is one
// word of one strand of one read.
ITEM_KERNEL void pack_reads(__global const uchar* codes, __global const uint* offsets, uint count,
                            __global ulong* bases, __global ulong* unknown, ulong share) {
  FOR_EACH_ITEM(i, (ulong)count * (2 * READ_WORDS), share) {
    const uint read = (uint)(i / (2 * READ_WORDS));
    const uint rest = (uint)(i % (2 * READ_WORDS));
    const bool reverse = rest >= READ_WORDS;
    const uint begin = offsets[read], length = offsets[read + 1] - begin;
    const uint from = (reverse ? rest - READ_WORDS : rest) * 32;
    const uint here = length > from ? min(length - from, 32u) : 0;
    ulong word = 0;
    ulong mask = 0;
    for (uint base = 0; base < here; base++) {
      const uint code = codes[reverse ? begin + length - 1 - from - base : begin + from + base];
      const bool known = code < 4;
      word |= known ? (ulong)(reverse ? 3 - code : code) << (62 - 2 * base) : 0;
      mask |= known ? 0 : 1UL << (62 - 2 * base);
    }
    bases[i] = word;
#if HAS_UNKNOWN
    unknown[i] = mask;
#else
    (void)mask;
    (void)unknown;
#endif
  }
}
