// Sorts the suffixes of a short string of names: ranks are the numbers of smaller suffixes by 1, 2, 4, ... names.
#include "common/types.clh"

#ifndef DC3_SMALL
#error "DC3_SMALL comes from the host"
#endif

#ifndef ONLY_GPU
// size <= DC3_SMALL.
WORKER_KERNEL void dc3_small_cpu(__global const uint* names, uint size, __global uint* order) {
  ulong keys[DC3_SMALL];
  uint ranks[DC3_SMALL];
  for (uint i = 0; i < size; i++) keys[i] = names[i];
  for (uint reach = 1;; reach *= 2) {
    for (uint i = 0; i < size; i++) {
      const ulong key = keys[i];
      uint smaller = 0;
      for (uint k = 0; k < size; k++) smaller += keys[k] < key;
      ranks[i] = smaller + 1;
    }
    if (reach >= size) break;
    for (uint i = 0; i < size; i++) keys[i] = (ulong)ranks[i] << 32 | (i + reach < size ? ranks[i + reach] : 0);
  }
  for (uint i = 0; i < size; i++) order[ranks[i] - 1] = i;
}
#endif

#ifndef ONLY_CPU
// One group.
GROUP_KERNEL void dc3_small_gpu(__global const uint* names, uint size, __global uint* order) {
  __local ulong keys[DC3_SMALL];
  __local uint ranks[DC3_SMALL];
  const uint item = get_local_id(0);
  for (uint i = item; i < size; i += GROUP_SIZE) keys[i] = names[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  // reach < 2 * size in every item alike.
  for (uint reach = 1; reach < 2 * size; reach *= 2) {
    for (uint i = item; i < size; i += GROUP_SIZE) {
      const ulong key = keys[i];
      uint smaller = 0;
      for (uint k = 0; k < size; k++) smaller += keys[k] < key;
      ranks[i] = smaller + 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = item; i < size; i += GROUP_SIZE)
      keys[i] = (ulong)ranks[i] << 32 | (i + reach < size ? ranks[i + reach] : 0);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (uint i = item; i < size; i += GROUP_SIZE) order[ranks[i] - 1] = i;
}
#endif
