// Flags the first of equal keys, which are sorted.
#include "common/items.clh"

ITEM_KERNEL void flag_first(__global const ulong* keys, ulong count, __global uchar* flags, ulong share) {
  FOR_EACH_ITEM(i, count, share) flags[i] = i == 0 || keys[i - 1] != keys[i];
}
