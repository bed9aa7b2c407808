// Copies `bytes` bytes.
//
// Defines: GROUP_SIZE; for copy_cpu STREAMS, LINE (bytes) and, for arrays that exceed the cache, PAST_CACHE.
#include "common/types.clh"

CALLERS_VECTOR(Copied16, uint4, uchar);
CALLERS_VECTOR(Copied32, ulong4, uchar);

#ifndef ONLY_CPU
// An item copies 16 bytes: on an H200 4.29 TB/s, where items of 32, 64 and 128 bytes reach 4.26, 4.12 and less, and
// where groups that go through the array in a loop reach 3.97.
GROUP_KERNEL void copy_gpu(__global const uchar* from_bytes, __global uchar* to_bytes, ulong bytes) {
  __global const Copied16* from = (__global const Copied16*)from_bytes;
  __global Copied16* to = (__global Copied16*)to_bytes;
  const ulong quads = bytes / 16, at = get_global_id(0);
  if (at < quads) to[at] = from[at];
  if (at < bytes % 16) ((__global uchar*)(to + quads))[at] = ((__global const uchar*)(from + quads))[at];
}
#endif

#ifndef ONLY_GPU
// A worker copies its `share` bytes (a multiple of STREAMS lines) in STREAMS streams that take turns: one stream alone
// leaves a core waiting (18 GB/s where four reach 23 and memcpy 21, on a Xeon).
#ifndef STREAMS
#error "STREAMS comes from the host"
#endif
#ifndef LINE
#error "LINE comes from the host"
#endif

WORKER_KERNEL void copy_cpu(__global const uchar* from, __global uchar* to, ulong bytes, ulong share) {
  const ulong first = WORKER_FIRST(bytes, share), last = WORKER_LAST(bytes, share);
  const ulong stream = (last - first) / (STREAMS * LINE) * LINE;
#ifdef PAST_CACHE
  const bool past_cache = ((ulong)to & (sizeof(ulong4) - 1)) == 0;  // such stores must be aligned
#endif
  for (ulong done = 0; done < stream; done += LINE) {
    for (uint k = 0; k < STREAMS; k++) {
      const ulong at = first + k * stream + done;
      __global const Copied32* source = (__global const Copied32*)(from + at);
      const ulong4 low = source[0], high = source[1];
#ifdef PAST_CACHE
      if (past_cache) {
        __global ulong4* aligned_target = (__global ulong4*)(to + at);
        STORE_PAST_CACHE(aligned_target, low);
        STORE_PAST_CACHE(aligned_target + 1, high);
        continue;
      }
#endif
      __global Copied32* target = (__global Copied32*)(to + at);
      target[0] = low;
      target[1] = high;
    }
  }
  for (ulong at = first + STREAMS * stream; at < last; at++) to[at] = from[at];
}
#endif
