// Sorts the groups that direct comparisons leave by doubling (Larsson and Sadakane): members of groups that share
// `depth` symbols are sorted by the ranks of the rest; the new groups share twice that number.
#include "common/items.clh"
#include "overlap/text/text.clh"

// Member j belongs to the group g with offsets[g] <= j < offsets[g + 1].
ITEM_KERNEL void spread_members(__global const uint* starts, __global const uint* offsets, uint group_count,
                                __global const uint* positions, __global uint* slots, __global uint* members,
                                __global uint* groups, ulong count, ulong share) {
  FOR_EACH_ITEM(j, count, share) {
    uint group = 0;
    for (uint step = 1u << 31; step != 0; step >>= 1)
      if (step < group_count - group && offsets[group + step] <= j) group += step;
    const uint slot = starts[group] + (uint)(j - offsets[group]);
    slots[j] = slot;
    members[j] = positions[slot];
    groups[j] = group;
  }
}

// A suffix's rank is its index in the array, or the first index of its group.
ITEM_KERNEL void rank_all(__global const uint* positions, __global uint* ranks, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) ranks[positions[i]] = (uint)i;
}
ITEM_KERNEL void rank_members(__global const uint* members, __global const uint* groups, __global const uint* starts,
                              __global uint* ranks, ulong count, ulong share) {
  FOR_EACH_ITEM(j, count, share) ranks[members[j]] = starts[groups[j]];
}

// The lowest bits of a key of the first round: all set for a suffix without a separator in its first `depth` symbols.
// The others are smaller, by the number of symbols before the separator, the end before a separator; ties keep the
// order of the text.
#ifndef RUN_BITS
#error "RUN_BITS comes from the host"
#endif
#define RUN_MASK ((1u << RUN_BITS) - 1)
ITEM_KERNEL void run_keys(__global const uint* separators, ulong size, uint depth, __global const uint* members,
                          __global const uint* groups, __global ulong* keys, ulong count, ulong share) {
  FOR_EACH_ITEM(j, count, share) {
    const uint run = text_run(separators, size, members[j]);
    const uint code = run >= depth ? RUN_MASK : run << 1 | (members[j] + (ulong)run < size);
    keys[j] = (ulong)groups[j] << RUN_BITS | code;
  }
}

ITEM_KERNEL void rank_keys(__global const uint* ranks, ulong size, ulong depth, uint rank_bits,
                           __global const uint* members, __global const uint* groups, __global ulong* keys, ulong count,
                           ulong share) {
  FOR_EACH_ITEM(j, count, share) {
    const ulong later = members[j] + depth;
    keys[j] = (ulong)groups[j] << rank_bits | (later < size ? ranks[later] + 1ul : 0ul);
  }
}

// firsts[j]: j at the begin of a group, else 0. With `by_runs` a suffix with a separator is a group.
ITEM_KERNEL void round_firsts(__global const ulong* keys, uint by_runs, __global uint* firsts, ulong count,
                              ulong share) {
  FOR_EACH_ITEM(j, count, share) {
    const bool alone = by_runs != 0 && (keys[j] & RUN_MASK) != RUN_MASK;
    firsts[j] = j != 0 && !alone && keys[j] == keys[j - 1] ? 0 : (uint)j;
  }
}

// keep[j]: true if the member's group has two or more members.
ITEM_KERNEL void place_members(__global const uint* slots, __global const uint* members, __global const uint* firsts,
                               __global uint* positions, __global uint* ranks, __global uchar* keep, ulong count,
                               ulong share) {
  FOR_EACH_ITEM(j, count, share) {
    positions[slots[j]] = members[j];
    ranks[members[j]] = slots[firsts[j]];
    keep[j] = firsts[j] != j || (j + 1 < count && firsts[j + 1] != j + 1);
  }
}

ITEM_KERNEL void keep_members(__global const uint* kept, __global const uint* slots, __global const uint* members,
                              __global const uint* firsts, __global uint* kept_slots, __global uint* kept_members,
                              __global uint* begins, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint j = kept[i];
    kept_slots[i] = slots[j];
    kept_members[i] = members[j];
    begins[i] = firsts[j] == j;
  }
}
