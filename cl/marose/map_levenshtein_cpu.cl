// Method `canonical` with Levenshtein errors on a CPU: look-ups, contexts and a banded edit distance in one kernel.
#include "common/myers.clh"
#include "marose/map_cpu.clh"
#include "marose/reads.clh"
#include "marose/reference.clh"

// Edit distances of many candidates in a band of diagonals: Myers' bit-vectors in Hyyro's banded form (see
// myers.clh), one lane each.
//
// Rows go from the read's last base to its first; bit b of a lane is the diagonal `errors - b` bases right of the
// candidate's. Backwards, the words have the right order: the rows of a read are the complements of its other strand,
// first bases first, and the last base of the text is lowest in a word.

// Bits of a lane: a step of LANE_BITS - 2 errors rows uses the bits outside the band.
#ifndef LANE_BITS
#error "LANE_BITS comes from the host"
#endif
// Whether all reads have one length and one bound.
#ifndef ONE_PLAN
#error "ONE_PLAN comes from the host"
#endif

// Lanes fill a 256-bit register; LaneWords is as many 32-bit words.
#if LANE_BITS == 16
#define LANES 16
typedef ushort16 Lanes;
typedef uint16 LaneWords;
#define SIGN_OF(x) as_ushort16(as_short16(x) >> (short16)(15))
#define ALL_IF(condition) as_ushort16(condition)
#define CONVERT_LANES(x) convert_ushort16(x)
#define CONVERT_WORDS(x) convert_uint16(x)
#elif LANE_BITS == 32
#define LANES 8
typedef uint8 Lanes;
typedef uint8 LaneWords;
#define SIGN_OF(x) as_uint8(as_int8(x) >> (int8)(31))
#define ALL_IF(condition) as_uint8(condition)
#define CONVERT_LANES(x) (x)
#define CONVERT_WORDS(x) (x)
#else
#define LANES 4
typedef ulong4 Lanes;
typedef uint4 LaneWords;
#define SIGN_OF(x) as_ulong4(as_long4(x) >> (long4)(63))
#define ALL_IF(condition) as_ulong4(condition)
#define CONVERT_LANES(x) convert_ulong4(x)
#define CONVERT_WORDS(x) convert_uint4(x)
#endif

#define WIDEST_BAND ((LANE_BITS - 2) / 2)

// Two vectors at a time hide latencies.
#define ABREAST 2
#define CANDIDATES (ABREAST * LANES)
#define LANE_ALIGNED __attribute__((aligned(4 * LANES)))
#define TEXT_WORDS (READ_WORDS + 2)

// Candidates of a step. Those after the last are copies of it.
typedef struct {
  uint read[CANDIDATES];
  uint strand[CANDIDATES];
  long diagonal[CANDIDATES];
  uint length[CANDIDATES] LANE_ALIGNED;
  uint errors[CANDIDATES] LANE_ALIGNED;  // at most WIDEST_BAND
} Candidates;

// A plane has one bit of each of 32 bases, those of one word of every candidate.
typedef uint Plane[CANDIDATES] LANE_ALIGNED;

// Separates the pairs of 32 bases: high bits above, low bits below.
INLINED ulong4 separate_pairs(ulong4 x) {
  ulong4 t = (x ^ x >> (ulong4)(1)) & (ulong4)(0x2222222222222222UL);
  x ^= t ^ t << (ulong4)(1);
  t = (x ^ x >> (ulong4)(2)) & (ulong4)(0x0c0c0c0c0c0c0c0cUL);
  x ^= t ^ t << (ulong4)(2);
  t = (x ^ x >> (ulong4)(4)) & (ulong4)(0x00f000f000f000f0UL);
  x ^= t ^ t << (ulong4)(4);
  t = (x ^ x >> (ulong4)(8)) & (ulong4)(0x0000ff000000ff00UL);
  x ^= t ^ t << (ulong4)(8);
  t = (x ^ x >> (ulong4)(16)) & (ulong4)(0x00000000ffff0000UL);
  return x ^ t ^ t << (ulong4)(16);
}

INLINED void split_planes(const ulong* words, uint* low, uint* high) {
  for (uint i = 0; i < CANDIDATES; i += 4) {
    const ulong4 x = separate_pairs(*(const ulong4*)(words + i));
    *(uint4*)(low + i) = convert_uint4(x);
    *(uint4*)(high + i) = convert_uint4(x >> (ulong4)(32));
  }
}

// 32 bases of the text; A outside.
INLINED ulong padded_window(__global const ulong* text, uint text_length, long position) {
  return position < -32 || position >= (long)text_length ? 0 : text_window(text, position);
}

// 32 rows of reads from `row` on, the first highest.
#define ROWS_AT(planes, row, v)                                          \
  (*(const LaneWords*)(planes[(row) >> 5] + LANES * (v)) << ((row)&31) | \
   *(const LaneWords*)(planes[((row) >> 5) + 1] + LANES * (v)) >> 1 >> (31 - ((row)&31)))
