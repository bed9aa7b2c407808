// Finds the ends and starts of hits with Levenshtein errors: see resolve.cl.
#include "common/items.clh"
#include "common/lower_bound.clh"
#include "marose/canonical/plans.clh"
#include "marose/map/band.clh"
#include "marose/map/resolve_columns.clh"

#ifndef DIAGONAL_BIAS
#error "DIAGONAL_BIAS comes from the host"
#endif

// Whether the text's bases [begin, last) can be compared as they are.
INLINED bool is_plain_text(__global const uint* special, uint text_length, long begin, long last) {
  return begin >= 0 && last <= (long)text_length && !is_special(special, (uint)begin, (uint)last);
}

// D of every end of a region: distances[offsets[i] ...]. The work of LANES regions from `i` on is done together where
// they have reads of one length, narrow bands and plain text.
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
      // A path to an end within the bound leaves its diagonal by `bound` at most.
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
      // The others go along with one that fits.
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

// The region an end belongs to: the last whose offset is not above it.
INLINED ulong region_of(__global const ulong* offsets, ulong count, ulong end) {
  return last_not_above_ulong(offsets, count, end);
}

// ends[i] is the place of a hit among the distances. Finds the leftmost start of an alignment with as few errors.
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
      // Row 0 is |b - bound|: on the other side of the end too, where it stands for alignments that end further right
      // and leave those bases out again. Those have more errors: the end would be no hit.
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
