// The cheapest disjoint windows of each read, for every number of them, by the recurrence
//    D[p][i] = min(D[p][i - 1], D[p - 1][i - k] + cost of the window that ends at i).
// A worker processes its reads; the numbers of windows are lanes of vectors.
#include "common/prefetch.clh"
#include "marose/kmer_windows.clh"

#define VECTORS (PARTS / 8)

// D and its windows for one read of `length` bases with known costs of windows.
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

// The keys of a read's windows, 32 at a time from two neighbouring words: a loop that compilers vectorize. Those
// after the last window are unused.
INLINED void keys_of_windows(READ_ARGUMENTS, uint read, uint windows, uint* keys) {
  __global const ulong* bases = read_strand(read_bases, read, 0);
  for (uint w = 0; 32 * w < windows; w++) {
    const ulong here = bases[w], behind = w + 1 < READ_WORDS ? bases[w + 1] : 0;
    uint* to = keys + 32 * w;
    for (uint i = 0; i < 32; i++)
      to[i] = window_key((here << 2 * i | behind >> 1 >> (63 - 2 * i)) & first_bases(SEED_SPAN));
#if HAS_UNKNOWN
    __global const ulong* unknown = read_strand(read_unknown, read, 0);
    const ulong no = unknown[w], none = w + 1 < READ_WORDS ? unknown[w + 1] : 0;
    for (uint i = 0; i < 32; i++)
      if ((no << 2 * i | none >> 1 >> (63 - 2 * i)) & first_bases(SEED_SPAN)) to[i] = NO_KEY;
#else
    (void)read_unknown;
#endif
  }
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
    keys_of_windows(READS, read, windows, keys);
    for (uint i = 0; i < windows; i++)
      if (!HAS_UNKNOWN || keys[i] != NO_KEY) PREFETCH(first + keys[i]);
    for (uint i = 0; i < windows; i++) cost[i] = cost_of_key(first, keys[i]);
    cheapest_windows(cost, length, costs + COSTS_OF(read), taken + TAKEN_OF(read, 0));
  }
}
