// Suffix-prefix overlaps of reads.
//
// A suffix s of read a without a separator is a prefix of read b if the rank of b is in the interval of the suffixes
// that begin with s. The suffixes that consist of s and a separator are first in the interval, a group of neighbours.
// So the ranks of the reads that begin with s follow the group's first rank, up to the first LCP value below |s|.
//
// Starts are the reads that do not begin with a separator, by rank: starts[k] is the position, chain[k] the minimum LCP
// value between start k - 1 and k.
#include "common/items.clh"
#include "overlap/text/records.clh"

#define PLACE_START 1
#define PLACE_END 2

// The kind of position p: the start of a read, or the start of a proper suffix of a read of min_length or more symbols
// without a separator. marks: the running maximum of mark_separators.
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

// groups[i] = i if the suffix, up to its separator, differs from the one before it, else 0.
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

// For rank first_rank + i: the range between its group and the first start after it.
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

// 1: records 2r and 2r + 1 are the strands of one read.
#ifndef MATES
#error "MATES comes from the host"
#endif

// Reads longer than `length` from start `first` on, except the read that contains `place` and its mate.
#define FOR_EACH_OVERLAP(k, first)                                                        \
  for (ulong k = (first); k < start_total && (k == (first) || chain[k] >= length); k++)   \
    if (begins[start_reads[k] + 1] - starts[k] > length + 1 && /* its separator counts */ \
        (place < begins[start_reads[k] & ~(uint)MATES] || place >= begins[(start_reads[k] | MATES) + 1]))

// firsts[p] and counts[p]: the first start and the number of overlaps of the suffix at position p.
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

// The keys are (a - first_read, b, longest - length). offsets[p]: the number of overlaps of all suffixes before p.
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

// best[a]: the first position of a with an overlap, that of its longest overlaps.
ITEM_KERNEL void find_best_places(__global const uint* begins, uint reads, __global const uint* counts,
                                  __global uint* best, ulong size, ulong share) {
  uint read = 0;
  FOR_EACH_ITEM(p, size, share) {
    if (counts[p] == 0) continue;
    read = record_of(begins, reads, (uint)p, read);
    atomic_min(&best[read], (uint)p);
  }
}

// The first successor of each read at its best position, in the form of unpack_overlaps(); length 0 without one.
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
