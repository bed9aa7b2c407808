// The windows that each read looks up in a round, and the state after it.
//
// p disjoint windows without an N, and at most p - 1 errors in addition to the read's Ns (which are always errors):
// one of the windows has none, so its list contains the alignment. So p windows explore the first p + N strata. If
// there are not enough, words with one error are also looked up: then p windows without an N explore about 2 p + N
// strata, and any p windows about 2 p.
#define SHAPE_IS_ARGUMENT
#include "common/items.clh"
#include "common/lower_bound.clh"
#include "marose/kmer_windows.clh"

#ifndef LEVENSHTEIN
#error "LEVENSHTEIN comes from the host"
#endif

// A round takes additional windows while their total cost is small, even if fewer windows suffice.
#define CHEAP 512

INLINED uint unknown_bases(SHAPE_ARGUMENT __global const ulong* read_unknown, uint read) {
  uint count = 0;
  if (HAS_UNKNOWN)
    for (uint w = 0; w < READ_WORDS; w++) count += (uint)popcount(read_strand(read_unknown, read, 0)[w]);
  return count;
}

// Maximum number of windows, up to `wanted`, that cost at most `most`.
INLINED uint windows_within(SHAPE_ARGUMENT __global const uint* costs, uint read, uint wanted, uint most) {
  uint p = min(wanted, (uint)PARTS);
  while (p > 0 && costs[COSTS_OF(read) + p - 1] > most) p--;
  return p;
}

// The round with words with one error, for a read with too few windows for exact ones; `most`: its windows without an
// N.
INLINED uint tolerant_round(uint most, uint unknown, uint bound, uint length) {
  const uint wanted = bound + 1 - unknown;
  if (2 * most < wanted) return min((bound + 2) / 2, length / SEED_SPAN) | TOLERANT | EVEN;
  return (wanted + 1) / 2 | TOLERANT;
}

// Maximum errors of wanted hits. `least`: minimum errors that were seen, above the bound if none.
INLINED uint max_wanted_errors(uint bound, uint unknown, uint least, uint gap, uint first_strata) {
  return min(bound, max(unknown, least <= bound ? least + gap : first_strata - 1));
}

// The first round. `before`: minimum errors of a read's hits known from other segments; `gap`: wanted strata beyond
// the best; `first_strata`: the same while no hit is known; `cap`: maximum entries of a round of a read.
ITEM_KERNEL void first_round(SHAPE_ARGUMENT READ_ARGUMENTS, PLAN_ARGUMENTS, __global const uint* costs,
                             __global const uint* before, uint reads, uint gap, uint first_strata, uint cap,
                             __global uint4* states, ulong share) {
  (void)read_bases;
  (void)places;
  FOR_EACH_ITEM(i, reads, share) {
    const uint read = (uint)i, bound = PLAN_HEAD(read_plan[read]).w, unknown = unknown_bases(SHAPE read_unknown, read);
    uint4 state = (uint4)(0, bound + 1, min(unknown, bound + 1), 0);
    if (unknown <= bound) {
      const uint reach = max_wanted_errors(bound, unknown, before[read], gap, first_strata);
      const uint wanted = reach + 1 - unknown, most = windows_within(SHAPE costs, read, wanted, NO_COST - 1);
      if (most == 0 || (most < wanted && gap >= bound)) {
        state.x = tolerant_round(most, unknown, reach, PLAN_HEAD(read_plan[read]).z);
      } else {
        const uint all = windows_within(SHAPE costs, read, wanted, cap);
        uint p = all;
        if (gap < bound) p = max(windows_within(SHAPE costs, read, min(gap + 2, wanted), CHEAP), min(2u, all));
        state.x = max(p, 1u);
      }
    }
    states[read] = state;
  }
}

