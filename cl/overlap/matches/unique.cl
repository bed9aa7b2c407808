// Maximal matches whose symbols stand once in the reference: at most one from each place of the queries.
#include "common/items.clh"
#include "overlap/find/interval.clh"
#include "overlap/matches/match.clh"

// Whether the suffix at `in_text` is below the query from `in_query` on. Where both end at once, either will do: such
// suffixes stand together.
static inline bool suffix_below(__global const ulong* text, __global const uint* separators, ulong size, ulong in_text,
                                QUERY_ARGUMENTS, ulong in_query, ulong depth) {
  depth += common_behind(text, separators, size, in_text + depth, query, query_separators, query_size, in_query + depth,
                         size);
  const bool text_ends = text_run(separators, size, in_text + depth) == 0;
  const bool query_ends = text_run(query_separators, query_size, in_query + depth) == 0;
  if (text_ends || query_ends) return text_ends;
  return text_window(text, in_text + depth) < text_window(query, in_query + depth);
}

// Item i is position first_place + i of the queries. A match from there contains an anchor with occurrences: counts[k]
// is the number of occurrences of anchor first_anchor + k, of `anchors`. keys and keep: as in anchors.cl; lengths[i]:
// the length of the match.
ITEM_KERNEL void find_unique(REFERENCE_ARGUMENTS, QUERY_ARGUMENTS, ulong first_anchor, uint step,
                             __global const uint* counts, ulong anchors, uint min_length, ulong first_place, ulong base,
                             uint position_bits, __global ulong* keys, __global uint* lengths, __global uchar* keep,
                             ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const ulong in_query = first_place + i, anchor = (in_query + step - 1) / step - first_anchor;
    keep[i] = 0;
    if (anchor >= anchors || counts[anchor] == 0) continue;
    if (!text_runs(query_separators, query_size, in_query, min_length)) continue;
    uint first = 0;
    const uint found =
        suffix_interval(text, separators, size, positions, starts, symbols, query, in_query, min_length, &first);
    if (found == 0) continue;
    // The longest match is that of a neighbour of the place where the query would stand.
    uint low = first, high = first + found;
    LOWER_BOUND(
        uint, low, high, at,
        suffix_below(text, separators, size, positions[at], query, query_separators, query_size, in_query, min_length))
    ulong best = 0;
    uint best_rank = 0;
    bool once = false;
    // Up to two on either side: the one behind the best may match as far.
    const uint begin = low - min(low - first, 2u), end = min(low + 2, first + found);
    for (uint rank = begin; rank < end; rank++) {
      const ulong length = common_behind(text, separators, size, positions[rank] + (ulong)min_length, query,
                                         query_separators, query_size, in_query + min_length, size);
      if (rank == begin || length > best) {
        once = true;
        best = length;
        best_rank = rank;
      } else if (length == best) {
        once = false;
      }
    }
    if (!once) continue;
    const ulong in_text = positions[best_rank];
    if (common_before(query, query_separators, in_query, text, separators, in_text, 1) != 0) continue;
    keep[i] = 1;
    keys[i] = (in_query - base) << position_bits | in_text;
    lengths[i] = min_length + (uint)best;
  }
}

// found[i]: whether the reference has the lengths[i] symbols of the queries from places[i] on.
ITEM_KERNEL void find_again(REFERENCE_ARGUMENTS, QUERY_ARGUMENTS, __global const ulong* places,
                            __global const uint* lengths, __global uchar* found, ulong count, ulong share) {
  (void)query_separators;
  (void)query_size;
  FOR_EACH_ITEM(i, count, share) {
    uint first = 0;
    found[i] =
        suffix_interval(text, separators, size, positions, starts, symbols, query, places[i], lengths[i], &first) != 0;
  }
}
