// The cheapest disjoint windows of each read, for every number of them at once: by the recurrence
//   D[p][i] = min(D[p][i - 1], D[p - 1][i - k] + cost of the window that ends at i).
// A worker goes through its reads; the numbers of windows lie side by side in vectors.
#include "common/prefetch.clh"
#include "marose/kmers/windows.clh"

#define VECTORS (PARTS / 8)

// Gives D and the windows that it takes for one read of `length` bases, of whose windows the costs are known.
INLINED void cheapest_windows(const uint* cost, uint length, __global uint* costs, __global uint* taken) {
  // Row i % k: D[0], D[1], ..., D[PARTS] of the first i bases.
  uint rows[SEED_SPAN][PARTS + 8];
  for (uint r = 0; r < SEED_SPAN; r++)
    for (uint p = 0; p <= PARTS; p++) rows[r][p] = p == 0 ? 0 : NO_COST;
  uint8 least[VECTORS], ends[VECTORS];
  for (uint v = 0; v < VECTORS; v++) {
    least[v] = (uint8)(NO_COST);
    ends[v] = (uint8)(0);
  }
  uint row = 0;
  for (uint i = SEED_SPAN; i <= length; i++) {
    const uint window = cost[i - SEED_SPAN];
    // From the last on: a vector takes a number of what the one before it writes.
    for (uint v = VECTORS; v-- > 0;) {
      const uint8 with = min(vload8(v, rows[row]) + window, (uint8)(NO_COST));
      ends[v] |= as_uint8(with < least[v]) & (uint8)(1u << (i - 1) % 32);
      least[v] = min(least[v], with);
      vstore8(least[v], v, rows[row] + 1);
    }
    row = row + 1 == SEED_SPAN ? 0 : row + 1;
    if (i % 32 == 0 || i == length)
      for (uint v = 0; v < VECTORS; v++) {
        vstore8(ends[v], v, taken + (ulong)((i - 1) / 32) * PARTS);
        ends[v] = (uint8)(0);
      }
  }
  for (uint v = 0; v < VECTORS; v++) vstore8(least[v], v, costs);
}

WORKER_KERNEL void window_costs(READ_ARGUMENTS, PLAN_ARGUMENTS, __global const uint* first, uint reads, uint longest,
                                __global uint* costs, __global uint* taken, ulong share) {
  (void)places;
  (void)longest;
  uint cost[32 * READ_WORDS], keys[32 * READ_WORDS];
  const ulong end = WORKER_LAST(reads, share);
  for (ulong r = WORKER_FIRST(reads, share); r < end; r++) {
    const uint read = (uint)r, length = PLAN_HEAD(read_plan[read]).z;
    const uint windows = length < SEED_SPAN ? 0 : length - SEED_SPAN + 1;
    for (uint i = 0; i < windows; i++) {
      keys[i] = key_of_window(READS, read, i);
      if (keys[i] != NO_KEY) PREFETCH(first + keys[i]);
    }
    for (uint i = 0; i < windows; i++) cost[i] = cost_of_key(first, keys[i]);
    cheapest_windows(cost, length, costs + COSTS_OF(read), taken + TAKEN_OF(read, 0));
  }
}
