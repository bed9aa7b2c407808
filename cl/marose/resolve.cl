// From diagonals to hits with Levenshtein errors. Diagonals of one strand of one read that lie so close together that
// their alignments may share an end become a region; in a region the least errors D(j) of an alignment that ends before
// base j are computed exactly, for the ends of the region and as far on either side as the definition of a hit looks;
// ends that are hits are picked, and for each the leftmost start is found.
#include "common/items.clh"
#include "marose/planes.clh"
#include "marose/plans.clh"
#include "marose/reads.clh"
#include "marose/reference.clh"

#ifndef DIAGONAL_BIAS
#define DIAGONAL_BIAS 4096
#endif

// 64-bit words of a pattern.
#define PATTERN_WORDS ((READ_WORDS + 1) / 2)

// What D(j) is at most said to be.
#define MANY 255

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

// A region within one contig: {read << 1 | strand, first end, last end, ends before and behind them that are computed
// too (low and high 16 bits)} and {begin and end of the contig, 0, 0}. Ends are positions behind a base.
// Writes the regions of keys[first .. last] from `out` on, if it is not null, and their numbers of D to `sizes`.
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
                               __global const uint* heads, ulong head_count, __global uint* counts, ulong share) {
  FOR_EACH_ITEM(i, head_count, share) {
    const ulong last = (i + 1 < head_count ? heads[i + 1] : key_count) - 1;
    counts[i] = regions_of(REFERENCE, PLANS, keys, heads[i], last, 0, 0);
  }
}

ITEM_KERNEL void write_regions(REFERENCE_ARGUMENTS, PLAN_ARGUMENTS, __global const ulong* keys, ulong key_count,
                               __global const uint* heads, ulong head_count, __global const ulong* offsets,
                               __global uint4* regions, __global uint* sizes, ulong share) {
  FOR_EACH_ITEM(i, head_count, share) {
    const ulong last = (i + 1 < head_count ? heads[i + 1] : key_count) - 1;
    regions_of(REFERENCE, PLANS, keys, heads[i], last, regions + 2 * offsets[i], sizes + offsets[i]);
  }
}

// Where base codes of the pattern are, bit i of word w for base 64 w + i, in the order of the strand or from its end.
typedef struct {
  ulong low[PATTERN_WORDS], high[PATTERN_WORDS], known[PATTERN_WORDS];
} Pattern;

INLINED ulong reverse_bits(ulong x) {
  x = (x >> 1 & 0x5555555555555555UL) | (x & 0x5555555555555555UL) << 1;
  return reverse_pairs(x);
}

INLINED void load_pattern(READ_ARGUMENTS, uint read, uint strand, uint length, bool from_end, Pattern* pattern) {
  __global const ulong* bases = read_strand(read_bases, read, strand);
#if HAS_UNKNOWN
  __global const ulong* unknown = read_strand(read_unknown, read, strand);
#else
  (void)read_unknown;
#endif
  const int begin = from_end ? (int)length - 64 : 0;
  for (int w = 0; w < PATTERN_WORDS; w++) {
    const int at = from_end ? begin - 64 * w : 64 * w;
    const ulong first = at > -32 ? read_window(bases, at) : 0;
    const ulong second = at + 32 > -32 ? read_window(bases, at + 32) : 0;
    ulong low = plane_of(first, second, 0), high = plane_of(first, second, 1);
    ulong known = ~0UL;
#if HAS_UNKNOWN
    known = ~plane_of(at > -32 ? read_window(unknown, at) : 0, at + 32 > -32 ? read_window(unknown, at + 32) : 0, 0);
#endif
    pattern->low[w] = from_end ? reverse_bits(low) : low;
    pattern->high[w] = from_end ? reverse_bits(high) : high;
    pattern->known[w] = from_end ? reverse_bits(known) : known;
  }
}

// One column of Myers' algorithm with Hyyro's blocks: `code` 0 to 3 or 4 for N, `top` the difference along the row
// above the pattern (0: a match may begin anywhere; 1: it begins at the first column). Returns the difference along the
// last row.
INLINED int next_column(const Pattern* pattern, ulong* vp, ulong* vn, uint code, int top, uint length) {
  const ulong low = 0 - (ulong)(code & 1), high = 0 - (ulong)(code >> 1 & 1);
  const ulong usable = code < 4 ? ~0UL : 0;
  ulong carry_plus = top > 0, carry_minus = 0;
  ulong plus = 0, minus = 0;
  for (uint w = 0; w < PATTERN_WORDS; w++) {
    const ulong equal = ~((pattern->low[w] ^ low) | (pattern->high[w] ^ high)) & pattern->known[w] & usable;
    const ulong xv = equal | vn[w];
    const ulong eq = equal | carry_minus;
    const ulong xh = (((eq & vp[w]) + vp[w]) ^ vp[w]) | eq;
    ulong hp = vn[w] | ~(xh | vp[w]), hn = vp[w] & xh;
    plus = hp;
    minus = hn;
    const ulong out_plus = hp >> 63, out_minus = hn >> 63;
    hp = hp << 1 | carry_plus;
    hn = hn << 1 | carry_minus;
    vp[w] = hn | ~(xv | hp);
    vn[w] = hp & xv;
    carry_plus = out_plus;
    carry_minus = out_minus;
    if (64 * (w + 1) >= length) break;
  }
  const uint last = (length - 1) & 63;
  return (int)(plus >> last & 1) - (int)(minus >> last & 1);
}

