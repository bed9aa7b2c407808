// What a device can do at best, for benchmarks: random reads, additions and maxima.
#include "common/types.clh"

// `table` has a power of two of sectors of 8 words. Each item reads one random word after the other, CHAINS of them in
// flight.
#ifndef CHAINS
#define CHAINS 4
#endif
__kernel void random_reads(__global const uint* table, ulong sectors, uint rounds, __global uint* out) {
  const ulong item = get_global_id(0);
  ulong state[CHAINS];
  uint sum = 0;
#pragma unroll
  for (uint c = 0; c < CHAINS; c++) state[c] = (item * CHAINS + c) * 0x9E3779B97F4A7C15UL + 777UL;
  for (uint round = 0; round < rounds; round++) {
#pragma unroll
    for (uint c = 0; c < CHAINS; c++) {
      state[c] = state[c] * 6364136223846793005UL + 1442695040888963407UL;
      const ulong sector = (state[c] >> 20) & (sectors - 1);
      sum += table[sector * 8 + ((state[c] >> 12) & 7)];
    }
  }
  out[item] = sum;
}

// PAIRS additions each followed by a maximum in every one of `rounds` rounds, independent of each other: the inner step
// of a dynamic programme. The table of 32 fits vector registers on a CPU and registers on a GPU.
#ifndef PAIRS
#define PAIRS 32
#endif
__kernel void add_max(int step, int floor, uint rounds, __global int* out) {
  int values[PAIRS];
#pragma unroll
  for (uint p = 0; p < PAIRS; p++) values[p] = (int)get_global_id(0) + (int)p * step;
  for (uint round = 0; round < rounds; round++) {
#pragma unroll
    for (uint p = 0; p < PAIRS; p++) values[p] = max(values[p] + step, floor);
  }
  int all = values[0];
#pragma unroll
  for (uint p = 1; p < PAIRS; p++) all ^= values[p];
  out[get_global_id(0)] = all;
}