// 32 bases of texts from the `bit`th last on, the last lowest.
#define TEXT_AT(planes, bit, v)                                          \
  (*(const LaneWords*)(planes[(bit) >> 5] + LANES * (v)) >> ((bit)&31) | \
   *(const LaneWords*)(planes[((bit) >> 5) + 1] + LANES * (v)) << 1 << (31 - ((bit)&31)))
#if LANE_BITS == 16
#define READ_LANES(planes, row, v) CONVERT_LANES(ROWS_AT(planes, row, v) >> 16)
#define TEXT_LANES(planes, bit, v) CONVERT_LANES(TEXT_AT(planes, bit, v) & 0xffff)
#elif LANE_BITS == 32
#define READ_LANES(planes, row, v) ROWS_AT(planes, row, v)
#define TEXT_LANES(planes, bit, v) TEXT_AT(planes, bit, v)
#else
#define READ_LANES(planes, row, v) (CONVERT_LANES(ROWS_AT(planes, row, v)) << (ulong4)(32))
#define TEXT_LANES(planes, bit, v) \
  (CONVERT_LANES(TEXT_AT(planes, bit, v)) | CONVERT_LANES(TEXT_AT(planes, (bit) + 32, v)) << (ulong4)(32))
#endif

// The bases of a step's candidates. Shifts read one word more than the bases fill.
typedef struct {
  Plane read_low[READ_WORDS + 1], read_high[READ_WORDS + 1], text_low[TEXT_WORDS + 2], text_high[TEXT_WORDS + 2];
#if HAS_UNKNOWN
  Plane unknown_low[READ_WORDS + 1], unknown_high[READ_WORDS + 1];
#endif
} Planes;

// Loads `rows` rows of the reads, and the text that a band of `max_errors` diagonals on either side needs.
INLINED void load_planes(__global const ulong* text, uint text_length, READ_ARGUMENTS, const Candidates* candidates,
                         uint rows, uint max_errors, Planes* planes) {
#if !HAS_UNKNOWN
  (void)read_unknown;
#endif
  ulong words[CANDIDATES] __attribute__((aligned(32)));
  const uint read_words = (rows + 31) / 32, text_words = (rows + 2 * max_errors + 31) / 32;
  for (uint w = 0; w < read_words; w++) {
    for (uint i = 0; i < CANDIDATES; i++)
      words[i] = ~read_strand(read_bases, candidates->read[i], 1 - candidates->strand[i])[w];
    split_planes(words, planes->read_low[w], planes->read_high[w]);
#if HAS_UNKNOWN
    for (uint i = 0; i < CANDIDATES; i++)
      words[i] = read_strand(read_unknown, candidates->read[i], 1 - candidates->strand[i])[w];
    split_planes(words, planes->unknown_low[w], planes->unknown_high[w]);
#endif
  }
  for (uint w = 0; w < text_words; w++) {
    for (uint i = 0; i < CANDIDATES; i++) {
      const long end =
          candidates->diagonal[i] + (long)candidates->length[i] + (long)candidates->errors[i] - 32 * (long)w;
      words[i] = padded_window(text, text_length, end - 32);
    }
    split_planes(words, planes->text_low[w], planes->text_high[w]);
  }
  for (uint i = 0; i < CANDIDATES; i++) {
    planes->read_low[read_words][i] = planes->read_high[read_words][i] = 0;
#if HAS_UNKNOWN
    planes->unknown_low[read_words][i] = 0;
#endif
    planes->text_low[text_words][i] = planes->text_high[text_words][i] = 0;
    planes->text_low[text_words + 1][i] = planes->text_high[text_words + 1][i] = 0;
  }
}

// Myers' vectors below a row: vertical differences of +1 and -1. matches: cells of the band's first diagonal without
// an error.
typedef struct {
  Lanes vp[ABREAST], vn[ABREAST], matches[ABREAST];
} Band;

