// Candidates of the entries [first_entry, last_entry) of all lists, one list after the other: window w has the entries
// offsets[w] to offsets[w + 1]. A worker goes through its share of them. `filled` counts all candidates, and those
// beyond `room` are not written.
#include "common/lower_bound.clh"
#include "common/prefetch.clh"
#include "marose/kmers/glance.clh"

// Entries whose text is asked for ahead.
#define AHEAD 16
#define BUFFERED 64

WORKER_KERNEL void glance_entries(GLANCE_ARGUMENTS, ulong share) {
  (void)places;
  const ulong from = first_entry + WORKER_FIRST(last_entry - first_entry, share);
  const ulong to = first_entry + WORKER_LAST(last_entry - first_entry, share);
  if (from == to) return;
  ulong buffer[BUFFERED + 2 * AHEAD];
  uint buffered = 0;
  ulong w = last_not_above_ulong(offsets, window_count, from);
  for (ulong entry = from; entry < to;) {
    const ulong list_end = min(offsets[w + 1], to);
    const uint4 window = windows[w];
    const uint word = words[w], length = PLAN_HEAD(read_plan[window.x]).z;
    __global const uint* list = positions + window.z - offsets[w];
    while (entry < list_end) {
      const uint here = (uint)min(list_end - entry, (ulong)AHEAD);
      for (uint i = 0; i < here; i++) PREFETCH(text + ((ulong)list[entry + i] + 32) / 32);
      for (uint i = 0; i < here; i++)
        buffered += glance(text, text_length, READS, window, word, length, list[entry + i], strands, buffer + buffered);
      if (buffered >= BUFFERED) {
        const uint begin = atomic_add(filled, buffered);
        for (uint i = 0; i < buffered && begin + i < room; i++) candidates[begin + i] = buffer[i];
        buffered = 0;
      }
      entry += here;
    }
    w++;
  }
  const uint begin = atomic_add(filled, buffered);
  for (uint i = 0; i < buffered && begin + i < room; i++) candidates[begin + i] = buffer[i];
}
