// Suffix-prefix overlaps with substitutions. One of `parts` parts, `part` letters each, of the last min_length letters
// of read a occurs without an error in read b. So each part is looked up in the suffix array of all reads, and the
// candidates are compared.
#include "common/items.clh"
#include "overlap/find/interval.clh"
#include "overlap/text/records.clh"

// Where part k of read a stands.
static inline ulong part_of(__global const uint* begins, uint a, uint k, uint min_length, uint part) {
  return begins[a + 1] - 1 - min_length + k * part;
}

// Item i is part i % parts of read first_read + i / parts: firsts[i], counts[i], where it stands.
ITEM_KERNEL void find_parts(__global const ulong* text, __global const uint* separators, ulong size,
                            __global const uint* positions, __global const uint* starts, uint symbols,
                            __global const uint* begins, uint first_read, uint min_length, uint parts, uint part,
                            __global uint* firsts, __global uint* counts, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint a = first_read + (uint)(i / parts);
    uint first = 0, found = 0;
    // Its separator counts.
    if (begins[a + 1] - begins[a] > min_length + 1) {
      const ulong place = part_of(begins, a, (uint)(i % parts), min_length, part);
      if (text_runs(separators, size, place, part))
        found = suffix_interval(text, separators, size, positions, starts, symbols, text, place, part, &first);
    }
    firsts[i] = first;
    counts[i] = found;
  }
}

// Whether part k of read a, at `place`, is without an error in an overlap that is shifted by `other` - `place`.
static inline bool part_agrees(__global const ulong* text, ulong place, ulong other, uint part) {
  for (uint depth = 0; depth < part; depth += TEXT_WINDOW)
    if (text_equal(text_window(text, place + depth), text_window(text, other + depth)) <
        min(part - depth, (uint)TEXT_WINDOW))
      return false;
  return true;
}

// The number of different symbols of the `length` from a and from b on; most + 1 for more, or with a separator.
static inline uint differing(__global const ulong* text, __global const uint* separators, ulong size, ulong a, ulong b,
                             uint length, uint most) {
  uint differ = 0;
  for (uint depth = 0; depth < length && differ <= most; depth += TEXT_WINDOW) {
    const uint left = min(length - depth, (uint)TEXT_WINDOW);
    if (min(text_run(separators, size, a + depth), text_run(separators, size, b + depth)) < left) return most + 1;
    ulong bits = (text_window(text, a + depth) ^ text_window(text, b + depth)) >> (64 - left * TEXT_BITS);
    // The lowest bit of each symbol that differs.
    for (uint k = TEXT_BITS / 2; k > 0; k /= 2) bits |= bits >> k;
    bits &= ~0ul / ((1ul << TEXT_BITS) - 1);
    differ += (uint)popcount(bits);
  }
  return min(differ, most + 1);
}

// Candidate first_candidate + i: offsets[k] stand before those of item k of find_parts(). keep[i]: whether it is an
// overlap, found by no earlier part. keys[i]: (a, b, longest - length), a counted from first_read on; errors[i].
ITEM_KERNEL void check_overlaps(__global const ulong* text, __global const uint* separators, ulong size,
                                __global const uint* positions, __global const uint* begins, uint reads,
                                uint first_read, uint min_length, uint parts, uint part, uint max_errors, uint mates,
                                __global const uint* firsts, __global const ulong* offsets, ulong items,
                                ulong first_candidate, uint read_bits, uint length_bits, uint longest,
                                __global ulong* keys, __global uint* errors, __global uchar* keep, ulong count,
                                ulong share) {
  ulong item = 0;
  uint b = 0;
  FOR_EACH_ITEM(i, count, share) {
    const ulong candidate = first_candidate + i;
    if (!(offsets[item] <= candidate && candidate < offsets[item + 1]))
      item = last_not_above_ulong(offsets, items, candidate);
    keep[i] = 0;
    const uint k = (uint)(item % parts), a = first_read + (uint)(item / parts);
    const uint place = positions[firsts[item] + (uint)(candidate - offsets[item])];
    b = record_of(begins, reads, place, b);
    const uint in_read = place - begins[b];
    if ((a | mates) == (b | mates) || in_read < k * part) continue;
    const uint length = in_read + min_length - k * part;
    if (length + 1 >= begins[a + 1] - begins[a] || length + 1 >= begins[b + 1] - begins[b]) continue;
    const ulong in_a = begins[a + 1] - 1 - length, in_b = begins[b];
    bool earlier = false;
    for (uint other = 0; other < k && !earlier; other++) {
      const ulong from = part_of(begins, a, other, min_length, part);
      earlier = part_agrees(text, from, in_b + (from - in_a), part);
    }
    if (earlier) continue;
    const uint differ = differing(text, separators, size, in_a, in_b, length, max_errors);
    if (differ > max_errors) continue;
    keep[i] = 1;
    errors[i] = differ;
    keys[i] = ((ulong)(a - first_read) << read_bits | b) << length_bits | (longest - length);
  }
}
