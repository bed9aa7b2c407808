// Candidates of the entries [first_entry, last_entry) of all concatenated lists: window w has the entries offsets[w]
// to offsets[w + 1]. A worker processes its part in blocks: it prefetches the text of a whole block before it
// compares. `filled` counts all candidates; those beyond `capacity` are not written.
#include "common/lower_bound.clh"
#include "common/prefetch.clh"
#include "marose/filter_occurrences.clh"

#define BLOCK 64

// Writes the candidates of a block, as far as they fit.
INLINED void write_candidates(const ulong* found, uint count, __global ulong* candidates, uint capacity,
                              __global uint* filled) {
  if (count == 0) return;
  const uint begin = atomic_add(filled, count);
  for (uint i = 0; i < count && begin + i < capacity; i++) candidates[begin + i] = found[i];
}

WORKER_KERNEL void filter_occurrences(FILTER_ARGUMENTS, ulong share) {
  (void)places;
  const ulong from = first_entry + WORKER_FIRST(last_entry - first_entry, share);
  const ulong to = first_entry + WORKER_LAST(last_entry - first_entry, share);
  if (from == to) return;
  ulong found[2 * BLOCK];
  uint block_position[BLOCK], block_window[BLOCK];
  ulong w = last_not_above_ulong(offsets, window_count, from);
  for (ulong block = from; block < to; block += BLOCK) {
    const uint here = (uint)min(to - block, (ulong)BLOCK);
    const ulong first_window = w;
    for (uint i = 0; i < here;) {
      while (offsets[w + 1] <= block + i) w++;
      const uint list_end = (uint)min(offsets[w + 1] - block, (ulong)here);
      __global const uint* list = positions + windows[w].z + (block - offsets[w]);
      for (; i < list_end; i++) {
        block_position[i] = list[i];
        block_window[i] = (uint)(w - first_window);
        PREFETCH(text + ((ulong)list[i] + 32) / 32);
      }
    }
    uint count = 0;
    for (uint i = 0; i < here; i++) {
      const uint4 window = windows[first_window + block_window[i]];
      count += filter_occurrence(SHAPE text, text_length, READS, window, words[first_window + block_window[i]],
                                 PLAN_HEAD(read_plan[window.x]).z, block_position[i], strands, found + count);
    }
    write_candidates(found, count, candidates, capacity, filled);
  }
}
