// Sorts the hits of each group and writes them to their final place.
#include "marose/map_canonical_gpu_hits.clh"

// Hits of a group that are sorted in local memory; a power of two.
#ifndef ORDER_CAPACITY
#error "ORDER_CAPACITY comes from the host"
#endif

INLINED ulong hit_key(uint first_read, ulong hit) { return (ulong)(first_read + HIT_READ(hit)) << 33 | HIT_PLACE(hit); }

// Group g has the hits offsets[g] to offsets[g + 1]; group_chunks[g] is the last of its chunks. If there are more
// than ORDER_CAPACITY hits, they are written unsorted.
GROUP_KERNEL void order_hits(__global const ulong* chunks, __global const uint* group_chunks,
                             __global const ulong* offsets, uint reads_per_group, __global ulong* keys,
                             __global uint* values) {
  __local ulong sorted[ORDER_CAPACITY];
  const uint item = get_local_id(0), group = get_group_id(0);
  const uint first_read = group * reads_per_group;
  const ulong offset = offsets[group], count = offsets[group + 1] - offset;
  const bool small = count <= ORDER_CAPACITY;
  uint padded = 1;
  while (small && padded < count) padded *= 2;

  ulong filled = 0;
  uint chunk = group_chunks[group];
  while (chunk != 0) {
    const ulong header = chunks[chunk - 1];
    for (uint i = item; i < CHUNK_HITS(header); i += GROUP_SIZE) {
      const ulong hit = chunks[chunk + i];
      if (small) {
        sorted[filled + i] = hit;
      } else {
        keys[offset + filled + i] = hit_key(first_read, hit);
        values[offset + filled + i] = HIT_ERRORS(hit);
      }
    }
    filled += CHUNK_HITS(header);
    chunk = CHUNK_BEFORE(header);
  }
  if (small)
    for (uint i = (uint)count + item; i < padded; i += GROUP_SIZE) sorted[i] = ~0UL;
  barrier(CLK_LOCAL_MEM_FENCE);

  // This is Batcher's bitonic sort.
  const uint pairs = small ? padded / 2 : 0;
  for (uint run = 2; run <= 2 * pairs; run *= 2) {
    for (uint distance = run / 2; distance > 0; distance /= 2) {
      for (uint pair = item; pair < pairs; pair += GROUP_SIZE) {
        const uint low = 2 * pair - (pair & (distance - 1)), high = low + distance;
        const ulong a = sorted[low], b = sorted[high];
        if ((a > b) == ((low & run) == 0)) {
          sorted[low] = b;
          sorted[high] = a;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }

  if (small)
    for (uint i = item; i < count; i += GROUP_SIZE) {
      const ulong hit = sorted[i];
      keys[offset + i] = hit_key(first_read, hit);
      values[offset + i] = HIT_ERRORS(hit);
    }
}
