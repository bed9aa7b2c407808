// Refines the groups of an array sorted by keys; each worker those that begin in its part.
#include "overlap/suffix/hybrid_groups.clh"
#include "overlap/suffix/hybrid_refine_cpu.clh"

// MEMBERS: the windows in the buffer of a worker.
WORKER_KERNEL void refine_groups(__global const uint* keys, uint shift, uint depth, __global const ulong* text,
                                 __global const uint* separators, __global uint* positions, __global ulong* scratch,
                                 __global uint* left_starts, __global uint* left_sizes, __global uint* counts,
                                 uint max_groups, uint max_remaining, uint budget, ulong count, ulong share) {
  const ulong begin = WORKER_FIRST(count, share), end = WORKER_LAST(count, share);
  uint waiting[3 * WAITING];
  Refiner refiner = {
      text,   separators, count,   positions, scratch + get_group_id(0) * (ulong)MEMBERS, left_starts, left_sizes,
      counts, max_groups, waiting, 0};
  uint found = 0;
  (void)depth;
  // In pieces, since the refinement stops if too many members remain.
  for (ulong piece = begin; piece < end; piece += 4096) {
    const ulong piece_end = min(end, piece + 4096);
    const bool leave = atomic_add(&counts[LEFT_MEMBERS], 0u) > max_remaining;
    refiner.budget = leave ? -1 : (long)budget * 4096;
    for (ulong i = piece; i < piece_end; i++) {
      if (i + 1 == count || !same_key(keys[i], keys[i + 1], shift)) continue;
      if (i != 0 && same_key(keys[i], keys[i - 1], shift)) continue;
      const uint group = (uint)(group_end(keys, count, shift, i) - i);
      found += group;
      refine_group(&refiner, (uint)i, (uint)i + group, COMPARED_FROM(depth));
    }
  }
  atomic_add(&counts[ALL_MEMBERS], found);
}
