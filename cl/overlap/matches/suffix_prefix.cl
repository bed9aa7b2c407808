// Ends of reads that are beginnings of others.
//
// A suffix of read a without a break in it, s, is the beginning of read b where b's rank lies in the interval of
// suffixes that begin with s. The suffixes that are s and then a break come first in it, a group of neighbours; so the
// reads that begin with s are those whose ranks follow the group's first rank, up to the first LCP below |s|.
//
// Starts are the reads that do not begin with a break, by rank: starts[k] their places, chain[k] the least LCP between
// start k - 1 and k.
#include "common/items.clh"
#include "overlap/text/records.clh"

#define PLACE_START 1
#define PLACE_END 2

// What place p of the text is: where a read starts, or where a suffix of min_length or more begins that goes to the
// read's end without a break and is not the whole read. marks: of the running maximum of mark_breaks.
ITEM_KERNEL void kinds_of_places(__global const uint* begins, uint reads, __global const uint* marks, uint min_length,
                                 __global uchar* kinds, ulong size, ulong share) {
  uint read = 0;
  FOR_EACH_ITEM(p, size, share) {
    read = record_of(begins, reads, (uint)p, read);
    const ulong j = size - 1 - p;
    const uint run = (uint)(j + 1) - marks[j];
    const bool is_start = begins[read] == p && run > 0;
    const bool is_end = begins[read] < p && run >= min_length && p + run + 1 == begins[read + 1];
    kinds[p] = is_start ? PLACE_START : is_end ? PLACE_END : 0;
  }
}

ITEM_KERNEL void kinds_by_rank(__global const uint* positions, __global const uchar* kinds,
                               __global uchar* kind_of_rank, __global uint* is_start, ulong size, ulong share) {
  FOR_EACH_ITEM(i, size, share) {
    const uchar kind = kinds[positions[i]];
    kind_of_rank[i] = kind;
    is_start[i] = kind == PLACE_START;
  }
}

// groups[i] = i where the suffix is not, up to its break, equal to the one before it, else 0.
ITEM_KERNEL void mark_groups(__global const uint* lcp, __global const uint* runs, __global uint* groups, ulong size,
                             ulong share) {
  FOR_EACH_ITEM(i, size, share) {
    const uint run = runs[i], before = i == 0 ? 0 : runs[i - (i > 0)];
    groups[i] = i > 0 && lcp[i] == run && before == run ? 0 : (uint)i;
  }
}

// Of each start, by rank: its place, its read, and the range between it and the start before. start_count[0]: the
// number of starts, at most `count`; an item above it gets a range that holds nothing.
ITEM_KERNEL void describe_starts(__global const uint* start_ranks, __global const ulong* start_count,
                                 __global const uint* positions, __global const uint* begins, uint reads,
                                 __global uint* starts, __global uint* start_reads, __global uint2* ranges, ulong count,
                                 ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    if (k >= start_count[0]) {
      ranges[k] = (uint2)(1, 0);
      continue;
    }
    const uint rank = start_ranks[k], place = positions[rank];
    starts[k] = place;
    start_reads[k] = record_of(begins, reads, place, 0);
    ranges[k] = k == 0 ? (uint2)(rank, rank) : (uint2)(start_ranks[k - (k > 0)] + 1, rank);
  }
}

ITEM_KERNEL void take_chain(__global const uint2* minima, __global uint* chain, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) chain[k] = minima[k].x;
}

// For rank first_rank + i: the range between its group and the first start from there on.
ITEM_KERNEL void ask_first_starts(__global const uchar* kind_of_rank, __global const uint* groups,
                                  __global const uint* starts_before, __global const uint* start_ranks,
                                  __global const ulong* start_count, ulong first_rank, __global uint2* ranges,
                                  ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    uint2 range = (uint2)(0, 0);
    if (kind_of_rank[first_rank + i] == PLACE_END) {
      const uint group = groups[first_rank + i], first = starts_before[group];
      if (first < start_count[0] && start_ranks[first] > group) range = (uint2)(group + 1, start_ranks[first]);
    }
    ranges[i] = range;
  }
}

// 1: reads 2r and 2r + 1 are one, turned.
#ifndef MATES
#error "MATES comes from the host"
#endif

// Reads longer than `length`, other than the one that holds `place`, and its mate, from start `first` on.
#define FOR_EACH_OVERLAP(k, first)                                                      \
  for (ulong k = (first); k < start_total && (k == (first) || chain[k] >= length); k++) \
    if (begins[start_reads[k] + 1] - starts[k] > length + 1 && /* its break counts */   \
        (place < begins[start_reads[k] & ~(uint)MATES] || place >= begins[(start_reads[k] | MATES) + 1]))

