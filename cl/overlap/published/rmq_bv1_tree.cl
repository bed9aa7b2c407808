// The Cartesian tree of values, and its Euler tour (Berkman and Vishkin 1993).
//
// A node is a value's position; of equal values the left one is above. The subtree of i is the range between its
// nearest smaller values, those included that equal it on the left: found for all i at once by a tree of minima, 16 to
// a node. The ancestors of i on its left are the j < i whose range reaches beyond i, those on its right the j > i whose
// range begins before or at i: so two counts over all ranges, summed up, give depths and places in the tour.
#include "common/items.clh"

#ifndef FAN
#error "FAN comes from the host"
#endif

// Minima of FAN of what begins at `below_begin`, to where `begin` is.
ITEM_KERNEL void bv1_minima(__global const uint* below, ulong below_begin, ulong below_count, __global uint* minima,
                            ulong begin, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    uint least = UINT_MAX;
    for (ulong k = FAN * i; k < min(below_count, FAN * i + FAN); k++) least = min(least, below[below_begin + k]);
    minima[begin + i] = least;
  }
}

// Level 0 are the values; level k > 0 begins at begins[k - 1] of `minima`.
static inline uint node_at(__global const uint* values, __global const uint* minima, __constant ulong* begins,
                           uint level, ulong index) {
  return level == 0 ? values[index] : minima[begins[level - 1] + index];
}

// One more than the nearest position on the left with a value up to `value`; 0 without one.
static inline ulong range_begin(__global const uint* values, __global const uint* minima, __constant ulong* begins,
                                uint levels, ulong position, uint value) {
  uint level = 0;
  ulong index = position;
  for (;;) {
    // Siblings on the left.
    const ulong first = index & ~(ulong)(FAN - 1);
    while (index > first && node_at(values, minima, begins, level, index - 1) > value) index--;
    if (index > first) break;
    if (++level == levels) return 0;
    index = first / FAN;
  }
  // Down to the last value of what index - 1 stands for that is small enough.
  while (level-- > 0) {
    index = (index - 1) * FAN + FAN;
    while (node_at(values, minima, begins, level, index - 1) > value) index--;
  }
  return index;
}

// The nearest position on the right with a value below `value`; `size` without one.
static inline ulong range_end(__global const uint* values, ulong size, __global const uint* minima,
                              __constant ulong* begins, uint levels, ulong position, uint value) {
  uint level = 0;
  ulong index = position + 1, count = size;
  for (;;) {
    const ulong end = min(count, (index + FAN - 1) & ~(ulong)(FAN - 1));
    while (index < end && node_at(values, minima, begins, level, index) >= value) index++;
    if (index < end) break;
    if (++level == levels) return size;
    index = (end + FAN - 1) / FAN;
    count = (count + FAN - 1) / FAN;
  }
  while (level-- > 0) {
    index *= FAN;
    while (node_at(values, minima, begins, level, index) >= value) index++;
  }
  return index;
}

// Subtrees as ranges, and how many of them begin and end where. An item is a value.
ITEM_KERNEL void bv1_ranges(__global const uint* values, ulong size, __global const uint* minima,
                            __constant ulong* begins, uint levels, __global uint* range_begins,
                            __global uint* range_ends, __global uint* begin_counts, __global uint* end_counts,
                            ulong share) {
  // Those of neighbours often begin or end together, and are counted at once.
  ulong begun_at = size, ended_at = size;
  uint begun = 0, ended = 0;
  FOR_EACH_ITEM(i, size, share) {
    const uint value = values[i];
    const ulong begin = range_begin(values, minima, begins, levels, i, value);
    const ulong end = range_end(values, size, minima, begins, levels, i, value);
    range_begins[i] = (uint)begin;
    range_ends[i] = (uint)end;
    if (begin != begun_at) {
      if (begun_at < size) atomic_add(&begin_counts[begun_at], begun);
      begun_at = begin;
      begun = 0;
    }
    begun++;
    if (end != ended_at) {
      if (ended_at < size) atomic_add(&end_counts[ended_at], ended);
      ended_at = end;
      ended = 0;
    }
    ended++;
  }
  if (begun_at < size) atomic_add(&begin_counts[begun_at], begun);
  if (ended_at < size) atomic_add(&end_counts[ended_at], ended);
}

// begun[i], ended[i]: ranges that begin, end at i or before. First occurrences take the place of range_begins.
ITEM_KERNEL void bv1_tour(ulong size, __global uint* range_begins, __global const uint* range_ends,
                          __global const uint* begun, __global const uint* ended, __global uint* tour,
                          __global uint* depths, ulong share) {
  FOR_EACH_ITEM(i, size, share) {
    const uint at = (uint)i, begin = range_begins[i], left = at - begin, right = range_ends[i] - at - 1;
    const uint on_the_left = at - ended[i], on_the_right = begun[i] - at - 1;
    const uint depth = on_the_left + on_the_right;
    // Nodes before i that are no ancestors are in left subtrees, each twice in the tour.
    const uint first = 2 * begin + on_the_right - on_the_left;
    range_begins[i] = first;
    // Before, between and behind the subtrees.
    tour[first] = at;
    depths[first] = depth;
    if (left != 0) {
      tour[first + 2 * left] = at;
      depths[first + 2 * left] = depth;
    }
    if (right != 0) {
      tour[first + 2 * (left + right)] = at;
      depths[first + 2 * (left + right)] = depth;
    }
  }
}
