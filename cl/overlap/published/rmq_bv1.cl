// Range minima on the Euler tour: the smallest depth between two first occurrences belongs to the minimum.
//
// Defines: LOG_UNIT.
#include "common/items.clh"
#include "overlap/published/rmq_bv1.clh"

// An item is a block. Behind the end it goes up.
ITEM_KERNEL void bv1_steps(__global const uint* depths, ulong size, __global ushort* steps, ulong blocks, ulong share) {
  FOR_EACH_ITEM(block, blocks, share) {
    const ulong first = block << LOG_UNIT;
    uint bits = 0, before = depths[first];
    for (uint k = 1; k < UNIT && first + k < size; k++) {
      const uint depth = depths[first + k];
      bits |= depth < before ? 1u << (k - 1) : 0;
      before = depth;
    }
    steps[block] = (ushort)bits;
  }
}

// An item is a block of some steps and a place i in it.
ITEM_KERNEL void bv1_in_block(__global uchar* table, ulong rows, ulong share) {
  FOR_EACH_ITEM(row, rows, share) {
    const uint i = (uint)row & (UNIT - 1);
    const ulong steps = row >> LOG_UNIT;
    int depth = 0, least = 0;
    uint place = i;
    for (uint j = 0; j < UNIT; j++) {
      if (j > i) depth += (steps >> (j - 1) & 1) != 0 ? -1 : 1;
      if (depth < least) least = depth, place = j;
      table[in_block_entry(steps, i, j)] = (uchar)place;
    }
  }
}

static inline uint in_block(__global const ushort* steps, __global const uchar* table, ulong block, uint i, uint j) {
  return (uint)(block << LOG_UNIT) + table[in_block_entry(steps[block], i, j)];
}

ITEM_KERNEL void query_bv1(__global const uint* values, ulong size, __global const uint* firsts,
                           __global const uint* tour, __global const uint* depths, __global const ushort* steps,
                           __global const uchar* table, __global const ushort* low, __global const uint* high,
                           ulong blocks, __global const Query* queries, __global Answer* answers, ulong count,
                           ulong share) {
  FOR_EACH_ITEM(n, count, share) {
    const Query query = queries[n];
    Answer answer = OUT_OF_RANGE;
    if (is_in_range(query, size)) {
      const uint a = firsts[query.x], b = firsts[query.y], from = min(a, b), to = max(a, b);
      const ulong first = from >> LOG_UNIT, last = to >> LOG_UNIT;
      uint place = in_block(steps, table, first, from & (UNIT - 1), first == last ? to & (UNIT - 1) : UNIT - 1);
      if (first != last) {
        uint least = depths[place];
        if (last - first > 1) {
          const uint level = level_of(last - first - 1);
          const uint left = table_at(low, high, blocks, level, first + 1);
          const uint right = table_at(low, high, blocks, level, last - (1ul << level));
          const uint at_left = depths[left], at_right = depths[right];
          if (at_left < least) least = at_left, place = left;
          if (at_right < least) least = at_right, place = right;
        }
        const uint behind = in_block(steps, table, last, 0, to & (UNIT - 1));
        if (depths[behind] < least) place = behind;
      }
      const uint node = tour[place];
      answer = (Answer)(values[node], node);
    }
    answers[n] = answer;
  }
}
