// The bitmap of the words that a text holds. See bitmap_sectors.clh.
#include "common/items.clh"
#include "common/lower_bound.clh"
#include "marose/published/bitmap_sectors.clh"

// keys[starts[d]] for d < distinct are the words, ascending; every work-item goes through ascending sectors.
ITEM_KERNEL void bitmap_sectors(__global const uint* keys, __global const uint* starts, uint distinct,
                                uint sectors_count, __global uint* sectors, ulong share) {
  ulong low = 0;  // words before it are of sectors before
  FOR_EACH_ITEM(sector, sectors_count, share) {
    // Steps that double find the first word that is not less; then halves.
    const ulong begin = sector * SECTOR_BITS;
    ulong step = 1;
    while (low + step <= distinct && keys[starts[low + step - 1]] < begin) {
      low += step;
      step *= 2;
    }
    ulong high = min(low + step, (ulong)distinct);
    LOWER_BOUND(ulong, low, high, at, keys[starts[at]] < begin)
    uint bits[7] = {0, 0, 0, 0, 0, 0, 0};
    ulong next = low;
    for (; next < distinct; next++) {
      const ulong bit = keys[starts[next]] - begin;
      if (bit >= SECTOR_BITS) break;
      for (uint i = 0; i < 7; i++) bits[i] |= bit / 32 == i ? 1u << (bit & 31) : 0;
    }
    for (uint i = 0; i < 7; i++) sectors[8 * sector + i] = bits[i];
    sectors[8 * sector + 7] = (uint)low;
    low = next;
  }
}
