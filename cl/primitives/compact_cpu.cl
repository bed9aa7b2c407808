// Compaction on a CPU: each worker counts the set flags of its share, then writes its elements after those of the
// workers before.
//
// Defines: FLAG, ELEMENT (types), INDICES (see compact_flags.clh).
#include "common/types.clh"
#include "primitives/compact_flags.clh"

#define BLOCK 16
#define STAGED 64

// `counts`: one for each worker.
WORKER_KERNEL void compact_count_cpu(__global const FLAG* flags, ulong count, ulong share, __global ulong* counts) {
  ulong at = WORKER_FIRST(count, share), total = 0;
  const ulong last = WORKER_LAST(count, share);
  while (at + BLOCK <= last) {
    // Sums of 32 bits add up faster; none grows past 2^24.
    const ulong stop = min(last - BLOCK, at + ((ulong)BLOCK << 24));
    uint sums[BLOCK];
    for (uint i = 0; i < BLOCK; i++) sums[i] = 0;
    for (; at <= stop; at += BLOCK)
      for (uint i = 0; i < BLOCK; i++) sums[i] += flags[at + i] != 0;
    for (uint i = 0; i < BLOCK; i++) total += sums[i];
  }
  for (; at < last; at++) total += flags[at] != 0;
  counts[get_group_id(0)] = total;
}

static inline void write_staged(const ELEMENT* staged, uint number, __global CallersElement* results, ulong capacity,
                                ulong to) {
  if (to >= capacity) return;
  const ulong left = capacity - to;
  if (number == STAGED && left >= STAGED) {
    for (uint i = 0; i < STAGED; i++) results[to + i] = staged[i];
  } else {
    for (uint i = 0; i < number && i < left; i++) results[to + i] = staged[i];
  }
}

// Selected elements are collected in `staged` without a branch for each: branches on random flags cost more than
// anything else here, and a branchless write to the results would touch the next worker's.
WORKER_KERNEL void compact_write_cpu(__global const uchar* values_bytes, __global const FLAG* flags, ulong count,
                                     ulong share, __global const ulong* counts, __global uchar* results_bytes,
                                     ulong capacity, __global ulong* total) {
  __global const CallersElement* values = (__global const CallersElement*)values_bytes;
  __global CallersElement* results = (__global CallersElement*)results_bytes;
  ulong at = WORKER_FIRST(count, share), to = 0;
  const ulong last = WORKER_LAST(count, share);
  for (uint worker = 0; worker < get_group_id(0); worker++) to += counts[worker];
  if (get_group_id(0) == get_num_groups(0) - 1) total[0] = to + counts[get_group_id(0)];

  ELEMENT staged[STAGED + BLOCK];
  uint number = 0;
  for (; at + BLOCK <= last; at += BLOCK) {
    uint any = 0;
    for (uint i = 0; i < BLOCK; i++) any |= flags[at + i];
    if (any == 0) continue;
    for (uint i = 0; i < BLOCK; i++) {
      staged[number] = ELEMENT_AT(values, at + i);
      number += flags[at + i] != 0;
    }
    if (number >= STAGED) {
      write_staged(staged, STAGED, results, capacity, to);
      to += STAGED;
      number -= STAGED;
      for (uint i = 0; i < BLOCK; i++) staged[i] = staged[STAGED + i];
    }
  }
  for (; at < last; at++) {
    staged[number] = ELEMENT_AT(values, at);
    number += flags[at] != 0;
  }
  write_staged(staged, number, results, capacity, to);
}
