// Which candidates are within the bound. The keys are sorted; an item is one of them, looked at when it is the first of
// its like.
#include "common/items.clh"
#include "marose/planes.clh"
#include "marose/plans.clh"
#include "marose/reads.clh"
#include "marose/reference.clh"

#ifndef DIAGONAL_BIAS
#define DIAGONAL_BIAS 4096
#endif

// Substitutions between a strand of a read and the text at `begin`; stops above `most`. Outside one contig: above.
INLINED uint hamming_distance(REFERENCE_ARGUMENTS, READ_ARGUMENTS, uint read, uint strand, uint begin, uint length,
                              uint most) {
  const bool special_window = is_special(special, begin, begin + length);
  if (special_window && contig_begin[contig_of(contig_begin, contig_count, begin) + 1] < begin + length)
    return most + 1;
  __global const ulong* bases = read_strand(read_bases, read, strand);
#if HAS_UNKNOWN
  __global const ulong* unknown = read_strand(read_unknown, read, strand);
#else
  (void)read_unknown;
#endif
  uint errors = 0;
  for (uint at = 0; at < length && errors <= most; at += 32) {
    ulong differs = mismatches(text_window(text, (long)begin + at), bases[at / 32]);
#if HAS_UNKNOWN
    differs |= unknown[at / 32];
#endif
    if (special_window) differs |= unknown_window(unknown_begin, unknown_end, unknown_count, begin + at);
    errors += (uint)popcount(differs & first_bases(min(length - at, 32u)));
  }
  return errors;
}

ITEM_KERNEL void verify_hamming(REFERENCE_ARGUMENTS, READ_ARGUMENTS, PLAN_ARGUMENTS, __global const ulong* keys,
                                ulong count, __global uchar* passes, __global uint* values, ulong share) {
  (void)places;
  FOR_EACH_ITEM(i, count, share) {
    const ulong key = keys[i];
    const uint read = (uint)(key >> 33);
    const uint4 head = PLAN_HEAD(read_plan[read]);
    uint errors = head.w + 1;
    if (i == 0 || keys[i - 1] != key)
      errors =
          hamming_distance(REFERENCE, READS, read, (uint)(key >> 32) & 1, (uint)key - DIAGONAL_BIAS, head.z, head.w);
    passes[i] = errors <= head.w;
    values[i] = errors;
  }
}

// The least number of errors of an alignment that stays within `band` (at most 15) diagonals of `diagonal`, or less:
// bases outside the text count as A, as N does in the text. Hyyro's banded form of Myers' bit-vectors: bit b of row r
// is the text's base diagonal - band + r + b; VP and VN are the differences along a row.
INLINED uint banded_distance(__global const ulong* text, uint text_length, READ_ARGUMENTS, uint read, uint strand,
                             long diagonal, uint length, uint band) {
  __global const ulong* bases = read_strand(read_bases, read, strand);
#if HAS_UNKNOWN
  __global const ulong* unknown = read_strand(read_unknown, read, strand);
#else
  (void)read_unknown;
#endif
  ulong vp = 0, vn = 0;
  uint matches = 0;
  for (uint row = 0; row < length; row += 32) {
    const long at = diagonal - (long)band + row;
    const ulong first = text_window(text, clamp(at, -32L, (long)text_length + 32));
    const ulong second = text_window(text, clamp(at + 32, -32L, (long)text_length + 32));
    ulong text_low = plane_of(first, second, 0), text_high = plane_of(first, second, 1);
    ulong word = bases[row / 32];
#if HAS_UNKNOWN
    ulong mask = unknown[row / 32];
#endif
    const uint rows = min(length - row, 32u);
    for (uint r = 0; r < rows; r++) {
      const ulong low = 0 - (word >> 62 & 1), high = 0 - (word >> 63);
      ulong equal = ~((text_low ^ low) | (text_high ^ high));
#if HAS_UNKNOWN
      equal &= (mask >> 62 & 1) - 1;
      mask <<= 2;
#endif
      word <<= 2;
      text_low >>= 1;
      text_high >>= 1;
      ulong x = equal | vn;
      const ulong d0 = ((vp + (x & vp)) ^ vp) | x;
      const ulong hp = vn | ~(vp | d0), hn = vp & d0;
      matches += (uint)(d0 & 1);
      x = d0 >> 1;
      vp = hn | ~(x | hp);
      vn = x & hp;
    }
  }
  uint errors = length - matches, least = errors;
  for (uint b = 0; b < 2 * band; b++) {
    errors += (uint)(vp >> b & 1);
    errors -= (uint)(vn >> b & 1);
    least = min(least, errors);
  }
  return least;
}

ITEM_KERNEL void verify_levenshtein(__global const ulong* text, uint text_length, READ_ARGUMENTS, PLAN_ARGUMENTS,
                                    __global const ulong* keys, ulong count, __global uchar* passes, ulong share) {
  (void)places;
  FOR_EACH_ITEM(i, count, share) {
    const ulong key = keys[i];
    const uint read = (uint)(key >> 33);
    const uint4 head = PLAN_HEAD(read_plan[read]);
    bool pass = i == 0 || keys[i - 1] != key;
    // Wider bands do not fit a word with 32 rows; what is let through is looked at exactly later.
    if (pass && head.w <= 15)
      pass = banded_distance(text, text_length, READS, read, (uint)(key >> 32) & 1,
                             (long)(uint)key - (long)DIAGONAL_BIAS, head.z, head.w) <= head.w;
    passes[i] = pass;
  }
}
