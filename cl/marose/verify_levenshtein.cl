// Candidates that may be within the bound with Levenshtein errors. The keys are sorted; only the first of equal keys
// can pass.
#include "common/items.clh"
#include "marose/plans.clh"
#include "marose/band.clh"

#ifndef DIAGONAL_BIAS
#error "DIAGONAL_BIAS comes from the host"
#endif

// A candidate passes if some alignment within its bound of diagonals has at most that many errors: by bands, LANES in
// parallel. `values` is the minimum errors of such an alignment, 0 if the word of a band does not represent it. Bases
// outside the text count as A, as does N in the text: passing candidates are verified exactly later, as are those
// with more errors than the word of a band represents.
ITEM_KERNEL void verify_levenshtein(__global const ulong* text, uint text_length, READ_ARGUMENTS, PLAN_ARGUMENTS,
                                    __global const ulong* keys, ulong count, __global uchar* passes,
                                    __global uint* values, ulong share) {
  (void)places;
  FOR_EACH_ITEM(block, (count + LANES - 1) / LANES, share) {
    const ulong i = block * LANES;
    const uint here = (uint)min(count - i, (ulong)LANES);
    BandSource sources[LANES];
    uint bounds[LANES];
    uint longest = 0;
    bool one_length = true;
    for (uint l = 0; l < LANES; l++) {
      const ulong key = keys[i + min(l, here - 1)];
      const uint read = (uint)(key >> 33), strand = (uint)(key >> 32) & 1;
      const uint4 head = PLAN_HEAD(read_plan[read]);
      bounds[l] = head.w;
      sources[l].bases = read_strand(read_bases, read, strand);
      sources[l].unknown = HAS_UNKNOWN ? read_strand(read_unknown, read, strand) : read_unknown;
      sources[l].length = head.z;
      sources[l].begin = (long)(uint)key - (long)DIAGONAL_BIAS - (long)head.w;
      one_length = one_length && head.z == sources[0].length;
      longest = max(longest, head.z);
    }
    // A match may begin on any diagonal.
    BandLanes vp, vn, matches;
    vp.all = vn.all = (Band)(BandWord)0;
    matches.all = band_rows_of_lanes(text, text_length, sources, longest, one_length, false, &vp.all, &vn.all);
    for (uint l = 0; l < here; l++) {
      bool pass = i + l == 0 || keys[i + l - 1] != keys[i + l];
      uint value = 0;
      if (pass && 2 * bounds[l] + 1 <= BAND_BITS) {
        uint errors = sources[l].length - (uint)matches.each[l], least = errors;
        for (uint b = 0; b < 2 * bounds[l]; b++) {
          errors += (uint)(vp.each[l] >> b & 1);
          errors -= (uint)(vn.each[l] >> b & 1);
          least = min(least, errors);
        }
        pass = least <= bounds[l];
        value = least;
      }
      passes[i + l] = pass;
      values[i + l] = value;
    }
  }
}
