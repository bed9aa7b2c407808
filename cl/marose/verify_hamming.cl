// Candidates within the bound with Hamming errors. The keys are sorted; an item is a key, and only the first of equal
// keys is verified.
#include "common/items.clh"
#include "marose/plans.clh"
#include "marose/hamming.clh"

#ifndef DIAGONAL_BIAS
#error "DIAGONAL_BIAS comes from the host"
#endif

ITEM_KERNEL void verify_hamming(REFERENCE_ARGUMENTS, READ_ARGUMENTS, PLAN_ARGUMENTS, __global const ulong* keys,
                                ulong count, __global uchar* passes, __global uint* values, ulong share) {
  (void)places;
  FOR_EACH_ITEM(i, count, share) {
    const ulong key = keys[i];
    const uint read = (uint)(key >> 33);
    const uint4 head = PLAN_HEAD(read_plan[read]);
    uint errors = head.w + 1;
    if (i == 0 || keys[i - 1] != key)
      errors =
          hamming_distance(REFERENCE, READS, read, (uint)(key >> 32) & 1, (uint)key - DIAGONAL_BIAS, head.z, head.w);
    passes[i] = errors <= head.w;
    values[i] = errors;
  }
}
