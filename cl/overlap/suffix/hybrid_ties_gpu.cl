// What the keys do not tell apart is compared, on a GPU. Pairs, most of it in plain texts, at once; small groups by all
// pairs of their members, side by side; medium ones are split by their next window first; large ones are left.
//
// Each list of groups is two arrays, of starts and of sizes.
#include "overlap/suffix/hybrid_groups.clh"
#include "overlap/text/padded.clh"

#ifndef TILE
#error "TILE comes from the host"
#endif
#ifndef SMALL
#error "SMALL comes from the host"
#endif
#ifndef MEDIUM
#error "MEDIUM comes from the host"
#endif
// Windows by which pairs and members of small groups are compared.
#define PAIR_WINDOWS 4
#define SMALL_WINDOWS 256
// Groups of each class that are sampled to estimate the number of comparisons.
#ifndef SMALL_SAMPLES
#error "SMALL_SAMPLES comes from the host"
#endif
#ifndef MEDIUM_SAMPLES
#error "MEDIUM_SAMPLES comes from the host"
#endif

// counts: groups and members of each class (small, medium, large), pairs that have their order, groups and members that
// are left, and windows of the samples.
#define OF_CLASS(class) (2 * (class))
#define PAIRS 6
#define LEFT 7
#define SAMPLED 9

GROUP_KERNEL void find_ties(__global const uint* keys, ulong count, uint shift, uint depth, __global const ulong* text,
                            __global const uint* separators, __global uint* positions, __global uint* small_starts,
                            __global uint* small_sizes, __global uint* medium_starts, __global uint* medium_sizes,
                            __global uint* large_starts, __global uint* large_sizes, __global uint* counts) {
  __local uint pairs[TILE / 2], heads[TILE / 2], sizes[TILE / 2], places[TILE / 2];
  __local uint pair_count, head_count, listed[6], bases[3];
  const uint item = get_local_id(0);
  const ulong base = get_group_id(0) * (ulong)TILE;
  if (item < 6) listed[item] = 0;
  if (item == 6) pair_count = 0;
  if (item == 7) head_count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  for (uint k = item; k < TILE; k += GROUP_SIZE) {
    const ulong i = base + k;
    if (i + 1 >= count) continue;
    const uint key = keys[i];
    if (!same_key(key, keys[i + 1], shift) || (i != 0 && same_key(key, keys[i - 1], shift))) continue;
    if (i + 2 < count && same_key(key, keys[i + 2], shift))
      heads[atomic_inc(&head_count)] = k;
    else
      pairs[atomic_inc(&pair_count)] = k;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  const uint found_pairs = pair_count, found_heads = head_count, from = COMPARED_FROM(depth);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint t = item; t < found_pairs; t += GROUP_SIZE) {
    __global uint* two = positions + base + pairs[t];
    const uint a = two[0], b = two[1];
    const int order = compare_suffixes(text, separators, count, a, b, from, from + PAIR_WINDOWS * TEXT_WINDOW);
    if (order > 0) {
      two[0] = b;
      two[1] = a;
    }
    if (order == 0) heads[atomic_inc(&head_count)] = pairs[t];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  const uint groups = head_count;
  for (uint t = item; t < groups; t += GROUP_SIZE) {
    const ulong start = base + heads[t];
    const uint size = (uint)(group_end(keys, count, shift, start) - start);
    const uint class = size <= SMALL ? 0 : size <= MEDIUM ? 1 : 2;
    sizes[t] = size;
    places[t] = class << 16 | atomic_inc(&listed[OF_CLASS(class)]);
    atomic_add(&listed[OF_CLASS(class) + 1], size);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < 3 && listed[OF_CLASS(item)] != 0) {
    bases[item] = atomic_add(&counts[OF_CLASS(item)], listed[OF_CLASS(item)]);
    atomic_add(&counts[OF_CLASS(item) + 1], listed[OF_CLASS(item) + 1]);
  }
  // A pair that is listed counts there.
  if (item == 3 && found_pairs + found_heads != groups) atomic_add(&counts[PAIRS], found_pairs + found_heads - groups);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint t = item; t < groups; t += GROUP_SIZE) {
    const uint class = places[t] >> 16, to = bases[class] + (places[t] & 0xffff);
    __global uint* starts = class == 0 ? small_starts : class == 1 ? medium_starts : large_starts;
    __global uint* lengths = class == 0 ? small_sizes : class == 1 ? medium_sizes : large_sizes;
    starts[to] = (uint)base + heads[t];
    lengths[to] = sizes[t];
  }
}

// How many windows from `depth` on two suffixes agree in, up to SMALL_WINDOWS.
static inline uint windows_in_common(__global const ulong* text, __global const uint* separators, ulong size, uint a,
                                     uint b, uint depth) {
  uint windows = 0;
  for (ulong at = depth; windows < SMALL_WINDOWS; at += TEXT_WINDOW, windows++)
    if (compare_suffixes(text, separators, size, a, b, at, at + TEXT_WINDOW) != 0) break;
  return windows;
}

