// From diagonals to hits with Levenshtein errors. Diagonals of one strand of one read that are so close that their
// alignments may share an end become a region. In a region, the minimum errors D(j) of an alignment that ends before
// base j are computed exactly, for the ends of the region and for the neighbouring ends that the definition of a hit
// considers. Ends that are hits are selected, and the leftmost start of each is found.
#include "common/items.clh"
#include "marose/plans.clh"
#include "marose/reference.clh"

#ifndef DIAGONAL_BIAS
#error "DIAGONAL_BIAS comes from the host"
#endif

// keys are sorted and unique. A key begins a region when no end within the bound can be shared with the key before.
ITEM_KERNEL void region_heads(PLAN_ARGUMENTS, __global const ulong* keys, ulong count, __global uchar* heads,
                              ulong share) {
  (void)places;
  FOR_EACH_ITEM(i, count, share) {
    const ulong key = keys[i];
    const uint reach = 2 * PLAN_HEAD(read_plan[(uint)(key >> 33)]).w + 1;
    heads[i] = i == 0 || key - keys[i - 1] > reach;
  }
}

// A region within one contig: {read << 1 | strand, first end, last end, numbers of ends computed before and after
// them (low and high 16 bits)} and {begin and end of the contig, 0, 0}. Ends are positions after a base. Writes the
// regions of keys[first .. last] from `out` on, if it is not null, and their numbers of D to `sizes`.
INLINED uint regions_of(REFERENCE_ARGUMENTS, PLAN_ARGUMENTS, __global const ulong* keys, ulong first, ulong last,
                        __global uint4* out, __global uint* sizes) {
  (void)text;
  (void)special;
  (void)unknown_begin;
  (void)unknown_end;
  (void)unknown_count;
  (void)places;
  const ulong key = keys[first];
  const uint4 head = PLAN_HEAD(read_plan[(uint)(key >> 33)]);
  const long bound = head.w, length = head.z;
  const long first_end = max((long)(uint)key - DIAGONAL_BIAS + length - bound, 1L);
  const long last_end = min((long)(uint)keys[last] - DIAGONAL_BIAS + length + bound, (long)text_length);
  if (first_end > last_end) return 0;
  uint count = 0;
  for (uint contig = contig_of(contig_begin, contig_count, (uint)first_end - 1);
       contig < contig_count && (long)contig_begin[contig] < last_end; contig++) {
    const long begin = contig_begin[contig], end = contig_begin[contig + 1];
    const long from = max(first_end, begin + 1), to = min(last_end, end);
    if (from > to) continue;
    const long before = min(bound, from - (begin + 1)), behind = min(bound, end - to);
    if (out) {
      out[2 * count] = (uint4)((uint)(key >> 32), (uint)from, (uint)to, (uint)(before | behind << 16));
      out[2 * count + 1] = (uint4)((uint)begin, (uint)end, 0, 0);
      sizes[count] = (uint)(before + (to - from + 1) + behind);
    }
    count++;
  }
  return count;
}

ITEM_KERNEL void count_regions(REFERENCE_ARGUMENTS, PLAN_ARGUMENTS, __global const ulong* keys, ulong key_count,
                               __global const ulong* heads, ulong head_count, __global uint* counts, ulong share) {
  FOR_EACH_ITEM(i, head_count, share) {
    const ulong last = (i + 1 < head_count ? heads[i + 1] : key_count) - 1;
    counts[i] = regions_of(REFERENCE, PLANS, keys, heads[i], last, 0, 0);
  }
}

ITEM_KERNEL void write_regions(REFERENCE_ARGUMENTS, PLAN_ARGUMENTS, __global const ulong* keys, ulong key_count,
                               __global const ulong* heads, ulong head_count, __global const ulong* offsets,
                               __global uint4* regions, __global uint* sizes, ulong share) {
  FOR_EACH_ITEM(i, head_count, share) {
    const ulong last = (i + 1 < head_count ? heads[i + 1] : key_count) - 1;
    regions_of(REFERENCE, PLANS, keys, heads[i], last, regions + 2 * offsets[i], sizes + offsets[i]);
  }
}

// Flags the ends that are hits: within the bound, and no end within `bound` has fewer errors, or as many further
// left. An item is a region.
ITEM_KERNEL void flag_hits(PLAN_ARGUMENTS, __global const uint4* regions, ulong count, __global const ulong* offsets,
                           __global const uchar* distances, __global uchar* flags, ulong share) {
  (void)places;
  FOR_EACH_ITEM(i, count, share) {
    const uint4 region = regions[2 * i];
    const uint bound = PLAN_HEAD(read_plan[region.x >> 1]).w;
    const uint before = region.w & 0xffff, behind = region.w >> 16;
    const uint own = region.z - region.y + 1, all = before + own + behind;
    __global const uchar* d = distances + offsets[i];
    __global uchar* flag = flags + offsets[i];
    for (uint end = 0; end < all; end++) {
      const uint errors = d[end];
      bool hit = end >= before && end < before + own && errors <= bound;
      if (hit) {
        for (uint left = end > bound ? end - bound : 0; left < end; left++) hit = hit && d[left] > errors;
        const uint last = min(end + bound, all - 1);
        for (uint right = end + 1; right <= last; right++) hit = hit && d[right] >= errors;
      }
      flag[end] = hit;
    }
  }
}

// Hamming hits are the verified diagonals: their length is that of the read.
ITEM_KERNEL void hamming_values(PLAN_ARGUMENTS, __global const ulong* keys, ulong count, __global uint* values,
                                ulong share) {
  (void)places;
  FOR_EACH_ITEM(i, count, share)
  values[i] = (values[i] & 0xffff) | PLAN_HEAD(read_plan[(uint)(keys[i] >> 33)]).z << 16;
}
