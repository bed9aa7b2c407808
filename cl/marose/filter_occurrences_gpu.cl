// Candidates of the entries [first_entry, last_entry) of all concatenated lists: window w has the entries offsets[w]
// to offsets[w + 1], at least one. A group takes GROUP_SIZE entries at a time, one for each item: long lists are
// distributed like short ones. `filled` counts all candidates; those beyond `capacity` are not written.
#include "common/lower_bound.clh"
#include "marose/filter_occurrences.clh"

GROUP_KERNEL void filter_occurrences(FILTER_ARGUMENTS, ulong share) {
  (void)places;
  (void)share;
  __local ulong ends[GROUP_SIZE];
  __local ulong first_window;
  __local uint found, begin;
  const uint item = get_local_id(0);
  for (ulong tile = first_entry + get_group_id(0) * GROUP_SIZE; tile < last_entry;
       tile += get_num_groups(0) * GROUP_SIZE) {
    if (item == 0) {
      first_window = last_not_above_ulong(offsets, window_count, tile);
      found = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // A tile has entries of at most GROUP_SIZE windows.
    ends[item] = offsets[min(first_window + item + 1, window_count)];
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong keys[2];
    uint count = 0;
    const ulong entry = tile + item;
    if (entry < last_entry) {
      uint low = 0, high = GROUP_SIZE - 1;
      LOWER_BOUND(uint, low, high, at, ends[at] <= entry)
      const ulong w = first_window + low;
      const uint4 window = windows[w];
      const uint position = positions[window.z + (entry - offsets[w])];
      count = filter_occurrence(SHAPE text, text_length, READS, window, words[w], PLAN_HEAD(read_plan[window.x]).z,
                                position, strands, keys);
    }
    const uint slot = count > 0 ? atomic_add(&found, count) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) begin = found > 0 ? atomic_add(filled, found) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < count; i++)
      if (begin + slot + i < capacity) candidates[begin + slot + i] = keys[i];
  }
}