// At the places of the text: firsts[p] and counts[p], the first start and the number of overlaps of the suffix there.
ITEM_KERNEL void count_overlaps(__global const uint* positions, __global const uchar* kind_of_rank,
                                __global const uint* runs, __global const uint* groups,
                                __global const uint* starts_before, __global const uint* start_ranks,
                                __global const uint* starts, __global const uint* start_reads,
                                __global const uint* chain, __global const ulong* start_count,
                                __global const uint* begins, __global const uint2* minima, ulong first_rank,
                                __global uint* firsts, __global uint* counts, ulong count, ulong share) {
  const ulong start_total = start_count[0];
  FOR_EACH_ITEM(i, count, share) {
    const ulong rank = first_rank + i;
    const uint place = positions[rank];
    uint first = 0, found = 0;
    if (kind_of_rank[rank] == PLACE_END) {
      const uint group = groups[rank], length = runs[rank];
      first = starts_before[group];
      if (first < start_total && (start_ranks[first] == group || minima[i].x >= length))
        FOR_EACH_OVERLAP(k, first) found++;
    }
    firsts[place] = first;
    counts[place] = found;
  }
}

// Reads are numbered from first_read on in the keys: (a, b, longest - length). offsets[p]: of the first overlap of the
// suffix at p, all before it taken together.
ITEM_KERNEL void fill_overlaps(__global const uint* begins, uint reads, __global const uint* firsts,
                               __global const uint* counts, __global const ulong* offsets, __global const uint* starts,
                               __global const uint* start_reads, __global const uint* chain,
                               __global const ulong* start_count, uint first_read, uint read_bits, uint length_bits,
                               uint longest, ulong first_place, __global ulong* keys, ulong count, ulong share) {
  uint read = first_read;
  const ulong base = offsets[first_place];
  const ulong start_total = start_count[0];
  FOR_EACH_ITEM(i, count, share) {
    const uint place = (uint)(first_place + i);
    if (counts[place] == 0) continue;
    read = record_of(begins, reads, place, read);
    const uint length = begins[read + 1] - 1 - place, first = firsts[place];
    const ulong a = read_bits + length_bits == 64 ? 0 : (ulong)(read - first_read) << (read_bits + length_bits);
    ulong at = offsets[place] - base;
    FOR_EACH_OVERLAP(k, first) keys[at++] = a | (ulong)start_reads[k] << length_bits | (longest - length);
  }
}

// Overlaps as three words each.
ITEM_KERNEL void unpack_overlaps(__global const ulong* keys, uint first_read, uint read_bits, uint length_bits,
                                 uint longest, __global uint* overlaps, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const ulong key = keys[i], pair = key >> length_bits;
    overlaps[3 * i] = first_read + (read_bits + length_bits == 64 ? 0 : (uint)(pair >> read_bits));
    overlaps[3 * i + 1] = (uint)(pair & (((ulong)1 << read_bits) - 1));
    overlaps[3 * i + 2] = longest - (uint)(key & (((ulong)1 << length_bits) - 1));
  }
}

// best[a]: the first place of a with an overlap, so of its longest ones.
ITEM_KERNEL void find_best_places(__global const uint* begins, uint reads, __global const uint* counts,
                                  __global uint* best, ulong size, ulong share) {
  uint read = 0;
  FOR_EACH_ITEM(p, size, share) {
    if (counts[p] == 0) continue;
    read = record_of(begins, reads, (uint)p, read);
    atomic_min(&best[read], (uint)p);
  }
}

// The first read that continues each one from its best place on, as unpack_overlaps() does; length 0 where there is
// none.
ITEM_KERNEL void best_overlaps(__global const uint* begins, __global const uint* best, __global const uint* firsts,
                               __global const uint* starts, __global const uint* start_reads,
                               __global const uint* chain, __global const ulong* start_count, __global uint* overlaps,
                               ulong count, ulong share) {
  const ulong start_total = start_count[0];
  FOR_EACH_ITEM(read, count, share) {
    const uint place = best[read];
    uint length = 0, successor = 0xffffffffu;
    if (place != 0xffffffffu) {
      length = begins[read + 1] - 1 - place;
      const uint first = firsts[place];
      FOR_EACH_OVERLAP(k, first) successor = min(successor, start_reads[k]);
    }
    overlaps[3 * read] = (uint)read;
    overlaps[3 * read + 1] = successor;
    overlaps[3 * read + 2] = length;
  }
}
