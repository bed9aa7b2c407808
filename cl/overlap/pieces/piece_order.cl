// The order of the suffixes of a piece: by keys, and where these are the same by merges.
#include "overlap/pieces/pieces.clh"

// 1: suffixes that agree in more symbols than the period has are the same; 0: the ranks of the cover decide.
#ifndef PIECE_NAMES
#error "PIECE_NAMES comes from the host"
#endif
// Members that an item sorts, or merges to, at a time.
#ifndef MERGE_TILE
#error "MERGE_TILE comes from the host"
#endif

// order[i]: i, for sort().
ITEM_KERNEL void piece_keys(__global const ulong* text, __global const uint* separators, ulong size,
                            __global const PIECE_POSITION* positions, __global ulong* keys, __global uint* order,
                            ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    keys[i] = piece_key(text, separators, size, piece_place(positions[i]));
    order[i] = (uint)i;
  }
}

// Whether the key is not alone and does not decide.
ITEM_KERNEL void tie_flags(__global const ulong* keys, __global uchar* flags, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const ulong key = keys[i];
    flags[i] = key_goes_on(key) && ((i != 0 && keys[i - 1] == key) || (i + 1 < count && keys[i + 1] == key));
  }
}

// members[k]: the index of the suffix at slots[k]; groups[k]: 1 if its key differs from that of the member before.
ITEM_KERNEL void tie_members(__global const ulong* keys, __global const uint* order, __global const uint* slots,
                             __global uint* members, __global uint* groups, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    const uint slot = slots[k];
    members[k] = order[slot];
    groups[k] = k == 0 || keys[slot - 1] != keys[slot];
  }
}

// What tells two members of a group apart.
typedef struct {
  __global const ulong* text;
  __global const uint* separators;
  ulong size;
  __global const uint* cover;
  __global const uint* ranks;
  __global const PIECE_POSITION* positions;
} Suffixes;

static inline bool place_less(const Suffixes* suffixes, ulong a, ulong b) {
#if PIECE_NAMES
  const uint windows = (PERIOD + 1 - KEY_SYMBOLS + TEXT_WINDOW - 1) / TEXT_WINDOW;
  return compare_suffixes(suffixes->text, suffixes->separators, suffixes->size, a, b, KEY_SYMBOLS,
                          KEY_SYMBOLS + windows * TEXT_WINDOW) < 0;
#else
  return piece_less(suffixes->text, suffixes->separators, suffixes->size, suffixes->cover, suffixes->ranks, a, b,
                    KEY_SYMBOLS);
#endif
}

static inline ulong member_place(const Suffixes* suffixes, uint member) {
  return piece_place(suffixes->positions[member]);
}

static inline bool member_less(const Suffixes* suffixes, uint a, uint b) {
  return place_less(suffixes, member_place(suffixes, a), member_place(suffixes, b));
}

// Sorts each MERGE_TILE members. `total`: of all. An item is a tile.
ITEM_KERNEL void tie_tiles(__global const ulong* text, __global const uint* separators, ulong size,
                           __global const uint* cover, __global const uint* ranks,
                           __global const PIECE_POSITION* positions, __global const uint* groups,
                           __global uint* members, ulong total, ulong count, ulong share) {
  const Suffixes suffixes = {text, separators, size, cover, ranks, positions};
  ulong places[MERGE_TILE];
  uint own[MERGE_TILE];
  FOR_EACH_ITEM(tile, count, share) {
    const ulong first = tile * MERGE_TILE;
    const uint here = (uint)min((ulong)MERGE_TILE, total - first);
    for (uint i = 0; i < here; i++) own[i] = members[first + i];
    for (uint i = 0; i < here; i++) places[i] = member_place(&suffixes, own[i]);
    uint group_first = 0;
    for (uint i = 1; i < here; i++) {
      if (groups[first + i] != groups[first + i - 1]) {
        group_first = i;
        continue;
      }
      // Among those of its group that are sorted already, by halves: comparisons cost most.
      const ulong place = places[i];
      const uint member = own[i];
      uint to = i, least = group_first;
      while (least < to) {
        const uint middle = least + (to - least) / 2;
        if (place_less(&suffixes, place, places[middle]))
          to = middle;
        else
          least = middle + 1;
      }
      for (uint k = i; k > to; k--) {
        places[k] = places[k - 1];
        own[k] = own[k - 1];
      }
      places[to] = place;
      own[to] = member;
    }
    for (uint i = 0; i < here; i++) members[first + i] = own[i];
  }
}