// Adds up, over samples evenly spread, for small groups the windows of all pairs, for medium ones those of all members.
GROUP_KERNEL void sample_ties(__global const ulong* text, __global const uint* separators, ulong size, uint depth,
                              __global const uint* positions, __global const uint* small_starts,
                              __global const uint* small_sizes, __global const uint* medium_starts,
                              __global const uint* medium_sizes, __global uint* counts) {
  const uint sample = get_global_id(0);
  const bool small = sample < SMALL_SAMPLES;
  const uint samples = small ? SMALL_SAMPLES : MEDIUM_SAMPLES, own = small ? sample : sample - SMALL_SAMPLES;
  const uint groups = counts[OF_CLASS(small ? 0 : 1)];
  if (own >= samples || own >= groups) return;
  const uint group = groups <= samples ? own : (uint)((ulong)own * groups / samples);
  const uint start = small ? small_starts[group] : medium_starts[group];
  const uint members = small ? small_sizes[group] : medium_sizes[group];
  const uint windows =
      1 + windows_in_common(text, separators, size, positions[start], positions[start + 1], COMPARED_FROM(depth));
  atomic_add(&counts[SAMPLED + (small ? 0 : 1)], small ? members * (members - 1) / 2 * windows : members * windows);
}

static inline void list_group(__global uint* starts, __global uint* sizes, __global uint* counts, uint start,
                              uint size) {
  const uint group = atomic_inc(&counts[0]);
  atomic_add(&counts[1], size);
  starts[group] = start;
  sizes[group] = size;
}

// Sorts medium groups by one window. Those with the same one become small groups, or are left.
GROUP_KERNEL void split_medium(__global const ulong* text, __global const uint* separators, ulong size, uint depth,
                               __global uint* positions, __global const uint* starts, __global const uint* sizes,
                               uint group_count, __global uint* small_starts, __global uint* small_sizes,
                               __global uint* left_starts, __global uint* left_sizes, __global uint* counts) {
  __local ulong windows[MEDIUM];
  __local uint members[MEDIUM];
  const uint item = get_local_id(0), from = COMPARED_FROM(depth);
  for (uint group = get_group_id(0); group < group_count; group += get_num_groups(0)) {
    const uint start = starts[group], count = min(sizes[group], (uint)MEDIUM);
    for (uint k = item; k < count; k += GROUP_SIZE) {
      members[k] = positions[start + k];
      windows[k] = padded_window(text, separators, size, (ulong)members[k] + from);
    }
    // All positions are read before one is written.
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint k = item; k < count; k += GROUP_SIZE) {
      const ulong window = windows[k];
      uint smaller = 0, same_before = 0, same = 0;
      for (uint j = 0; j < count; j++) {
        const ulong other = windows[j];
        smaller += other < window;
        same += other == window;
        same_before += other == window && j < k;
      }
      positions[start + smaller + same_before] = members[k];
      if (same_before == 0 && same > 1) {
        if (same <= SMALL)
          list_group(small_starts, small_sizes, counts, start + smaller, same);
        else
          list_group(left_starts, left_sizes, counts + LEFT, start + smaller, same);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// Each SMALL work-items sort a group by comparing all pairs of its members.
#define TEAMS (GROUP_SIZE / SMALL)
GROUP_KERNEL void rank_small(__global const ulong* text, __global const uint* separators, ulong size, uint depth,
                             __global uint* positions, __global const uint* starts, __global const uint* sizes,
                             __global uint* left_starts, __global uint* left_sizes, __global uint* counts) {
  __local uint members[GROUP_SIZE], ranks[GROUP_SIZE];
  const uint item = get_local_id(0), lane = item % SMALL, team = item - lane, from = COMPARED_FROM(depth);
  const uint group_count = counts[OF_CLASS(0)];
  for (uint first = get_group_id(0) * TEAMS; first < group_count; first += get_num_groups(0) * TEAMS) {
    const uint group = first + team / SMALL;
    const uint count = group < group_count ? min(sizes[group], (uint)SMALL) : 0;
    const uint start = count != 0 ? starts[group] : 0;
    ranks[item] = 0;
    members[item] = lane < count ? positions[start + lane] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    // Pair t is (a, b) with a < b and t = b (b - 1) / 2 + a.
    uint b = 1, before = 0;
    for (uint t = lane; t < count * (count - 1) / 2 && count != 0; t += SMALL) {
      while (before + b <= t) before += b++;
      const uint a = t - before;
      const int order = compare_suffixes(text, separators, size, members[team + a], members[team + b], from,
                                         from + SMALL_WINDOWS * TEXT_WINDOW);
      if (order != 0) atomic_inc(&ranks[team + (order < 0 ? b : a)]);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (lane < count) {
      // Members that agree in all that was compared have the same rank, and keep their order.
      const uint rank = ranks[item];
      uint same = 0, same_before = 0;
      for (uint k = 0; k < count; k++) {
        same += ranks[team + k] == rank;
        same_before += ranks[team + k] == rank && k < lane;
      }
      positions[start + rank + same_before] = members[item];
      if (same_before == 0 && same > 1) list_group(left_starts, left_sizes, counts + LEFT, start + rank, same);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// Groups of a list become left.
GROUP_KERNEL void leave_groups(__global const uint* starts, __global const uint* sizes, uint group_count,
                               __global uint* left_starts, __global uint* left_sizes, uint to, uint members,
                               __global uint* counts) {
  const uint group = get_global_id(0);
  if (group < group_count) {
    left_starts[to + group] = starts[group];
    left_sizes[to + group] = sizes[group];
  }
  if (group == 0) {
    counts[LEFT] += group_count;
    counts[LEFT + 1] += members;
  }
}
