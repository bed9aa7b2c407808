// One bit of the split radix sort (Blelloch, "Prefix sums and their applications", 1990): keys with a 0 in the bit come
// before keys with a 1; both keep their order.
#include "common/items.clh"

// zeros[i]: 1 if key i has a 0 in the bit; 0 after the last key, so that the exclusive scan ends with the sum.
ITEM_KERNEL void published_flag_zeros(__global const uint* keys, uint key_count, uint bit, __global uint* zeros,
                                      ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) zeros[i] = i < key_count ? ~keys[i] >> bit & 1 : 0;
}

// before[i]: the number of keys before i with a 0.
ITEM_KERNEL void published_split(__global const uint* keys, __global const uint* values, __global const uint* before,
                                 uint bit, __global uint* split_keys, __global uint* split_values, ulong count,
                                 ulong share) {
  const uint all_zeros = before[count];
  FOR_EACH_ITEM(i, count, share) {
    const uint key = keys[i], zeros = before[i];
    const uint to = (key >> bit & 1) != 0 ? (uint)i - zeros + all_zeros : zeros;
    split_keys[to] = key;
    split_values[to] = values[i];
  }
}