// The codes of the text one after the other, forward or backward: 32 at a time.
INLINED ulong text_block(__global const ulong* text, uint first) { return text_window(text, (long)first); }

// D of every end of a region: distances[offsets[i] ...].
ITEM_KERNEL void region_distances(REFERENCE_ARGUMENTS, READ_ARGUMENTS, PLAN_ARGUMENTS, __global const uint4* regions,
                                  ulong count, __global const ulong* offsets, __global uchar* distances, ulong share) {
  (void)places;
  (void)contig_begin;
  (void)contig_count;
  FOR_EACH_ITEM(i, count, share) {
    const uint4 region = regions[2 * i];
    const uint contig_first = regions[2 * i + 1].x;
    const uint read = region.x >> 1, strand = region.x & 1;
    const uint4 head = PLAN_HEAD(read_plan[read]);
    const uint length = head.z, bound = head.w;
    Pattern pattern;
    load_pattern(READS, read, strand, length, false, &pattern);
    ulong vp[PATTERN_WORDS], vn[PATTERN_WORDS];
    for (uint w = 0; w < PATTERN_WORDS; w++) {
      vp[w] = ~0UL;
      vn[w] = 0;
    }
    const uint first_end = region.y - (region.w & 0xffff), last_end = region.z + (region.w >> 16);
    // An alignment within the bound has at most length + bound bases of the text.
    const uint begin = first_end > contig_first + length + bound ? first_end - length - bound : contig_first;
    const bool special_window = is_special(special, begin, last_end);
    int errors = (int)length;
    __global uchar* out = distances + offsets[i];
    for (uint at = begin; at < last_end; at += 32) {
      ulong word = text_block(text, at);
      ulong mask = special_window ? unknown_window(unknown_begin, unknown_end, unknown_count, at) : 0;
      const uint here = min(last_end - at, 32u);
      for (uint base = 0; base < here; base++) {
        const uint code = mask >> 62 & 1 ? 4 : (uint)(word >> 62);
        word <<= 2;
        mask <<= 2;
        errors += next_column(&pattern, vp, vn, code, 0, length);
        const uint end = at + base + 1;
        if (end >= first_end) out[end - first_end] = (uchar)min(errors, MANY);
      }
    }
  }
}

// The region an end belongs to: the last whose offset is not above it.
INLINED ulong region_of(__global const ulong* offsets, ulong count, ulong end) {
  ulong low = 0, high = count - 1;
  while (low < high) {
    const ulong middle = low + (high - low + 1) / 2;
    if (offsets[middle] <= end)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

// Flags the ends that are hits: within the bound, and no end within `bound` has less, nor the same further left. An
// item is a region.
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

// ends[i] is the place of a hit among the distances. Finds the leftmost start of an alignment with as few errors.
ITEM_KERNEL void find_starts(REFERENCE_ARGUMENTS, READ_ARGUMENTS, PLAN_ARGUMENTS, __global const uint4* regions,
                             ulong region_count, __global const ulong* offsets, __global const uchar* distances,
                             __global const ulong* ends, ulong count, __global ulong* keys, __global uint* values,
                             ulong share) {
  (void)places;
  (void)contig_begin;
  (void)contig_count;
  FOR_EACH_ITEM(i, count, share) {
    const ulong number = region_of(offsets, region_count, ends[i]);
    const uint4 region = regions[2 * number];
    const uint contig_first = regions[2 * number + 1].x;
    const uint read = region.x >> 1, strand = region.x & 1;
    const uint length = PLAN_HEAD(read_plan[read]).z;
    const uint end = region.y - (region.w & 0xffff) + (uint)(ends[i] - offsets[number]);
    const uint least = distances[ends[i]];
    Pattern pattern;
    load_pattern(READS, read, strand, length, true, &pattern);
    ulong vp[PATTERN_WORDS], vn[PATTERN_WORDS];
    for (uint w = 0; w < PATTERN_WORDS; w++) {
      vp[w] = ~0UL;
      vn[w] = 0;
    }
    const uint most = min(length + least, end - contig_first);
    const bool special_window = is_special(special, end - most, end);
    int errors = (int)length;
    uint longest = 0;
    for (uint done = 0; done < most; done += 32) {
      // The 32 bases that end where the ones before began; the last lies lowest.
      const long at = (long)end - done - 32;
      ulong word = text_window(text, at);
      ulong mask = 0;
      if (special_window) {
        // Runs are looked up from a position inside the text on.
        const uint from = at < 0 ? 0 : (uint)at;
        mask = unknown_window(unknown_begin, unknown_end, unknown_count, from) >> 2 * (uint)((long)from - at);
      }
      const uint here = min(most - done, 32u);
      for (uint base = 0; base < here; base++) {
        const uint code = mask & 1 ? 4 : (uint)(word & 3);
        word >>= 2;
        mask >>= 2;
        errors += next_column(&pattern, vp, vn, code, 1, length);
        if ((uint)errors == least) longest = done + base + 1;
      }
    }
    keys[i] = (ulong)region.x << 32 | (end - longest + DIAGONAL_BIAS);
    values[i] = least | longest << 16;
  }
}

// Hamming hits are what was verified: their length is the read's.
ITEM_KERNEL void hamming_values(PLAN_ARGUMENTS, __global const ulong* keys, ulong count, __global uint* values,
                                ulong share) {
  (void)places;
  FOR_EACH_ITEM(i, count, share)
  values[i] = (values[i] & 0xffff) | PLAN_HEAD(read_plan[(uint)(keys[i] >> 33)]).z << 16;
}