// The first of places [begin, end) whose group is not smaller than `group`; the groups do not fall.
static inline ulong group_from(__global const uint* groups, ulong begin, ulong end, uint group) {
  while (begin < end) {
    const ulong middle = begin + (end - begin) / 2;
    if (groups[middle] < group)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

// Runs of `width` members, a multiple of MERGE_TILE, are merged, each two. Members never leave their group's places, so
// that only the group that goes from one run into the other changes. Whether it has members of places [first, last),
// which are in one run.
static inline bool merge_changes(__global const uint* groups, ulong first, ulong last, ulong middle, ulong total) {
  if (middle >= total) return false;
  const uint group = groups[middle];
  return groups[middle - 1] == group && groups[first < middle ? last - 1 : first] == group;
}
#define MERGE_MIDDLE(first, width) ((first) / (2 * (width)) * (2 * (width)) + (width))

// An item is a tile of `merged`; unchanged tiles are not written.
ITEM_KERNEL void tie_merge(__global const ulong* text, __global const uint* separators, ulong size,
                           __global const uint* cover, __global const uint* ranks,
                           __global const PIECE_POSITION* positions, __global const uint* groups,
                           __global const uint* members, __global uint* merged, ulong width, ulong total, ulong count,
                           ulong share) {
  const Suffixes suffixes = {text, separators, size, cover, ranks, positions};
  FOR_EACH_ITEM(tile, count, share) {
    const ulong first = tile * MERGE_TILE, last = min(total, first + MERGE_TILE), middle = MERGE_MIDDLE(first, width);
    if (!merge_changes(groups, first, last, middle, total)) continue;
    const uint group = groups[middle];
    const ulong a_begin = group_from(groups, middle - width, middle, group);
    const ulong b_end = group_from(groups, middle, min(total, middle + width), group + 1);
    const ulong from = max(a_begin, first), to = min(b_end, last);
    // How many of the first from - a_begin are the first run's.
    const ulong before = from - a_begin, in_a = middle - a_begin, in_b = b_end - middle;
    ulong least = before > in_b ? before - in_b : 0, most = min(before, in_a);
    while (least < most) {
      const ulong taken = least + (most - least) / 2;
      if (member_less(&suffixes, members[middle + before - taken - 1], members[a_begin + taken]))
        most = taken;
      else
        least = taken + 1;
    }
    ulong a = a_begin + least, b = middle + before - least;
    uint member_a = 0, member_b = 0;
    ulong place_a = 0, place_b = 0;
    if (a != middle) {
      member_a = members[a];
      place_a = member_place(&suffixes, member_a);
    }
    if (b != b_end) {
      member_b = members[b];
      place_b = member_place(&suffixes, member_b);
    }
    for (ulong i = from; i < to; i++) {
      const bool take_a = b == b_end || (a != middle && !place_less(&suffixes, place_b, place_a));
      merged[i] = take_a ? member_a : member_b;
      if (take_a && ++a != middle) {
        member_a = members[a];
        place_a = member_place(&suffixes, member_a);
      }
      if (!take_a && ++b != b_end) {
        member_b = members[b];
        place_b = member_place(&suffixes, member_b);
      }
    }
  }
}

// What tie_merge wrote goes back.
ITEM_KERNEL void tie_merged(__global const uint* groups, __global const uint* merged, __global uint* members,
                            ulong width, ulong total, ulong count, ulong share) {
  FOR_EACH_ITEM(tile, count, share) {
    const ulong first = tile * MERGE_TILE, last = min(total, first + MERGE_TILE), middle = MERGE_MIDDLE(first, width);
    if (!merge_changes(groups, first, last, middle, total)) continue;
    const uint group = groups[middle];
    for (ulong i = first; i < last; i++)
      if (groups[i] == group) members[i] = merged[i];
  }
}

ITEM_KERNEL void tie_place(__global const uint* slots, __global const uint* members, __global uint* order, ulong count,
                           ulong share) {
  FOR_EACH_ITEM(k, count, share) order[slots[k]] = members[k];
}

// sorted[i]: the i-th smallest suffix's position.
ITEM_KERNEL void piece_sorted(__global const PIECE_POSITION* positions, __global const uint* order,
                              __global PIECE_POSITION* sorted, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) sorted[i] = positions[order[i]];
}

#if PIECE_NAMES
// news[i]: whether the i-th suffix is not the same as the one before, by keys ...
ITEM_KERNEL void key_news(__global const ulong* keys, __global uint* news, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) news[i] = i == 0 || keys[i] != keys[i - 1] || !key_goes_on(keys[i]);
}

// ... and of members of one group.
ITEM_KERNEL void tie_news(__global const ulong* text, __global const uint* separators, ulong size,
                          __global const PIECE_POSITION* positions, __global const uint* groups,
                          __global const uint* members, __global const uint* slots, __global uint* news, ulong count,
                          ulong share) {
  const Suffixes suffixes = {text, separators, size, 0, 0, positions};
  FOR_EACH_ITEM(k, count, share) {
    if (k != 0 && groups[k] == groups[k - 1]) news[slots[k]] = member_less(&suffixes, members[k - 1], members[k]);
  }
}
#endif
