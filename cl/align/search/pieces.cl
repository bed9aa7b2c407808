// Finds the best piece of each sequence for each query; of equal ones the first.
#include "common/items.clh"

// 1: scores of pieces; 0: scores of runs of pieces.
#ifndef OF_PIECES
#error "OF_PIECES comes from the host"
#endif

// scores[query * count + i]. Run r has members [first[r], first[r + 1]), at least one. With OF_PIECES a member k is
// piece order[k]; otherwise it is k, with piece piece[query * count + k]. best, place: [query * runs + r]. items:
// queries * runs.
ITEM_KERNEL void best_of_runs(__global const int* scores, __global const uint* piece, __global const uint* order,
                              __global const uint* first, uint count, uint runs, ulong items, __global int* best,
                              __global uint* place, ulong share) {
  FOR_EACH_ITEM(item, items, share) {
    const ulong query = item / runs;
    const uint run = (uint)(item % runs), last = first[run + 1];
    __global const int* const own = scores + query * count;
    int highest = -1;
    uint where = 0;
    for (uint k = first[run]; k < last; k++) {
#if OF_PIECES
      const uint i = order[k];
#else
      const uint i = k;
#endif
      const int score = own[i];
      if (score <= highest) continue;
      highest = score;
      where = i;
    }
    best[item] = highest;
#if OF_PIECES
    place[item] = where;
#else
    place[item] = piece[query * count + where];
#endif
  }
}
