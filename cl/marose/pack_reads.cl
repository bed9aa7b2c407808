// Packs reads, forward and reverse complement, and marks letters that are no bases.
#include "common/items.clh"

// `codes` of the DNA alphabet (0 to 3, otherwise no base); read r is codes[offsets[r] .. offsets[r + 1]). An item is
// one word of one strand of one read; a strand has `words` of them. `unknown` is written if `has_unknown` is not 0.
// One program for reads of all lengths: compiling takes longer than running.
ITEM_KERNEL void pack_reads(__global const uchar* codes, __global const uint* offsets, uint count, uint words,
                            uint has_unknown, __global ulong* bases, __global ulong* unknown, ulong share) {
  FOR_EACH_ITEM(i, (ulong)count * (2 * words), share) {
    const uint read = (uint)(i / (2 * words));
    const uint rest = (uint)(i % (2 * words));
    const bool reverse = rest >= words;
    const uint begin = offsets[read], length = offsets[read + 1] - begin;
    const uint from = (reverse ? rest - words : rest) * 32;
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
    if (has_unknown != 0) unknown[i] = mask;
  }
}
