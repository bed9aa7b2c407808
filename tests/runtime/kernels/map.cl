#include "common/twice.clh"
#include "common/plus.clh"
// out[i] = 2 * in[i] + ADD
__kernel void map_plus(__global const uint* in, __global uint* out, ulong n) {
  size_t i = get_global_id(0);
  if (i < n) out[i] = plus(twice(in[i]));
}

// The same after as many rounds of work as are wanted, which no compiler can leave out (x is never so small again).
__kernel void slow_map(__global const uint* in, __global uint* out, ulong n, uint rounds) {
  size_t i = get_global_id(0);
  uint x = 1;
  for (uint round = 0; round < rounds; ++round) x = x * 1664525u + 1013904223u;
  if (i < n) out[i] = in[i] + ADD + (x == rounds ? 1 : 0);
}

// Each group writes the sum of its ids, through an argument of local memory.
__kernel void group_sums(__local uint* sums, __global uint* out) {
  uint lid = get_local_id(0);
  sums[lid] = lid;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lid == 0) {
    uint sum = 0;
    for (uint i = 0; i < get_local_size(0); ++i) sum += sums[i];
    out[get_group_id(0)] = sum;
  }
}

// out[z][y][x] = x + 10 y + 100 z
__kernel void coordinates(__global uint* out) {
  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  out[(z * get_global_size(1) + y) * get_global_size(0) + x] = (uint)(x + 10 * y + 100 * z);
}
