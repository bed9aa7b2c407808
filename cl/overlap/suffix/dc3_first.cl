// DC3's suffixes i with i % 3 == 0, sorted by their symbols from the order of the suffixes after them.
#include "overlap/suffix/dc3_string.clh"

ITEM_KERNEL void dc3_flag_firsts(__global const uint* samples, __global uchar* flags, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) flags[k] = samples[k] % 3 == 1;
}

ITEM_KERNEL void dc3_first_keys(__global const DC3_SYMBOL* string, __global const uint* separators, ulong size,
                                __global uint* positions, __global uint* keys, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    const uint i = positions[k] - 1;
    positions[k] = i;
    keys[k] = dc3_symbols(string, separators, size, i).x;
  }
}

// flags[k]: true for a separator.
ITEM_KERNEL void dc3_flag_separators(__global const uint* separators, __global uchar* flags, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    const ulong i = 3 * k;
    flags[k] = separators[i >> 5] >> (31 - (i & 31)) & 1;
  }
}

// Separators are the smallest, in the order of their positions.
ITEM_KERNEL void dc3_order_separators(__global const uint* found, __global const ulong* number,
                                      __global uint* positions, ulong count, ulong share) {
  const ulong end = min(count, number[0]);
  FOR_EACH_ITEM(k, end, share) positions[k] = 3 * found[k];
}
