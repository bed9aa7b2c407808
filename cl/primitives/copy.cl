// Copies `bytes` bytes.
//
// Defines: GROUP_SIZE; PAST_CACHE in copy_lanes for what is too large to stay in a cache.
#include "common/types.clh"

#ifndef ONLY_LANES
#define QUADS_PER_ITEM 4

// A group copies GROUP_SIZE * QUADS_PER_ITEM pieces of 16 bytes, all loads in flight before the first store.
GROUP_KERNEL void copy_group(__global const uint4* from, __global uint4* to, ulong bytes) {
  const ulong quads = bytes / 16;
  const ulong first = (ulong)get_group_id(0) * (GROUP_SIZE * QUADS_PER_ITEM) + get_local_id(0);
  if (first + (ulong)(QUADS_PER_ITEM - 1) * GROUP_SIZE < quads) {
    uint4 held[QUADS_PER_ITEM];
#pragma unroll
    for (uint i = 0; i < QUADS_PER_ITEM; i++) held[i] = from[first + i * GROUP_SIZE];
#pragma unroll
    for (uint i = 0; i < QUADS_PER_ITEM; i++) to[first + i * GROUP_SIZE] = held[i];
  } else {
    for (uint i = 0; i < QUADS_PER_ITEM; i++)
      if (first + i * GROUP_SIZE < quads) to[first + i * GROUP_SIZE] = from[first + i * GROUP_SIZE];
  }
  if (get_global_id(0) < bytes % 16) {
    const ulong at = quads * 16 + get_global_id(0);
    ((__global uchar*)to)[at] = ((__global const uchar*)from)[at];
  }
}
#endif

#ifndef ONLY_GROUP
// A worker owns `share` bytes, a multiple of a cache line.
WORKER_KERNEL void copy_lanes(__global const uchar* from, __global uchar* to, ulong bytes, ulong share) {
  const ulong first = WORKER_FIRST(bytes, share), last = WORKER_LAST(bytes, share);
  const ulong whole = last - (last - first) % 64;
  for (ulong at = first; at < whole; at += 64) {
    __global const ulong4* source = (__global const ulong4*)(from + at);
    __global ulong4* target = (__global ulong4*)(to + at);
    const ulong4 low = source[0], high = source[1];
#ifdef PAST_CACHE
    STORE_PAST_CACHE(target, low);
    STORE_PAST_CACHE(target + 1, high);
#else
    target[0] = low;
    target[1] = high;
#endif
  }
  for (ulong at = whole; at < last; at++) to[at] = from[at];
}
#endif