// After a round: `keys` and `errors` are the verified diagonals of all live reads. `budget`: maximum entries for
// strata beyond the best one, and while no hit is known for any but all; `promised`: strata beyond the best one that
// are explored at any cost; `rivals_end`: the read is done when others as good as the best, or the next best, are
// known.
ITEM_KERNEL void next_round(SHAPE_ARGUMENT READ_ARGUMENTS, PLAN_ARGUMENTS, __global const uint* costs,
                            __global const uint* live, uint count, __global const ulong* keys,
                            __global const uint* errors, ulong key_count, __global const uint* before, uint gap,
                            uint promised, uint first_strata, uint budget, uint rivals_end, uint cap,
                            __global uint4* states, ulong share) {
  (void)read_bases;
  (void)places;
  FOR_EACH_ITEM(i, count, share) {
    const uint read = live[i], bound = PLAN_HEAD(read_plan[read]).w, unknown = unknown_bases(SHAPE read_unknown, read);
    uint4 state = states[read];
    const uint p = WINDOWS_OF(state.x);
    const bool cut_short = state.x & CUT_SHORT, tolerant = state.x & TOLERANT;
    const uint strata = (tolerant ? 2 * p : p) + (state.x & EVEN ? 0 : unknown);
    const uint known = cut_short ? unknown : min(bound + 1, strata);

    ulong low = 0, high = key_count;
    LOWER_BOUND(ulong, low, high, at, keys[at] < (ulong)read << 33)
    uint least = min(before[read], bound + 1);
    for (ulong at = low; at < key_count && keys[at] >> 33 == read; at++) least = min(least, errors[at]);
    // Diagonals within 2 * bound may share an alignment.
    uint best = 0, rival = bound + 1;
    ulong last = 0;
    for (ulong at = low; at < key_count && keys[at] >> 33 == read; at++) {
      const bool distinct = best == 0 || keys[at] - last > 2 * bound;
      if (errors[at] == least) {
        best += distinct;
        last = keys[at];
      } else if (distinct) {
        rival = min(rival, errors[at]);
      }
    }

    const uint reach = max_wanted_errors(bound, unknown, least, gap, first_strata);
    const uint wanted = reach + 1 - unknown, most = windows_within(SHAPE costs, read, wanted, NO_COST - 1);
    const uint target = min(most, wanted);
    uint next = 0;
    bool capped = cut_short;
    if (!cut_short && !tolerant && p < target) {
      const bool dear = rivals_end && costs[COSTS_OF(read) + p] > budget;
      const bool enough =
          least < known ? known > min(least + promised, bound) && (dear || (rivals_end && (best > 1 || rival < known)))
                        : dear && least > bound && reach < bound;
      if (!enough) {
        next = max(windows_within(SHAPE costs, read, target, CHEAP), p + 1);
        if (costs[COSTS_OF(read) + next - 1] > cap) {
          next = 0;
          capped = true;
        }
      }
    } else if (!cut_short && !tolerant && most < wanted && (least >= known || (!rivals_end && known <= reach))) {
      // Exact windows prove only this.
      next = tolerant_round(most, unknown, reach, PLAN_HEAD(read_plan[read]).z);
    }
    state.x = next;
    state.y = least;
    state.z = known | (capped ? CAPPED : 0);
    state.w = min(known, least + gap + 1);
    if (capped && least >= known) state.w = min(least, bound) + 1;
    if (tolerant) state.w = bound + 1;  // other hits are used by heuristic plans
    states[read] = state;
  }
}

// Flags the reads with another round.
ITEM_KERNEL void flag_live(__global const uint* live, uint count, __global const uint4* states, __global uchar* flags,
                           ulong share) {
  FOR_EACH_ITEM(i, count, share) flags[i] = states[live[i]].x != 0;
}

// Flags the diagonals of reads that are done and of reported strata.
ITEM_KERNEL void flag_given(__global const ulong* keys, __global const uint* errors, ulong count,
                            __global const uint4* states, __global uchar* flags, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint4 state = states[(uint)(keys[i] >> 33)];
    flags[i] = state.x == 0 && errors[i] < state.w;
  }
}

// Look-ups of a read, and their destination.
typedef struct {
  __global uint4* windows;
  __global uint* words;
  __global uint* counts;
  uint read, window, part, cap, written;
  bool leftwards;  // words that need one base more than the window take it from the left
  bool cut_short;
} LookUps;

INLINED void look_up(__global const uint* first, ulong word, LookUps* to) {
  const uint key = window_key(word), begin = first[key];
  uint count = first[key + 1] - begin;
  if (count == 0) return;
  if (count > to->cap) {
    count = to->cap;
    to->cut_short = true;
  }
  to->windows[to->written] = (uint4)(to->read, to->part, begin, to->window);
  to->words[to->written] = (uint)(word >> (64 - 2 * SEED_SPAN));
  to->counts[to->written++] = count;
}

// All words of SEED_SPAN bases that the text may contain at a window with one error: from the begin of the window, or
// one base to the left. An N, marked in `unknown`, is that error.
INLINED void look_up_tolerant(__global const uint* first, ulong window, ulong unknown, LookUps* to) {
  if (popcount(unknown) > 1) return;
  look_up(first, window, to);
  for (uint j = 0; j < SEED_SPAN; j++) {
    const ulong one = 1UL << (62 - 2 * j);
    if (unknown != 0 && unknown != one) continue;
    for (uint other = 1; other < 4; other++) look_up(first, window ^ other * one, to);
#if LEVENSHTEIN
    const ulong before = window & first_bases(j);
    const uint base = (uint)(window >> (62 - 2 * j)) & 3;
    // The text lacks base j; of equal bases, the last. The word also contains the adjacent base, whichever it is.
    if (unknown != 0 || j + 1 == SEED_SPAN || base != ((uint)(window >> (60 - 2 * j)) & 3)) {
      const ulong behind = window & ~first_bases(j + 1);
      const ulong lacking = to->leftwards ? before >> 2 | behind : before | behind << 2;
      const uint shift = to->leftwards ? 62 : 64 - 2 * SEED_SPAN;
      for (uint more = 0; more < 4; more++) look_up(first, lacking | (ulong)more << shift, to);
    }
    // The text has an additional base before base j, which differs.
    for (uint more = 0; j > 0 && unknown == 0 && more < 4; more++)
      if (more != base)
        look_up(first, before | more * one | (window >> 2 & ~first_bases(j + 1) & first_bases(SEED_SPAN)), to);
#endif
  }
}

