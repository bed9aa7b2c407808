// One bit of the split radix sort (Blelloch, "Prefix sums and their applications", 1990): what has a 0 in the bit goes
// before what has a 1, and both keep their order.
#include "common/items.clh"

// zeros[i]: whether key i has a 0 there; for i == count it is 0, so that the exclusive scan ends with the number of
// all.
ITEM_KERNEL void published_flag_zeros(__global const uint* keys, uint key_count, uint bit, __global uint* zeros,
                                      ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) zeros[i] = i < key_count ? ~keys[i] >> bit & 1 : 0;
}

// before[i]: how many keys before i have a 0.
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
