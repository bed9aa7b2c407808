// The longest overlap of each pair of reads. A key is the pair, then length_bits bits that grow as the overlap
// shortens.
#include "common/items.clh"

// flags[i]: true for the first key of a pair, in sorted keys.
ITEM_KERNEL void flag_pairs(__global const ulong* keys, uint length_bits, __global uchar* flags, ulong count,
                            ulong share) {
  FOR_EACH_ITEM(i, count, share)
  flags[i] = i == 0 || keys[i] >> length_bits != keys[i - (i > 0)] >> length_bits;
}
