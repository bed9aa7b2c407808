// Copies the hits of each read from the workers' output to the order of the reads.
#include "common/items.clh"
#include "marose/hits_cpu.clh"

#ifndef WITH_ERRORS
#error "WITH_ERRORS comes from the host"
#endif

ITEM_KERNEL void order_hits(__global const ulong* hits, __global const uint* hit_begin, __global const uint* hit_count,
                            __global const ulong* offsets, uint reads, __global ulong* keys, __global uint* errors,
                            ulong share) {
  FOR_EACH_ITEM(read, reads, share) {
    const uint count = hit_count[read];
    const ulong to = offsets[read];
    for (uint i = 0; i < count; i++) {
      const ulong hit = hits[(ulong)hit_begin[read] + i];
      keys[to + i] = (ulong)read << 33 | (hit >> 16 & 0x1ffffffffUL);
#if WITH_ERRORS
      errors[to + i] = (uint)(hit & 0xffff);
#else
      (void)errors;
#endif
    }
  }
}
