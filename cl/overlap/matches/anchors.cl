// Maximal matches from anchors: every `step`-th place of the queries. A match of at least depth + step - 1 symbols has
// an anchor among its first `step` symbols, and the `depth` symbols from there on are looked up in the suffix array of
// the reference. So each match is found once, from its first anchor: at the candidates that begin less than `step`
// symbols before it.
#include "common/items.clh"
#include "overlap/find/interval.clh"
#include "overlap/matches/match.clh"

// firsts[i], counts[i]: the suffixes of the reference that begin with the `depth` symbols at anchor first_anchor + i.
ITEM_KERNEL void find_anchors(REFERENCE_ARGUMENTS, QUERY_ARGUMENTS, ulong first_anchor, uint step, uint depth,
                              __global uint* firsts, __global uint* counts, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const ulong anchor = (first_anchor + i) * step;
    uint first = 0;
    counts[i] = text_runs(query_separators, query_size, anchor, depth)
                    ? suffix_interval(text, separators, size, positions, starts, symbols, query, anchor, depth, &first)
                    : 0;
    firsts[i] = first;
  }
}

// Item i is candidate first_candidate + i of `anchors` anchors; offsets[k]: the number of candidates before anchor k.
// keep[i]: true if a match of min_length symbols begins less than `step` before it. keys[i]: the position in the
// queries minus `base`, then `position_bits` bits of the position in the reference.
ITEM_KERNEL void check_candidates(REFERENCE_ARGUMENTS, QUERY_ARGUMENTS, ulong first_anchor, uint step, uint depth,
                                  uint min_length, __global const ulong* offsets, ulong anchors,
                                  __global const uint* firsts, ulong first_candidate, ulong base, uint position_bits,
                                  __global ulong* keys, __global uchar* keep, ulong count, ulong share) {
  (void)starts;
  (void)symbols;
  ulong k = 0;
  FOR_EACH_ITEM(i, count, share) {
    const ulong candidate = first_candidate + i;
    if (!(offsets[k] <= candidate && candidate < offsets[k + 1])) k = last_not_above_ulong(offsets, anchors, candidate);
    const ulong in_query = (first_anchor + k) * step;
    const ulong in_text = positions[firsts[k] + (uint)(candidate - offsets[k])];
    const uint before = common_before(query, query_separators, in_query, text, separators, in_text, step);
    const uint missing = min_length - min(min_length, before + depth);
    const bool kept = before < step && common_behind(query, query_separators, query_size, in_query + depth, text,
                                                     separators, size, in_text + depth, missing) == missing;
    keep[i] = kept;
    keys[i] = kept ? (in_query - before - base) << position_bits | (in_text - before) : 0;
  }
}

// Match i is candidate kept[i]: its key and its length.
ITEM_KERNEL void measure_matches(REFERENCE_ARGUMENTS, QUERY_ARGUMENTS, uint min_length, __global const uint* kept,
                                 __global const ulong* candidates, ulong base, uint position_bits, __global ulong* keys,
                                 __global uint* lengths, ulong count, ulong share) {
  (void)positions;
  (void)starts;
  (void)symbols;
  FOR_EACH_ITEM(i, count, share) {
    const ulong key = candidates[kept[i]];
    const ulong in_query = base + (key >> position_bits), in_text = key & (((ulong)1 << position_bits) - 1);
    keys[i] = key;
    lengths[i] = min_length + (uint)common_behind(query, query_separators, query_size, in_query + min_length, text,
                                                  separators, size, in_text + min_length, size);
  }
}
