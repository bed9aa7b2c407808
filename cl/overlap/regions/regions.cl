// Intervals of a suffix array whose suffixes begin with the same `length` symbols.
//
// Members are the suffixes in such intervals: ranks[k], ascending, and values[k], the LCP with the suffix before it in
// the whole array. An interval begins at a member with a value below `length`.
#include "common/items.clh"

// flags[i]: true if suffix i shares `length` symbols with a neighbour.
ITEM_KERNEL void flag_members(__global const uint* lcp, uint length, __global uchar* flags, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint next = i + 1 < count ? lcp[i + 1] : 0;
    flags[i] = max(lcp[i], next) >= length;
  }
}

// marks[size - 1 - p] = size - p for a separator at p, else 0: a running maximum gives the distance to the next
// separator.
ITEM_KERNEL void mark_separators(__global const uint* separators, __global uint* marks, ulong size, ulong share) {
  FOR_EACH_ITEM(j, size, share) {
    const ulong place = size - 1 - j;
    marks[j] = separators[place >> 5] >> (31 - (place & 31)) & 1 ? (uint)j + 1 : 0;
  }
}

// The number of symbols from p on up to the first separator.
static inline uint run_from(__global const uint* marks, ulong size, ulong p) {
  const ulong j = size - 1 - p;
  return (uint)(j + 1) - marks[j];
}

// marks: after the running maximum. runs[i]: run_from() of the suffix of rank i.
ITEM_KERNEL void runs_by_rank(__global const uint* positions, __global const uint* marks, __global uint* runs,
                              ulong size, ulong share) {
  FOR_EACH_ITEM(i, size, share) runs[i] = run_from(marks, size, positions[i]);
}

ITEM_KERNEL void flag_runs(__global const uint* runs, uint length, __global uchar* flags, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) flags[i] = runs[i] >= length;
}

// The LCP value of neighbours on different sides of `border`, else 0.
ITEM_KERNEL void crossings(__global const uint* positions, uint border, __global const uint* lcp, __global uint* values,
                           ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const bool differ = i > 0 && (positions[i] < border) != (positions[i - (i > 0)] < border);
    values[i] = differ ? lcp[i] : 0;
  }
}

// 1 for each member on the other side of `border` than the one before it in its interval.
ITEM_KERNEL void mark_crossings(__global const uint* ranks, __global const uint* values, __global const uint* positions,
                                uint border, uint length, __global uint* marks, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    uint mark = 0;
    if (values[k] >= length) {
      const uint rank = ranks[k];
      mark = (positions[rank] < border) != (positions[rank - 1] < border);
    }
    marks[k] = mark;
  }
}

// begins[k] = k at the begin of an interval, else 0: a running maximum gives the first member of the interval.
ITEM_KERNEL void mark_begins(__global const uint* values, uint length, __global uint* begins, ulong count,
                             ulong share) {
  FOR_EACH_ITEM(k, count, share) begins[k] = values[k] < length ? (uint)k : 0;
}

// sums[k]: the inclusive sums of marks. enough[first member] of each interval: whether its marks have a sum of
// `min_marks` or more.
ITEM_KERNEL void find_enough(__global const uint* values, uint length, __global const uint* begins,
                             __global const uint* sums, uint min_marks, __global uint* enough, ulong count,
                             ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    if (k + 1 < count && values[k + 1] >= length) continue;
    const uint begin = begins[k];
    enough[begin] = sums[k] - (begin == 0 ? 0 : sums[begin - 1]) >= min_marks;
  }
}

ITEM_KERNEL void flag_enough(__global const uint* begins, __global const uint* enough, __global uchar* flags,
                             ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) flags[k] = enough[begins[k]] != 0;
}

// 1 at the begin of an interval: the sums number the intervals from 1 on.
ITEM_KERNEL void mark_numbers(__global const uint* values, uint length, __global uint* numbers, ulong count,
                              ulong share) {
  FOR_EACH_ITEM(k, count, share) numbers[k] = values[k] < length;
}

// Keys to sort: interval, then `bits` bits of the position.
ITEM_KERNEL void place_keys(__global const uint* numbers, __global const uint* ranks, __global const uint* positions,
                            uint bits, __global ulong* keys, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) keys[k] = (ulong)(numbers[k] - 1) << bits | positions[ranks[k]];
}
