// The sort of Zhong et al. (Algorithm 1): chunks are sorted in local memory by the split radix sort, one bit at a time,
// and sorted chunks are merged in pairs until one is left. Equal keys keep their order.
#include "common/items.clh"

// Keys of a chunk: the size of a group, where groups sort them.
#ifndef CHUNK
#define CHUNK GROUP_SIZE
#endif
// Outputs of an item of a merge: a divisor of CHUNK.
#ifndef MERGED
#define MERGED 16
#endif

#ifndef ONLY_CPU

// The split of each bit (Blelloch, "Prefix sums and their applications", 1990): keys with a 0 come before keys with a
// 1. Places behind the last key count as ones, and stay there.
GROUP_KERNEL void published_sort_chunks_gpu(__global uint* keys, __global uint* values, uint bits, ulong size) {
  __local uint chunk_keys[CHUNK], chunk_values[CHUNK], sums[CHUNK];
  const uint item = get_local_id(0);
  const ulong i = get_group_id(0) * (ulong)CHUNK + item;
  uint key = i < size ? keys[i] : UINT_MAX, value = i < size ? values[i] : 0;
  for (uint bit = 0; bit < bits; bit++) {
    const uint zero = ~key >> bit & 1;
    sums[item] = zero;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < CHUNK; distance *= 2) {
      const uint more = item >= distance ? sums[item - distance] : 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      sums[item] += more;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    const uint before = sums[item] - zero, zeros = sums[CHUNK - 1];
    const uint to = zero != 0 ? before : zeros + item - before;
    chunk_keys[to] = key;
    chunk_values[to] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    key = chunk_keys[item];
    value = chunk_values[item];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < size) {
    keys[i] = key;
    values[i] = value;
  }
}
#endif
#ifndef ONLY_GPU

// Each worker has `share` of the chunks.
WORKER_KERNEL void published_sort_chunks_cpu(__global uint* keys, __global uint* values, uint bits, ulong size,
                                             ulong share) {
  const ulong chunks = (size + CHUNK - 1) / CHUNK, last = WORKER_LAST(chunks, share);
  for (ulong chunk = WORKER_FIRST(chunks, share); chunk < last; chunk++) {
    uint chunk_keys[2][CHUNK], chunk_values[2][CHUNK];
    const ulong begin = chunk * CHUNK;
    const uint count = (uint)min((ulong)CHUNK, size - begin);
    for (uint i = 0; i < count; i++) {
      chunk_keys[0][i] = keys[begin + i];
      chunk_values[0][i] = values[begin + i];
    }
    for (uint bit = 0; bit < bits; bit++) {
      const uint from = bit & 1, to = from ^ 1;
      uint zeros = 0, ones = 0;
      for (uint i = 0; i < count; i++) ones += ~chunk_keys[from][i] >> bit & 1;
      for (uint i = 0; i < count; i++) {
        const uint place = (chunk_keys[from][i] >> bit & 1) != 0 ? ones++ : zeros++;
        chunk_keys[to][place] = chunk_keys[from][i];
        chunk_values[to][place] = chunk_values[from][i];
      }
    }
    for (uint i = 0; i < count; i++) {
      keys[begin + i] = chunk_keys[bits & 1][i];
      values[begin + i] = chunk_values[bits & 1][i];
    }
  }
}
#endif

// Merges sorted runs of `width` keys in pairs. An item writes MERGED keys: it finds by bisection how many of those
// before come from the left run.
ITEM_KERNEL void published_merge(__global const uint* keys, __global const uint* values, __global uint* merged_keys,
                                 __global uint* merged_values, uint mask, ulong width, ulong size, ulong count,
                                 ulong share) {
  FOR_EACH_ITEM(part, count, share) {
    const ulong begin = part * MERGED, left = begin / (2 * width) * (2 * width);
    const ulong right = min(left + width, size), end = min(left + 2 * width, size);
    const ulong place = begin - left, in_left = right - left, in_right = end - right;
    ulong low = place > in_right ? place - in_right : 0, high = min(place, in_left);
    while (low < high) {
      const ulong middle = (low + high) / 2;
      if ((keys[left + middle] & mask) <= (keys[right + place - 1 - middle] & mask))
        low = middle + 1;
      else
        high = middle;
    }
    ulong a = left + low, b = right + place - low;
    const ulong last = min(begin + MERGED, end);
    for (ulong i = begin; i < last; i++) {
      const int from_left = a < right && (b >= end || (keys[a] & mask) <= (keys[b] & mask));
      const ulong from = from_left ? a++ : b++;
      merged_keys[i] = keys[from];
      merged_values[i] = values[from];
    }
  }
}
