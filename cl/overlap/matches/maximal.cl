// Maximal matches. Two suffixes match in at least `length` symbols when they are members of one interval, and maximally
// when the symbols before them differ: so those of the reference are sorted by interval and the symbol before (its
// class), and each suffix of the query takes all of its interval but those of its own class.
#include "common/items.clh"
#include "common/lower_bound.clh"
#include "overlap/text/text.clh"

// Bits of a class: 0 where nothing that matches stands before, else 1 + the symbol's code.
#define CLASS_BITS (TEXT_BITS + 1)

static inline uint class_of(__global const ulong* text, __global const uint* breaks, ulong position) {
  if (position == 0) return 0;
  const ulong before = position - 1;
#if TEXT_BREAKS
  if (breaks[before >> 5] >> (31 - (before & 31)) & 1) return 0;
#else
  (void)breaks;
#endif
  const ulong bit = before * TEXT_BITS;
  return 1 + ((uint)(text[bit >> 6] >> (64 - TEXT_BITS - (bit & 63))) & ((1u << TEXT_BITS) - 1));
}

// References stand before `border`.
ITEM_KERNEL void mark_references(__global const uint* ranks, __global const uint* positions, uint border,
                                 __global uint* marks, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) marks[k] = positions[ranks[k]] < border;
}

// References and queries apart. before[k]: how many references stand before member k; numbers[k]: its interval's, from
// 1 on; interval_begins[number - 1]: before of its first member, and one more at the end.
ITEM_KERNEL void split_members(__global const uint* ranks, __global const uint* positions, uint border,
                               __global const uint* numbers, __global const uint* before, __global const ulong* text,
                               __global const uint* breaks, __global ulong* reference_keys,
                               __global uint* reference_ranks, __global uint* query_positions,
                               __global uint* query_members, __global uint* interval_begins, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    const uint rank = ranks[k], position = positions[rank], number = numbers[k], references = before[k];
    if (position < border) {
      reference_keys[references] = (ulong)number << CLASS_BITS | class_of(text, breaks, position);
      reference_ranks[references] = rank;
    } else {
      query_positions[k - references] = position;
      query_members[k - references] = (uint)k;
    }
    if (k == 0 || numbers[k - (k > 0)] != number) interval_begins[number - 1] = references;
    if (k + 1 == count) interval_begins[number] = before[count];
  }
}

// Of each query suffix: the references of its interval from firsts[j] on, `counts[j]` of them that match, with a gap of
// gaps[j] that do not before skips[j].
ITEM_KERNEL void count_matches(__global const uint* query_positions, __global const uint* query_members,
                               __global const uint* numbers, __global const uint* interval_begins,
                               __global const ulong* reference_keys, __global const ulong* text,
                               __global const uint* breaks, __global uint* firsts, __global uint* skips,
                               __global uint* gaps, __global uint* counts, ulong count, ulong share) {
  FOR_EACH_ITEM(j, count, share) {
    const uint number = numbers[query_members[j]];
    const uint begin = interval_begins[number - 1], end = interval_begins[number];
    const uint class = class_of(text, breaks, query_positions[j]);
    const ulong key = (ulong)number << CLASS_BITS | class;
    // Two of class 0 differ all the same.
    const uint skip = class == 0 ? begin : lower_bound_ulong(reference_keys, begin, end, key);
    const uint gap = class == 0 ? 0 : lower_bound_ulong(reference_keys, skip, end, key + 1) - skip;
    firsts[j] = begin;
    skips[j] = skip;
    gaps[j] = gap;
    counts[j] = end - begin - gap;
  }
}

// Match first_match + i of all: its query suffix is the last one with offsets[j] <= it. The two places in one key, the
// query's above position_bits, and the range whose least LCP is the length.
ITEM_KERNEL void fill_matches(__global const ulong* offsets, ulong first_match, ulong queries,
                              __global const uint* query_positions, __global const uint* query_members,
                              __global const uint* ranks, __global const uint* firsts, __global const uint* skips,
                              __global const uint* gaps, __global const uint* reference_ranks,
                              __global const uint* positions, uint position_bits, __global ulong* keys,
                              __global uint2* ranges, ulong count, ulong share) {
  ulong query = 0;
  FOR_EACH_ITEM(i, count, share) {
    const ulong match = first_match + i;
    if (!(offsets[query] <= match && match < offsets[query + 1])) query = last_not_above_ulong(offsets, queries, match);
    uint reference = firsts[query] + (uint)(match - offsets[query]);
    if (reference >= skips[query]) reference += gaps[query];
    const uint a = reference_ranks[reference], b = ranks[query_members[query]];
    keys[i] = (ulong)query_positions[query] << position_bits | positions[a];
    ranges[i] = (uint2)(min(a, b) + 1, max(a, b));
  }
}

// The values of range minima without their places.
ITEM_KERNEL void take_lengths(__global const uint2* minima, __global uint* lengths, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) lengths[i] = minima[i].x;
}
