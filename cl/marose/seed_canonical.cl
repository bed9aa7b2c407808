// Candidates of `canonical`, the simple method: count, scan, write. An item is one look-up of one read; its key
// serves both strands.
#include "common/items.clh"
#include "marose/canonical.clh"
#include "marose/plans.clh"
#include "marose/reads.clh"
#include "marose/reference.clh"

#ifndef LEVENSHTEIN
#error "LEVENSHTEIN comes from the host"
#endif
#ifndef DIAGONAL_BIAS
#error "DIAGONAL_BIAS comes from the host"
#endif

#define TABLE_ARGUMENTS __global const uint *first, __global const uint *positions, __global const uint *contexts
#define TABLES first, positions, contexts

// Whether the context of an entry may belong to a hit: `exact` are the pairs that must match with Levenshtein errors
// (those on the side are left to the verification), `checked` those in the place's check.
INLINED bool context_passes(uint entry, uint query, uint checked, uint exact, uint check_errors) {
  const uint x = entry ^ query;
  const uint differs = (x | x >> 1) & 0x55555555u;
#if LEVENSHTEIN
  (void)check_errors;
  return (differs & checked & exact) == 0;
#else
  (void)exact;
  return popcount(differs & checked) <= check_errors;
#endif
}

// Writes the candidates of one item from `out` on, if it is not null; returns their number.
INLINED uint candidates_of(REFERENCE_ARGUMENTS, READ_ARGUMENTS, PLAN_ARGUMENTS, TABLE_ARGUMENTS, uint strands,
                           uint read, uint number, __global ulong* out) {
  const uint4 head = PLAN_HEAD(read_plan[read]);
  if (number >= head.y) return 0;
  const uint4 place = PLACE(head.x + number), pairs = PLACE_CONTEXT(head.x + number);
  const int begin = (int)place.x - SIDE;
#if HAS_UNKNOWN
  if (seed_word(read_window(read_strand(read_unknown, read, 0), begin) << 2 * SIDE) != 0) return 0;
#else
  (void)read_unknown;
#endif
  (void)special;
  (void)unknown_begin;
  (void)unknown_end;
  (void)unknown_count;
  (void)contig_begin;
  (void)contig_count;
  const ulong extended = read_window(read_strand(read_bases, read, 0), begin) & first_bases(EXTENDED_BASES);
  uint way;
  const uint key = canonical_key(extended, &way);
  const uint as_it_is = context_of(extended), reversed = context_of(reverse_extended(extended));
  uint count = 0;
  for (uint entry = first[key]; entry < first[key + 1]; entry++) {
    const uint context = contexts[entry];
    for (uint turned = 0; turned < 2; turned++) {
      if (turned ? way == AS_IT_IS : way == REVERSED) continue;
      if (!context_passes(context, turned ? reversed : as_it_is, turned ? pairs.y : pairs.x, turned ? pairs.w : pairs.z,
                          place.w))
        continue;
      const uint position = positions[entry];
      uint entry_way;
      canonical_key(text_window(text, (long)position - SIDE) & first_bases(EXTENDED_BASES), &entry_way);
      const uint strand = (entry_way == REVERSED) ^ turned;
      if ((strands >> strand & 1) == 0) continue;
      const long diagonal = (long)position - (strand ? place.y : place.x);
      const long slack = LEVENSHTEIN ? (long)head.w : 0;
      if (diagonal < -slack || diagonal + (long)head.z > (long)text_length + slack) continue;
      if (out) out[count] = (ulong)read << 33 | (ulong)strand << 32 | (ulong)(diagonal + DIAGONAL_BIAS);
      count++;
    }
  }
  return count;
}

#define ARGUMENTS REFERENCE_ARGUMENTS, READ_ARGUMENTS, PLAN_ARGUMENTS, TABLE_ARGUMENTS
#define PASSED REFERENCE, READS, PLANS, TABLES

ITEM_KERNEL void count_candidates(ARGUMENTS, uint strands, uint max_places, ulong items, __global uint* counts,
                                  ulong share) {
  FOR_EACH_ITEM(i, items, share)
  counts[i] = candidates_of(PASSED, strands, (uint)(i / max_places), (uint)(i % max_places), 0);
}

ITEM_KERNEL void write_candidates(ARGUMENTS, uint strands, uint max_places, ulong items, __global const ulong* offsets,
                                  __global ulong* keys, ulong share) {
  FOR_EACH_ITEM(i, items, share)
  candidates_of(PASSED, strands, (uint)(i / max_places), (uint)(i % max_places), keys + offsets[i]);
}
