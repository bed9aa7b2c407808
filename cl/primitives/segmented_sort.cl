// Sorts the small segments of an array, those of at most SMALL elements, by groups.
//
// The array is cut into windows; a group loads the segments that begin in its window into local memory, at most SMALL
// elements more than the window, and each element finds its place by counting the elements of its segment that go
// before it. That is stable, needs no barrier, and at these lengths takes less time than the memory does.
//
// Defines besides those of sort_keys.clh and segments.clh: GROUP_SIZE, WINDOW, SMALL, ONE_WINDOW (1: the only
// window, whose first segment is not read).
#include "common/types.clh"
#include "primitives/sort_keys.clh"
#include "primitives/segments.clh"

#ifndef WINDOW
#error "WINDOW comes from the host"
#endif
#ifndef SMALL
#error "SMALL comes from the host"
#endif
#define WINDOW_KEYS (WINDOW + SMALL)
#define WORDS (WINDOW_KEYS / 32)

// first_segments[w] = the first segment that begins in window w or after it, for w up to and including `windows`.
GROUP_KERNEL void segmented_sort_windows(__global const OFFSET* offsets, ulong segments, ulong windows,
                                         __global ulong* first_segments) {
  const ulong window = get_global_id(0);
  if (window < windows) first_segments[window] = first_offset_from(offsets, segments, window * WINDOW);
  if (window == windows) first_segments[window] = segments;
}

// The nearest set bit at or below `position`, or WINDOW_KEYS.
static inline uint bit_at_or_below(__local const uint* bits, uint position) {
  uint word = position / 32;
  uint found = bits[word] & (0xffffffffu >> (31 - position % 32));
  for (uint steps = 0; found == 0 && word > 0 && steps <= SMALL / 32; steps++) found = bits[--word];
  return found == 0 ? WINDOW_KEYS : word * 32 + 31 - clz(found);
}

// The nearest set bit at or above `position`, or WINDOW_KEYS.
static inline uint bit_at_or_above(__local const uint* bits, uint position) {
  uint word = position / 32;
  uint found = bits[word] & (0xffffffffu << position % 32);
  for (uint steps = 0; found == 0 && word + 1 < WORDS && steps <= SMALL / 32; steps++) found = bits[++word];
  return found == 0 ? WINDOW_KEYS : word * 32 + popcount((found & -found) - 1);
}

GROUP_KERNEL void segmented_sort_small(__global STORED* keys, __global uint* values, ulong key_count,
                                       __global const OFFSET* offsets, ulong segments,
                                       __global const ulong* first_segments) {
  __local KEY local_keys[WINDOW_KEYS];
#if HAS_VALUES
  __local uint local_values[WINDOW_KEYS];
#endif
  __local uint firsts[WORDS], lasts[WORDS];  // a bit for the first and for the last element of each small segment
  const uint item = get_local_id(0);
  const ulong window = get_group_id(0), base = window * WINDOW;
#if ONE_WINDOW
  const ulong segment_begin = first_offset_from(offsets, segments, 0), segment_end = segments;
#else
  const ulong segment_begin = first_segments[window], segment_end = first_segments[window + 1];
#endif

  for (uint word = item; word < WORDS; word += GROUP_SIZE) firsts[word] = lasts[word] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (ulong segment = segment_begin + item; segment < segment_end; segment += GROUP_SIZE) {
    const ulong length = segment_length(offsets, segment, key_count);
    // Offsets that fall could name a place outside the window.
    const ulong first = (ulong)offsets[segment] - base;
    if (length >= 2 && length <= SMALL && first < WINDOW) {
      const uint last = (uint)(first + length - 1);
      atomic_or(&firsts[(uint)first / 32], 1u << (uint)first % 32);
      atomic_or(&lasts[last / 32], 1u << last % 32);
    }
  }
  const ulong from =
      segment_begin < segment_end ? max(base, segment_first(offsets, segment_begin, key_count)) : key_count;
  const ulong to = min(segment_first(offsets, segment_end, key_count), base + WINDOW_KEYS);
  for (ulong at = from + item; at < to; at += GROUP_SIZE) {
    local_keys[at - base] = encode_key(keys[at]);
    IF_VALUES(local_values[at - base] = values[at]);
  }
  // The elements that were read above are overwritten below.
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

  for (ulong at = from + item; at < to; at += GROUP_SIZE) {
    const uint mine = (uint)(at - base);
    const uint first = bit_at_or_below(firsts, mine);
    if (first == WINDOW_KEYS) continue;
    const uint last = bit_at_or_above(lasts, first);
    if (last == WINDOW_KEYS || last < mine) continue;
    const KEY key = local_keys[mine];
    uint before = 0;
    for (uint other = first; other < mine; other++) before += local_keys[other] <= key;
    for (uint other = mine + 1; other <= last; other++) before += local_keys[other] < key;
    keys[base + first + before] = decode_key(key);
    IF_VALUES(values[base + first + before] = local_values[mine]);
  }
}
