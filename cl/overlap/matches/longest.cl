// The longest overlap of each pair of reads: keys are the pair above length_bits bits of what grows as it gets shorter.
#include "common/items.clh"

// Of sorted keys.
ITEM_KERNEL void flag_pairs(__global const ulong* keys, uint length_bits, __global uchar* flags, ulong count,
                            ulong share) {
  FOR_EACH_ITEM(i, count, share)
  flags[i] = i == 0 || keys[i] >> length_bits != keys[i - (i > 0)] >> length_bits;
}
