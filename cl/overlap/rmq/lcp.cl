// Longest common prefixes of neighbours in a suffix array.
//
// sums[i]: i and how many symbols the suffix at i has in common with its neighbour, for those that were compared, else
// 0: its running maximum is right for all.
//
// Defines: TEXT_BITS, TEXT_SEPARATORS.
#include "common/items.clh"
#include "overlap/rmq/lcp.clh"
#include "common/prefetch.clh"

// The distance of prefetches in ranks, on a CPU.
#define AHEAD 24

#ifndef ONLY_CPU
// An item is a rank and loads the head of its suffix, which the neighbour also compares. The ranks in long[] are
// compared further by lcp_long_gpu.
GROUP_KERNEL void lcp_heads_gpu(__global const ulong* text, __global const uint* separators, ulong size,
                                __global const uint* positions, __global uint* values, __global uint* sums,
                                __global uint* long_ranks, uint long_capacity, __global uint* long_count, ulong step) {
  __local ulong symbols[GROUP_SIZE];
  __local uint runs[GROUP_SIZE], befores[GROUP_SIZE], places[GROUP_SIZE];
  const uint local_id = (uint)get_local_id(0);
  for (ulong first = get_group_id(0) * (ulong)GROUP_SIZE; first < size; first += step) {
    const ulong rank = first + local_id;
    Head head = {0, 0, NONE_BEFORE};
    uint position = 0;
    if (rank < size) {
      position = positions[rank];
      head = head_at(text, separators, size, position);
    }
    symbols[local_id] = head.symbols;
    runs[local_id] = head.run;
    befores[local_id] = head.before;
    places[local_id] = position;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (rank == 0) {
      values[0] = 0;
      sums[position] = position;
    } else if (rank < size) {
      Head other;
      uint neighbour;
      if (local_id != 0) {
        other.symbols = symbols[local_id - 1];
        other.run = runs[local_id - 1];
        other.before = befores[local_id - 1];
        neighbour = places[local_id - 1];
      } else {
        neighbour = positions[rank - 1];
        other = head_at(text, separators, size, neighbour);
      }
      uint value = REDUCIBLE;
      if (!heads_reducible(head, other)) {
        value = heads_equal(head, other);
        if (value == HEAD) {
          value = (uint)equal_of_item(text, separators, size, position, neighbour);
          if (value == ITEM_SYMBOLS) {
            const uint entry = atomic_inc(long_count);
            if (entry < long_capacity) {
              long_ranks[entry] = (uint)rank;
            } else {
              // The list is full.
              value = (uint)equal_behind(text, separators, size, position, neighbour, ITEM_SYMBOLS);
            }
          }
        }
        sums[position] = position + value;
      }
      values[rank] = value;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// A group goes on with one rank at a time, from where the item stopped.
GROUP_KERNEL void lcp_long_gpu(__global const ulong* text, __global const uint* separators, ulong size,
                               __global const uint* positions, __global uint* values, __global uint* sums,
                               __global const uint* long_ranks, uint long_capacity, __global const uint* long_count) {
  __local uint differs;
  const uint local_id = (uint)get_local_id(0), count = min(*long_count, long_capacity);
  for (uint entry = (uint)get_group_id(0); entry < count; entry += (uint)get_num_groups(0)) {
    const uint rank = long_ranks[entry];
    const ulong a = positions[rank], b = positions[rank - 1];
    const ulong value = equal_of_group(text, separators, size, a, b, &differs);
    if (local_id == 0) {
      values[rank] = (uint)value;
      sums[a] = (uint)(a + value);
    }
  }
}
#endif

#ifndef ONLY_GPU
WORKER_KERNEL void lcp_heads_cpu(__global const ulong* text, __global const uint* separators, ulong size,
                                 __global const uint* positions, __global uint* values, __global uint* sums,
                                 ulong share) {
  const ulong first = WORKER_FIRST(size, share), last = WORKER_LAST(size, share);
  if (first >= last) return;
  uint neighbour = first == 0 ? 0 : positions[first - 1];
  Head other = head_at(text, separators, size, neighbour);
  for (ulong rank = first; rank < last; rank++) {
    if (rank + AHEAD < last) {
      const ulong soon = positions[rank + AHEAD];
      PREFETCH(text + (soon * TEXT_BITS >> 6));
      PREFETCH(sums + soon);
    }
    const uint position = positions[rank];
    const Head head = head_at(text, separators, size, position);
    uint value = REDUCIBLE;
    if (rank == 0) {
      value = 0;
      sums[position] = position;
    } else if (!heads_reducible(head, other)) {
      value = heads_equal(head, other);
      if (value == HEAD) value = (uint)equal_behind(text, separators, size, position, neighbour, HEAD);
      sums[position] = position + value;
    }
    values[rank] = value;
    neighbour = position;
    other = head;
  }
}
#endif

// The rest, from the running maximum.
ITEM_KERNEL void lcp_reducible(__global const uint* positions, __global const uint* sums, __global uint* values,
                               ulong size, ulong share) {
  FOR_EACH_ITEM(rank, size, share) {
#ifdef ONLY_CPU
    const ulong soon = min(rank + AHEAD, rank_end - 1);
    PREFETCH(sums + (values[soon] == REDUCIBLE ? positions[soon] : 0));
#endif
    if (values[rank] == REDUCIBLE) {
      const uint position = positions[rank];
      values[rank] = sums[position] - position;
    }
  }
}
