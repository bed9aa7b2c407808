// The best of the pieces that a sequence has been cut into, for each query, and the first piece that is as good.
#include "common/items.clh"

// Whether the scores are those of pieces, else of runs of them.
#ifndef OF_PIECES
#error "OF_PIECES comes from the host"
#endif

// scores[query * count + i]. Run r has members [first[r], first[r + 1]), no fewer than one: OF_PIECES: pieces order[k],
// else k itself, whose piece is piece[query * count + k]. best, place: [query * runs + r]; items: queries * runs.
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