// The N-free part of [*begin, *end) of a read around the window at `at`: an N that the text lacks shifts the rest to
// another diagonal.
INLINED void end_at_unknown(SHAPE_ARGUMENT __global const ulong* unknown, uint at, uint* begin, uint* end) {
  for (uint i = at; i > *begin; i--)
    if (read_window(unknown, (int)i - 1) >> 62) *begin = i;
  for (uint i = *end; i > at + SEED_SPAN; i--)
    if (read_window(unknown, (int)i - 1) >> 62) *end = i - 1;
}

// The look-ups of the windows of a read's round, from the last window to the first. A window's part of the read
// extends half way to the neighbouring windows: part is its first base and << 16 the one after its last.
INLINED void windows_of_round(SHAPE_ARGUMENT __global const uint* first, READ_ARGUMENTS, uint read, uint length,
                              uint round, __global const uint* taken, LookUps* to) {
  const bool tolerant = round & TOLERANT, even = round & EVEN;
  const uint windows = WINDOWS_OF(round);
  uint part_end = length, end = even ? length : last_window_end(SHAPE taken, read, windows, length);
  for (uint p = windows; p > 0; p--) {
    const uint begin = end - SEED_SPAN;
    uint end_before = 0;
    if (p > 1) end_before = even ? length * (p - 1) / windows : last_window_end(SHAPE taken, read, p - 1, begin);
    const uint part_begin = p > 1 ? (end_before + begin) / 2 : 0;
    to->window = begin | (tolerant ? TOLERANT : 0);
    uint sure_begin = part_begin, sure_end = part_end;
    if (HAS_UNKNOWN && LEVENSHTEIN)
      end_at_unknown(SHAPE read_strand(read_unknown, read, 0), begin, &sure_begin, &sure_end);
    to->part = sure_begin | sure_end << 16;
    const ulong window = window_at(SHAPE read_strand(read_bases, read, 0), begin);
    const ulong unknown =
        HAS_UNKNOWN ? read_window(read_strand(read_unknown, read, 0), (int)begin) & first_bases(SEED_SPAN) : 0;
    // The side with more of the read: on the other the contig may end.
    to->leftwards = begin > length - end;
    if (tolerant)
      look_up_tolerant(first, window, unknown, to);
    else
      look_up(first, window, to);
    part_end = part_begin;
    end = end_before;
  }
}

// Maximum number of look-ups of a read in a round.
#if LEVENSHTEIN
#define WORDS_WITH_ONE_ERROR (10 * SEED_SPAN)
#else
#define WORDS_WITH_ONE_ERROR (1 + 3 * SEED_SPAN)
#endif
ITEM_KERNEL void count_look_ups(__global const uint* live, uint count, __global const uint4* states,
                                __global uint* counts, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint round = states[live[i]].x;
    counts[i] = WINDOWS_OF(round) * (round & TOLERANT ? WORDS_WITH_ONE_ERROR : 1);
  }
}

// windows[w] is {read, part, first entry, window | TOLERANT}, words[w] the k-mer in the lowest bits, counts[w] > 0
// its number of entries. Unused elements of a read stay unchanged.
ITEM_KERNEL void write_look_ups(SHAPE_ARGUMENT READ_ARGUMENTS, PLAN_ARGUMENTS, __global const uint* first,
                                __global const uint* taken, __global const uint* live, uint count, uint cap,
                                __global uint4* states, __global const ulong* offsets, __global uint4* windows,
                                __global uint* words, __global uint* counts, ulong share) {
  (void)places;
  FOR_EACH_ITEM(i, count, share) {
    const uint read = live[i], length = PLAN_HEAD(read_plan[read]).z;
    const ulong to_here = offsets[i];
    LookUps to = {windows + to_here, words + to_here, counts + to_here, read, 0, 0, cap, 0, false, false};
    windows_of_round(SHAPE first, READS, read, length, states[read].x, taken, &to);
    if (to.cut_short) states[read].x |= CUT_SHORT;
  }
}
