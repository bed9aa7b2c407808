// Method `canonical` with Levenshtein errors on a CPU: look-ups, contexts and a banded edit distance in one kernel.
#include "marose/map/band_cpu.clh"
#include "marose/canonical/map_cpu.clh"

#define LOW_BITS 0x55555555u
// The context's pairs are SIDE of them left of the seed, the first base highest, what lies inside its span, and SIDE
// right of it.
#define SIDE_PAIRS ((uint)((1UL << 2 * SIDE) - 1) & LOW_BITS)
#define RIGHT_PAIRS SIDE_PAIRS
#define LEFT_PAIRS (SIDE_PAIRS << 2 * (CONTEXT_BASES - SIDE))
// The pairs furthest from the seed: shifts bring in what lies beyond the context, which counts as a match.
#define LEFTMOST_PAIR (1u << 2 * (CONTEXT_BASES - 1))
#define RIGHTMOST_PAIR 1u

INLINED uint8 differing(uint8 contexts, uint context, uint pairs) {
  const uint8 x = contexts ^ (uint8)(context);
  return (x | x >> (uint8)(1)) & (uint8)(pairs);
}

// The read's bases beside the seed are compared from the seed outwards, with at most one error in all: behind the first
// base that differs the rest agrees as it is (a substitution), moved by one inwards (a base of the text is missing in
// the read) or outwards (the read has one more). More errors than one are left to the verification; inside the seed's
// span there are none.
INLINED uint8 context_errors(uint8 contexts, uint context, uint pairs, uint exact, uint errors) {
  if (errors == 0) return differing(contexts, context, pairs);
  if (errors > 1) return differing(contexts, context, pairs & exact);
  const uint left_pairs = pairs & LEFT_PAIRS & ~exact, right_pairs = pairs & RIGHT_PAIRS & ~exact;
  const uint8 same = differing(contexts, context, pairs);
  const uint8 lower = differing(contexts >> (uint8)(2), context, LOW_BITS);
  const uint8 higher = differing(contexts << (uint8)(2), context, LOW_BITS);
  // Left of the seed outwards is up. From the first difference on:
  const uint8 left = same & (uint8)(left_pairs);
  uint8 from = left | left << (uint8)(2);
  from |= from << (uint8)(4);
  from |= from << (uint8)(8);
  uint8 behind = from << (uint8)(2);
  const uint8 left_fails = min(min(left & behind, lower & from & (uint8)(left_pairs & ~LEFTMOST_PAIR)),
                               higher & behind & (uint8)(left_pairs));
  // Right of it outwards is down.
  const uint8 right = same & (uint8)(right_pairs);
  from = right | right >> (uint8)(2);
  from |= from >> (uint8)(4);
  from |= from >> (uint8)(8);
  behind = from >> (uint8)(2);
  const uint8 right_fails = min(min(right & behind, higher & from & (uint8)(right_pairs & ~RIGHTMOST_PAIR)),
                                lower & behind & (uint8)(right_pairs));
  return (same & (uint8)(exact)) | left_fails | right_fails | min(left, right);
}

typedef struct {
  uint biased[MOST_FOUND];
  uint strand_and_read[MOST_FOUND];  // strand << 16 | read in the batch
} Diagonals;

// The diagonals of the found entries, but for those just met. Returns how many there are.
INLINED uint find_diagonals(REFERENCE_ARGUMENTS, READ_ARGUMENTS, PLAN_ARGUMENTS, __global const uint* positions,
                            uint strands, uint first_read, const LookUps* look_ups, Found* found, uint count,
                            Diagonals* diagonals) {
  (void)special;
  (void)unknown_begin;
  (void)unknown_end;
  (void)unknown_count;
  (void)contig_begin;
  (void)contig_count;
  for (uint i = 0; i < count; i++) {
    const uint position = positions[found->entry[i]];
    found->entry[i] = position;
    PREFETCH(text + (position >> 5));
  }
  uint kept = 0;
  for (uint i = 0; i < count; i++) {
    const uint look_up = found->look_up[i], position = found->entry[i];
    const uint in_batch = look_ups->read[look_up], read = first_read + in_batch;
    const uint4 head = PLAN_HEAD(read_plan[read]), place = PLACE(look_ups->place[look_up]);
    const uint strand = strand_of(text, look_ups, look_up, position);
    const long diagonal = (long)position - (strand ? place.y : place.x);
    if ((strands >> strand & 1) == 0 || diagonal < -(long)head.w ||
        diagonal + (long)head.z > (long)text_length + (long)head.w)
      continue;
    const uint biased = (uint)(diagonal + DIAGONAL_BIAS), of = strand << 16 | in_batch;
    bool met = false;
    for (uint back = 1; back <= min(kept, 4u); back++)
      met = met || (diagonals->biased[kept - back] == biased && diagonals->strand_and_read[kept - back] == of);
    if (met) continue;
    diagonals->biased[kept] = biased;
    diagonals->strand_and_read[kept] = of;
    kept++;
  }
  return kept;
}

INLINED void verify_found(REFERENCE_ARGUMENTS, READ_ARGUMENTS, PLAN_ARGUMENTS, __global const uint* positions,
                          uint strands, uint most_errors, uint first_read, const LookUps* look_ups, Found* found,
                          uint count, Sink* sink, ulong* list) {
  Diagonals diagonals;
  Candidates candidates;
  uint least[CANDIDATES] LANE_ALIGNED;
  count = find_diagonals(REFERENCE, READS, PLANS, positions, strands, first_read, look_ups, found, count, &diagonals);
  for (uint begin = 0; begin < count; begin += CANDIDATES) {
    const uint number = min(count - begin, (uint)CANDIDATES);
    for (uint i = 0; i < CANDIDATES; i++) {
      const uint at = begin + min(i, number - 1), of = diagonals.strand_and_read[at];
      const uint read = first_read + (of & 0xffff);
      const uint4 head = PLAN_HEAD(read_plan[read]);
      candidates.read[i] = read;
      candidates.strand[i] = of >> 16;
      candidates.diagonal[i] = (long)diagonals.biased[at] - DIAGONAL_BIAS;
      candidates.length[i] = head.z;
      candidates.errors[i] = min(head.w, (uint)WIDEST_BAND);
    }
    band_errors(text, text_length, READS, &candidates, min(most_errors, (uint)WIDEST_BAND), least);
    for (uint i = 0; i < number; i++) {
      const uint of = diagonals.strand_and_read[begin + i];
      const uint bound = PLAN_HEAD(read_plan[candidates.read[i]]).w;
      // What no lane holds passes: it is looked at exactly later.
      if (bound > WIDEST_BAND || least[i] <= bound)
        put_hit(sink, list, HIT(of & 0xffff, of >> 16, diagonals.biased[begin + i], 0));
    }
  }
}

WORKER_KERNEL void map_levenshtein_cpu(MAP_ARGUMENTS) { map_cpu(MAPPED); }
