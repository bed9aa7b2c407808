// Ends and starts of hits with Levenshtein errors: see resolve.cl.
#include "common/items.clh"
#include "common/lower_bound.clh"
#include "common/myers.clh"
#include "marose/band.clh"
#include "marose/bases.clh"
#include "marose/plans.clh"
#include "marose/reads.clh"
#include "marose/reference.clh"

// Any number of errors in reads of any length, one column of the text after the other: Myers' bit-vectors (see
// myers.clh) in blocks of 64 bases. band.clh is faster if it applies.

// Number of 64-bit words of a pattern.
#define PATTERN_WORDS ((READ_WORDS + 1) / 2)

// Maximum reported value of D(j).
#define MANY 255

// Positions of base codes in the pattern, bit i of word w for base 64 w + i, in the order of the strand or from its
// end.
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

// Processes one column, a block after the other: `code` 0 to 3 or 4 for N, `top` the difference along the row above
// the pattern (0: a match may begin anywhere; 1: it begins at the first column). Returns the difference along the
// last row.
INLINED int next_column(const Pattern* pattern, ulong* vp, ulong* vn, uint code, int top, uint length) {
  const ulong low = 0 - (ulong)(code & 1), high = 0 - (ulong)(code >> 1 & 1);
  const ulong usable = code < 4 ? ~0UL : 0;
  ulong carry_plus = top > 0, carry_minus = 0;
  ulong plus = 0, minus = 0;
  for (uint w = 0; w < PATTERN_WORDS; w++) {
    // If the row above the block decreases, its first row stays equal along the diagonal, as if the bases matched.
    const ulong equal =
        (~((pattern->low[w] ^ low) | (pattern->high[w] ^ high)) & pattern->known[w] & usable) | carry_minus;
    const ulong same = MYERS_SAME(equal, vp[w], vn[w]);
    plus = MYERS_RISES(same, vp[w], vn[w]);
    minus = MYERS_FALLS(same, vp[w]);
    const ulong above_plus = plus << 1 | carry_plus, above_minus = minus << 1 | carry_minus;
    vp[w] = MYERS_VP(same, above_plus, above_minus);
    vn[w] = MYERS_VN(same, above_plus);
    carry_plus = plus >> 63;
    carry_minus = minus >> 63;
    if (64 * (w + 1) >= length) break;
  }
  const uint last = (length - 1) & 63;
  return (int)(plus >> last & 1) - (int)(minus >> last & 1);
}

// Computes D(j) for first_end <= j <= last_end, in a contig that begins at contig_first: distances[j - first_end].
INLINED void distances_by_columns(REFERENCE_ARGUMENTS, READ_ARGUMENTS, uint read, uint strand, uint length, uint bound,
                                  uint contig_first, uint first_end, uint last_end, __global uchar* distances) {
  (void)text_length;
  (void)contig_begin;
  (void)contig_count;
  Pattern pattern;
  load_pattern(READS, read, strand, length, false, &pattern);
  ulong vp[PATTERN_WORDS], vn[PATTERN_WORDS];
  for (uint w = 0; w < PATTERN_WORDS; w++) {
    vp[w] = ~0UL;
    vn[w] = 0;
  }
  // An alignment within the bound has at most length + bound bases of the text.
  const uint begin = first_end > contig_first + length + bound ? first_end - length - bound : contig_first;
  const bool special_window = is_special(special, begin, last_end);
  int errors = (int)length;
  for (uint at = begin; at < last_end; at += 32) {
    ulong word = text_window(text, (long)at);
    ulong mask = special_window ? unknown_window(unknown_begin, unknown_end, unknown_count, at) : 0;
    const uint here = min(last_end - at, 32u);
    for (uint base = 0; base < here; base++) {
      const uint code = mask >> 62 & 1 ? 4 : (uint)(word >> 62);
      word <<= 2;
      mask <<= 2;
      errors += next_column(&pattern, vp, vn, code, 0, length);
      const uint end = at + base + 1;
      if (end >= first_end) distances[end - first_end] = (uchar)min(errors, MANY);
    }
  }
}

// Number of text bases of the longest alignment with `least` errors that ends before `end`.
INLINED uint longest_by_columns(REFERENCE_ARGUMENTS, READ_ARGUMENTS, uint read, uint strand, uint length, uint least,
                                uint contig_first, uint end) {
  (void)text_length;
  (void)contig_begin;
  (void)contig_count;
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
    // The 32 bases before the previous ones; the last is lowest.
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
  return longest;
}

