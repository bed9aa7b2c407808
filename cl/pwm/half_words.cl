// Two sorted lists of sums with their weights in one: of half a word with one letter more, made from the lists of two
// of its letters.
#include "common/items.clh"
#include "common/lower_bound.clh"

// Item p writes elements [p * run, (p + 1) * run) of the result. Where they begin in both lists is found by a binary
// search on the diagonal of the merge: as many from a as there are elements of a not behind those of b.
ITEM_KERNEL void merge_half_words(__global const long* sum_a, __global const ulong* weight_a, uint size_a, long add_a,
                                  ulong times_a, __global const long* sum_b, __global const ulong* weight_b,
                                  uint size_b, long add_b, ulong times_b, __global long* sum, __global ulong* weight,
                                  uint run, uint runs, ulong share) {
  FOR_EACH_ITEM(p, runs, share) {
    const uint size = size_a + size_b, begin = (uint)p * run, end = min(size, begin + run);
    uint low = begin > size_b ? begin - size_b : 0, high = min(begin, size_a);
    // The at-th of a is among the first `begin` if it is before the (begin - at - 1)-th of b.
    LOWER_BOUND(uint, low, high, at, sum_a[at] + add_a <= sum_b[begin - at - 1] + add_b)
    uint i = low, j = begin - low;
    for (uint k = begin; k < end; k++) {
      const int from_a = j >= size_b || (i < size_a && sum_a[i] + add_a <= sum_b[j] + add_b);
      if (from_a) {
        sum[k] = sum_a[i] + add_a;
        weight[k] = weight_a[i] * times_a;
        i++;
      } else {
        sum[k] = sum_b[j] + add_b;
        weight[k] = weight_b[j] * times_b;
        j++;
      }
    }
  }
}
