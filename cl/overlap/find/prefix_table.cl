// The first rank of each prefix of `symbols` symbols.
#include "common/items.clh"
#include "overlap/text/text.clh"

// The first symbols of a suffix as a number, plus 1. For a suffix with the end or a separator in these symbols: the
// number with 0 from there on. A suffix is smaller than the number c if this value is at most c.
static inline uint first_symbols(__global const ulong* text, __global const uint* separators, ulong size,
                                 ulong position, uint symbols) {
  const uint drop = 64 - symbols * TEXT_BITS, run = text_run(separators, size, position);
  const ulong window = text_window(text, position);
  if (run >= symbols) return (uint)(window >> drop) + 1;
  return run == 0 ? 0 : (uint)((window & ~0ul << (64 - run * TEXT_BITS)) >> drop);
}

// starts[c], for c = 0 to 2^(symbols * TEXT_BITS): the number of suffixes that are smaller than the number c. There are
// count - 1 suffixes: all of the text, or those of a piece of its array.
ITEM_KERNEL void fill_starts(__global const ulong* text, __global const uint* separators, ulong size,
                             __global const ARRAY_POSITION* positions, __global uint* starts, uint symbols, ulong count,
                             ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint end =
        i == count - 1 ? (1u << symbols * TEXT_BITS) + 1 : first_symbols(text, separators, size, positions[i], symbols);
    for (uint c = i == 0 ? 0 : first_symbols(text, separators, size, positions[i - 1], symbols); c < end; c++)
      starts[c] = (uint)i;
  }
}