#ifndef DIAGONAL_BIAS
#error "DIAGONAL_BIAS comes from the host"
#endif
// 0: the program has region_distances, 1: find_starts. Their bands differ in width.
#ifndef FINDS_STARTS
#error "FINDS_STARTS comes from the host"
#endif

// Whether text bases [begin, last) can be compared directly.
INLINED bool is_plain_text(__global const uint* special, uint text_length, long begin, long last) {
  return begin >= 0 && last <= (long)text_length && !is_special(special, (uint)begin, (uint)last);
}

#if !FINDS_STARTS

// D of every end of a region: distances[offsets[i] ...]. LANES regions from `i` on are processed together if they
// have reads of one length, narrow bands and plain text.
ITEM_KERNEL void region_distances(REFERENCE_ARGUMENTS, READ_ARGUMENTS, PLAN_ARGUMENTS, __global const uint4* regions,
                                  ulong count, __global const ulong* offsets, __global uchar* distances, ulong share) {
  (void)places;
  FOR_EACH_ITEM(block, (count + LANES - 1) / LANES, share) {
    const ulong i = block * LANES;
    const uint here = (uint)min(count - i, (ulong)LANES);
    BandSource sources[LANES];
    uint bounds[LANES];
    bool fits[LANES];
    uint longest = 0, good = LANES;
    bool one_length = true;
    for (uint l = 0; l < here; l++) {
      const uint4 region = regions[2 * (i + l)];
      const uint read = region.x >> 1, strand = region.x & 1;
      const uint4 head = PLAN_HEAD(read_plan[read]);
      const uint length = head.z, bound = head.w;
      const uint first_end = region.y - (region.w & 0xffff), last_end = region.z + (region.w >> 16);
      sources[l].bases = read_strand(read_bases, read, strand);
      sources[l].unknown = HAS_UNKNOWN ? read_strand(read_unknown, read, strand) : read_unknown;
      sources[l].length = length;
      // A path to an end within the bound leaves its diagonal by at most `bound`.
      sources[l].begin = (long)first_end - length - bound;
      bounds[l] = bound;
      fits[l] = last_end - first_end + 1 + 2 * bound <= BAND_BITS &&
                is_plain_text(special, text_length, sources[l].begin, (long)last_end + bound);
      if (fits[l]) {
        one_length = one_length && (good == LANES || sources[good].length == length);
        good = l;
        longest = max(longest, length);
      }
    }
    if (good < LANES) {
      // The other lanes repeat one that fits.
      for (uint l = 0; l < LANES; l++)
        if (l >= here || !fits[l]) sources[l] = sources[good];
      BandLanes vp, vn, matches;
      vp.all = vn.all = (Band)(BandWord)0;
      matches.all = band_rows_of_lanes(text, text_length, sources, longest, one_length, false, &vp.all, &vn.all);
      for (uint l = 0; l < here; l++) {
        if (!fits[l]) continue;
        const uint4 region = regions[2 * (i + l)];
        const uint ends = region.z + (region.w >> 16) - (region.y - (region.w & 0xffff)) + 1;
        __global uchar* out = distances + offsets[i + l];
        BandWord plus = vp.each[l], minus = vn.each[l];
        int errors = (int)sources[l].length - (int)matches.each[l];
        for (uint b = 0; b < bounds[l] + ends; b++) {
          if (b >= bounds[l]) out[b - bounds[l]] = (uchar)clamp(errors, 0, MANY);
          errors += (int)(plus & 1) - (int)(minus & 1);
          plus >>= 1;
          minus >>= 1;
        }
      }
    }
    for (uint l = 0; l < here; l++) {
      if (fits[l]) continue;
      const uint4 region = regions[2 * (i + l)];
      const uint read = region.x >> 1;
      const uint4 head = PLAN_HEAD(read_plan[read]);
      distances_by_columns(REFERENCE, READS, read, region.x & 1, head.z, head.w, regions[2 * (i + l) + 1].x,
                           region.y - (region.w & 0xffff), region.z + (region.w >> 16), distances + offsets[i + l]);
    }
  }
}

#else

// The region of an end: the last whose offset is not above it.
INLINED ulong region_of(__global const ulong* offsets, ulong count, ulong end) {
  return last_not_above_ulong(offsets, count, end);
}