// Computes `rows` rows of the bands of all candidates.
INLINED void band_rows(const Planes* planes, const Candidates* candidates, uint rows, uint max_errors, Band* band) {
  Lanes inside[ABREAST];
#if !ONE_PLAN
  Lanes lengths[ABREAST];
#endif
  _Pragma("unroll") for (uint v = 0; v < ABREAST; v++) {
    band->vp[v] = band->vn[v] = band->matches[v] = (Lanes)(0);
    const LaneWords errors = *(const LaneWords*)(candidates->errors + LANES * v);
    inside[v] = ((Lanes)(2) << (CONVERT_LANES(errors) << (Lanes)(1))) - (Lanes)(1);
#if !ONE_PLAN
    lengths[v] = CONVERT_LANES(*(const LaneWords*)(candidates->length + LANES * v));
#endif
  }
  const uint turn = min(LANE_BITS - 2 * max_errors, 32u);
  for (uint first = 0; first < rows; first += turn) {
    Lanes low[ABREAST], high[ABREAST], text0[ABREAST], text1[ABREAST];
#if HAS_UNKNOWN
    Lanes unknown[ABREAST];
#endif
    _Pragma("unroll") for (uint v = 0; v < ABREAST; v++) {
      low[v] = READ_LANES(planes->read_low, first, v);
      high[v] = READ_LANES(planes->read_high, first, v);
      text0[v] = TEXT_LANES(planes->text_low, first, v);
      text1[v] = TEXT_LANES(planes->text_high, first, v);
#if HAS_UNKNOWN
      unknown[v] = READ_LANES(planes->unknown_low, first, v);
#endif
    }
    const uint end = min(first + turn, rows);
    for (uint row = first; row < end; row++) {
      _Pragma("unroll") for (uint v = 0; v < ABREAST; v++) {
        Lanes equal = ~((text0[v] ^ SIGN_OF(low[v])) | (text1[v] ^ SIGN_OF(high[v]))) & inside[v];
        low[v] += low[v];
        high[v] += high[v];
        text0[v] >>= (Lanes)(1);
        text1[v] >>= (Lanes)(1);
#if HAS_UNKNOWN
        equal &= ~SIGN_OF(unknown[v]);
        unknown[v] += unknown[v];
#endif
#if !ONE_PLAN
        // After a read's last row everything matches, which keeps the minimum of the band.
        equal |= ALL_IF((Lanes)(row) >= lengths[v]);
#endif
        const Lanes same = MYERS_SAME(equal, band->vp[v], band->vn[v]);
        band->matches[v] += same & (Lanes)(1);
        MYERS_BAND_STEP(Lanes, same, band->vp[v], band->vn[v]);
      }
    }
  }
}

// For each candidate the minimum number of errors of an alignment of the read within `errors` diagonals of the
// candidate's. N of the text and bases outside it count as A. `max_errors`: the maximum of all.
INLINED void band_errors(__global const ulong* text, uint text_length, READ_ARGUMENTS, const Candidates* candidates,
                         uint max_errors, uint* least) {
  uint rows = candidates->length[0];
#if !ONE_PLAN
  for (uint i = 1; i < CANDIDATES; i++) rows = max(rows, candidates->length[i]);
#endif
  Planes planes;
  load_planes(text, text_length, READS, candidates, rows, max_errors, &planes);
  Band band;
  band_rows(&planes, candidates, rows, max_errors, &band);
  _Pragma("unroll") for (uint v = 0; v < ABREAST; v++) {
    Lanes errors = (Lanes)(rows)-band.matches[v], fewest = errors;
    for (uint b = 0; b < 2 * max_errors; b++) {
      errors += band.vp[v] & (Lanes)(1);
      errors -= band.vn[v] & (Lanes)(1);
      band.vp[v] >>= (Lanes)(1);
      band.vn[v] >>= (Lanes)(1);
      fewest = min(fewest, errors);
    }
    *(LaneWords*)(least + LANES * v) = CONVERT_WORDS(fewest);
  }
}

#define LOW_BITS 0x55555555u
// The pairs of the context: SIDE of them left of the seed, the first base highest, those inside its span, and SIDE
// right of it.
#define SIDE_PAIRS ((uint)((1UL << 2 * SIDE) - 1) & LOW_BITS)
#define RIGHT_PAIRS SIDE_PAIRS
#define LEFT_PAIRS (SIDE_PAIRS << 2 * (CONTEXT_BASES - SIDE))
// The pairs furthest from the seed: shifts bring in bases beyond the context, which count as matches.
#define LEFTMOST_PAIR (1u << 2 * (CONTEXT_BASES - 1))
#define RIGHTMOST_PAIR 1u

INLINED uint8 differing(uint8 contexts, uint context, uint pairs) {
  const uint8 x = contexts ^ (uint8)(context);
  return (x | x >> (uint8)(1)) & (uint8)(pairs);
}

// The bases of the read on either side of the seed are compared from the seed outwards, with at most one error in
// total. After the first differing base the rest matches unshifted (a substitution), shifted by one inwards (the read
// lacks a base of the text) or outwards (the read has one more). More errors are left to the verification. The
// seed's span has no errors.
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
  uint biased[MAX_FOUND];
  uint strand_and_read[MAX_FOUND];  // strand << 16 | read in the batch
} Diagonals;

// The diagonals of the found entries, except for those just seen. Returns their number.
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
                          uint strands, uint max_errors, uint first_read, const LookUps* look_ups, Found* found,
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
    band_errors(text, text_length, READS, &candidates, min(max_errors, (uint)WIDEST_BAND), least);
    for (uint i = 0; i < number; i++) {
      const uint of = diagonals.strand_and_read[begin + i];
      const uint bound = PLAN_HEAD(read_plan[candidates.read[i]]).w;
      // Diagonals that no lane holds pass: they are verified later.
      if (bound > WIDEST_BAND || least[i] <= bound)
        put_hit(sink, list, HIT(of & 0xffff, of >> 16, diagonals.biased[begin + i], 0));
    }
  }
}

WORKER_KERNEL void map_levenshtein_cpu(MAP_ARGUMENTS) { map_cpu(MAPPED); }
