// Marks of sorted keys each that is not like the one before.
#include "common/items.clh"

ITEM_KERNEL void mark_first_keys(__global const ulong* keys, ulong count, __global uchar* is_first, ulong share) {
  FOR_EACH_ITEM(i, count, share) is_first[i] = i == 0 || keys[i - 1] != keys[i];
}