// ends[i] is the index of a hit among the distances. Finds the leftmost start of an alignment with the minimum
// errors.
ITEM_KERNEL void find_starts(REFERENCE_ARGUMENTS, READ_ARGUMENTS, PLAN_ARGUMENTS, __global const uint4* regions,
                             ulong region_count, __global const ulong* offsets, __global const uchar* distances,
                             __global const ulong* ends, ulong count, __global ulong* keys, __global uint* values,
                             ulong share) {
  (void)places;
  FOR_EACH_ITEM(block, (count + LANES - 1) / LANES, share) {
    const ulong i = block * LANES;
    const uint here = (uint)min(count - i, (ulong)LANES);
    BandSource sources[LANES];
    uint read_strands[LANES], hit_ends[LANES], least[LANES], contig_firsts[LANES], lengths[LANES];
    bool fits[LANES];
    uint longest_read = 0, good = LANES, bound = 0;
    bool one_length = true;
    for (uint l = 0; l < here; l++) least[l] = distances[ends[i + l]];
    for (uint l = 0; l < here; l++)
      if (2 * least[l] + 1 <= BAND_BITS) bound = max(bound, least[l]);
    // Hits are in the order of their regions.
    ulong number = region_of(offsets, region_count, ends[i]);
    for (uint l = 0; l < here; l++) {
      const ulong hit = ends[i + l];
      while (number + 1 < region_count && offsets[number + 1] <= hit) number++;
      const uint4 region = regions[2 * number];
      const uint read = region.x >> 1, strand = region.x & 1;
      const uint length = PLAN_HEAD(read_plan[read]).z;
      read_strands[l] = region.x;
      contig_firsts[l] = regions[2 * number + 1].x;
      hit_ends[l] = region.y - (region.w & 0xffff) + (uint)(hit - offsets[number]);
      // The reverse complement's bases, complemented, are the strand's from its end.
      sources[l].bases = read_strand(read_bases, read, strand ^ 1);
      sources[l].unknown = HAS_UNKNOWN ? read_strand(read_unknown, read, strand ^ 1) : read_unknown;
      sources[l].length = lengths[l] = length;
      sources[l].begin = (long)hit_ends[l] - 1 + bound;
      fits[l] = least[l] <= bound &&
                is_plain_text(special, text_length, (long)hit_ends[l] - length - bound, (long)hit_ends[l] + bound);
      if (fits[l]) {
        one_length = one_length && (good == LANES || sources[good].length == length);
        good = l;
        longest_read = max(longest_read, length);
      }
    }
    if (good < LANES) {
      for (uint l = 0; l < LANES; l++)
        if (l >= here || !fits[l]) sources[l] = sources[good];
      // Row 0 is |b - bound|: also on the other side of the end, for alignments that end further right and remove
      // those bases again. Those have more errors: the end would be no hit.
      BandLanes vp, vn, matches;
      vn.all = (Band)(((BandWord)1 << bound) - 1);
      vp.all = ~vn.all;
      matches.all = band_rows_of_lanes(text, text_length, sources, longest_read, one_length, true, &vp.all, &vn.all);
      for (uint l = 0; l < here; l++) {
        if (!fits[l]) continue;
        BandWord plus = vp.each[l], minus = vn.each[l];
        int errors = (int)(bound + sources[l].length) - (int)matches.each[l];
        uint longest = sources[l].length;
        for (uint b = 0; b <= 2 * bound; b++) {
          if (errors == (int)least[l]) longest = sources[l].length + b - bound;
          errors += (int)(plus & 1) - (int)(minus & 1);
          plus >>= 1;
          minus >>= 1;
        }
        keys[i + l] = (ulong)read_strands[l] << 32 | (hit_ends[l] - longest + DIAGONAL_BIAS);
        values[i + l] = least[l] | longest << 16;
      }
    }
    for (uint l = 0; l < here; l++) {
      if (fits[l]) continue;
      const uint longest = longest_by_columns(REFERENCE, READS, read_strands[l] >> 1, read_strands[l] & 1, lengths[l],
                                              least[l], contig_firsts[l], hit_ends[l]);
      keys[i + l] = (ulong)read_strands[l] << 32 | (hit_ends[l] - longest + DIAGONAL_BIAS);
      values[i + l] = least[l] | longest << 16;
    }
  }
}

#endif  // FINDS_STARTS
