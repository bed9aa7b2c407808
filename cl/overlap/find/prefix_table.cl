// Where the suffixes that begin with the same `symbols` symbols begin in a suffix array.
#include "common/items.clh"
#include "overlap/text/positions.clh"
#include "overlap/text/text.clh"

// What is one more than the first symbols of a suffix as a number, or, of a suffix that ends or breaks within them,
// this number with 0 for what it lacks: suffixes below a number c are those of which this is at most c.
static inline uint first_symbols(__global const ulong* text, __global const uint* breaks, ulong size, ulong position,
                                 uint symbols) {
  const uint drop = 64 - symbols * TEXT_BITS, run = text_run(breaks, size, position);
  const ulong window = text_window(text, position);
  if (run >= symbols) return (uint)(window >> drop) + 1;
  return run == 0 ? 0 : (uint)((window & ~0ul << (64 - run * TEXT_BITS)) >> drop);
}

// starts[c], for c = 0 to 2^(symbols * TEXT_BITS): how many of count - 1 suffixes, all of the text or those of a piece
// of its array, are below the number c.
ITEM_KERNEL void fill_starts(__global const ulong* text, __global const uint* breaks, ulong size,
                             __global const ARRAY_POSITION* positions, __global uint* starts, uint symbols, ulong count,
                             ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint end =
        i == count - 1 ? (1u << symbols * TEXT_BITS) + 1 : first_symbols(text, breaks, size, positions[i], symbols);
    for (uint c = i == 0 ? 0 : first_symbols(text, breaks, size, positions[i - 1], symbols); c < end; c++)
      starts[c] = (uint)i;
  }
}
