// Longest common prefixes of neighbours in a suffix array that goes by piece by piece: it is looked at twice, first for
// the heads of prefix_bits.clh, then for the values, in the array's order.
#include "overlap/pieces/prefix_bits.clh"
#include "common/prefetch.clh"
#include "overlap/rmq/lcp.clh"

// What positions count from.
#ifndef POSITION_BASE
#error "POSITION_BASE comes from the host"
#endif
// Whether values are 64 bits wide, or 32.
#ifndef VALUE_WIDE
#error "VALUE_WIDE comes from the host"
#endif
#if VALUE_WIDE
#define VALUE ulong
#else
#define VALUE uint
#endif

// The distance of prefetches in ranks, on a CPU.
#define AHEAD 16

static inline void mark_head(__global uint* heads, __global uint* ends, ulong position, ulong value) {
  const ulong end = 2 * position + value;
  atomic_or(&heads[position >> 5], 1u << (position & 31));
  atomic_or(&ends[end >> 5], 1u << (end & 31));
}

// Marks the heads among `count` suffixes: positions[i + 1] is a suffix and positions[i] the one before it. `first`: the
// first of them is the first of the array. wrong[0], initially 2^32 - 1: the first i with an invalid position.
// long_ranks, long_count: the suffixes that a work-group continues to compare.
ITEM_KERNEL void prefix_heads(__global const ulong* text, __global const uint* separators, ulong size,
                              __global const ulong* positions, uint first, __global uint* heads, __global uint* ends,
                              __global uint* long_ranks, uint long_capacity, __global uint* long_count,
                              __global uint* wrong, ulong count, ulong share) {
#ifdef ONLY_CPU
  Head last = {0, 0, NONE_BEFORE};
  bool known = false;
#endif
  FOR_EACH_ITEM(i, count, share) {
    const ulong position = positions[i + 1] - POSITION_BASE;
    const bool is_first = i == 0 && first != 0;
    const ulong neighbour = is_first ? position : positions[i] - POSITION_BASE;
    if (position >= size || neighbour >= size) {
      atomic_min(&wrong[0], (uint)i);
#ifdef ONLY_CPU
      known = false;
#endif
      continue;
    }
#ifdef ONLY_CPU
    const ulong soon = min(positions[min(i + AHEAD, i_end)] - POSITION_BASE, size - 1);
    PREFETCH(text + (soon * TEXT_BITS >> 6));
    PREFETCH(heads + (soon >> 5));
    PREFETCH(ends + (soon >> 4));
#endif
    const Head head = head_at(text, separators, size, position);
#ifdef ONLY_CPU
    const Head other = known ? last : head_at(text, separators, size, neighbour);
    last = head;
    known = true;
#else
    const Head other = head_at(text, separators, size, neighbour);
#endif
    if (is_first) {
      mark_head(heads, ends, position, 0);
    } else if (!heads_reducible(head, other)) {
      ulong value = heads_equal(head, other);
      if (value == HEAD) {
#ifdef ONLY_CPU
        value = equal_behind(text, separators, size, position, neighbour, HEAD);
#else
        value = equal_of_item(text, separators, size, position, neighbour);
        if (value == ITEM_SYMBOLS) {
          const uint entry = atomic_inc(long_count);
          if (entry < long_capacity) {
            long_ranks[entry] = (uint)i;
            continue;
          }
          // The list is full.
          value = equal_behind(text, separators, size, position, neighbour, ITEM_SYMBOLS);
        }
#endif
      }
      mark_head(heads, ends, position, value);
    }
  }
}

#ifndef ONLY_CPU
// A group goes on with one suffix at a time, from where the item stopped.
GROUP_KERNEL void prefix_heads_long(__global const ulong* text, __global const uint* separators, ulong size,
                                    __global const ulong* positions, __global uint* heads, __global uint* ends,
                                    __global const uint* long_ranks, uint long_capacity,
                                    __global const uint* long_count) {
  __local uint differs;
  const uint local_id = (uint)get_local_id(0), count = min(*long_count, long_capacity);
  for (uint entry = (uint)get_group_id(0); entry < count; entry += (uint)get_num_groups(0)) {
    const uint rank = long_ranks[entry];
    const ulong a = positions[rank + 1] - POSITION_BASE, b = positions[rank] - POSITION_BASE;
    const ulong value = equal_of_group(text, separators, size, a, b, &differs);
    if (local_id == 0) mark_head(heads, ends, a, value);
  }
}
#endif

// counts[b]: bits that are set in block b of `words` words.
ITEM_KERNEL void prefix_counts(__global const uint* bits, ulong words, __global uint* counts, ulong count,
                               ulong share) {
  FOR_EACH_ITEM(block, count, share) {
    uint found = 0;
    for (ulong at = block * PREFIX_WORDS, end = min(words, at + PREFIX_WORDS); at < end; at++)
      found += popcount(bits[at]);
    counts[block] = found;
  }
}

// The bit that is the `rank`-th one, from 1; offsets[b]: how many are set before block b, of `blocks` blocks.
static inline ulong bit_of_all(__global const uint* bits, ulong words, __global const ulong* offsets, ulong blocks,
                               ulong rank) {
  ulong low = 1, high = blocks;
  LOWER_BOUND(ulong, low, high, at, offsets[at] < rank)
  return bit_behind(bits, words, (low - 1) * PREFIX_BLOCK, (uint)(rank - offsets[low - 1]));
}

ITEM_KERNEL void prefix_blocks(__global const uint* heads, ulong head_words, __global const ulong* head_offsets,
                               __global const uint* ends, ulong end_words, __global const ulong* end_offsets,
                               ulong end_blocks, __global Prefix* prefixes, ulong count, ulong share) {
  FOR_EACH_ITEM(block, count, share) {
    const ulong rank = head_offsets[block];
    Prefix prefix = {0, 0};
    if (rank != 0) {
      const ulong end = bit_of_all(ends, end_words, end_offsets, end_blocks, rank);
      prefix.sum = end - bit_of_all(heads, head_words, head_offsets, count, rank);
      prefix.next = end + 1;
    }
    prefixes[block] = prefix;
  }
}

// values[i]: that of the suffix at positions[i].
ITEM_KERNEL void prefix_values(__global const ulong* positions, ulong size, __global const uint* heads,
                               __global const uint* ends, ulong words, __global const Prefix* prefixes,
                               __global VALUE* values, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
#ifdef ONLY_CPU
    const ulong soon = min(positions[min(i + AHEAD, i_end - 1)] - POSITION_BASE, size - 1);
    PREFETCH(heads + (soon >> 5));
    PREFETCH(ends + (soon >> 4));
    PREFETCH((__global const ulong*)(prefixes + soon / PREFIX_BLOCK));
#endif
    // One that the source has changed is not looked up.
    const ulong position = min(positions[i] - POSITION_BASE, size - 1);
    values[i] = (VALUE)prefix_at(heads, ends, words, prefixes, position);
  }
}
