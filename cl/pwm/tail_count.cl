// Words whose halves' sums add up to at least so much, by two pointers: the larger the beginning, the smaller the ends
// that suffice.
#include "common/items.clh"
#include "common/lower_bound.clh"

// Item t * runs + r: for bound q[t], beginnings [r * run, (r + 1) * run). before[j]: weight of the first j ends.
// words[item], pairs[item]: of its beginnings with the ends that suffice.
ITEM_KERNEL void tail_count(__global const long* left_sum, __global const ulong* left_weight, uint left_size,
                            __global const long* right_sum, __global const ulong* before, uint right_size,
                            __global const long* q, uint bounds, uint run, uint runs, __global ulong* words,
                            __global ulong* pairs, ulong share) {
  FOR_EACH_ITEM(item, (ulong)bounds * runs, share) {
    const uint begin = (uint)(item % runs) * run, end = min(left_size, begin + run);
    const long bound = q[item / runs];
    const ulong all = before[right_size];
    ulong found = 0, found_pairs = 0;
    // The first end that suffices, for the run's first beginning by a binary search, then downwards.
    uint j = begin < end ? lower_bound_long(right_sum, 0, right_size, bound - left_sum[begin]) : 0;
    for (uint i = begin; i < end; i++) {
      const long rest = bound - left_sum[i];
      while (j > 0 && right_sum[j - 1] >= rest) j--;
      found += left_weight[i] * (all - before[j]);
      found_pairs += right_size - j;
    }
    words[item] = found;
    pairs[item] = found_pairs;
  }
}
