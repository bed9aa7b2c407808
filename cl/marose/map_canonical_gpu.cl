// `canonical` with substitutions, looked up and verified by groups: each owns consecutive reads. See
// map_canonical_gpu_scan.clh for the look-ups, map_canonical_gpu_hits.clh for the output.
#include "marose/map_canonical_gpu_hits.clh"
#include "marose/map_canonical_gpu_scan.clh"
#include "marose/reference.clh"
#include "marose/seed_in_text.clh"

#ifndef DIAGONAL_BIAS
#error "DIAGONAL_BIAS comes from the host"
#endif

// Low bits of the pairs under the mask, in a window that begins with the seed.
INLINED ulong seed_pairs(void) {
  ulong pairs = 0;
#pragma unroll
  for (uint run = 0; run < SEED_RUNS; run++)
    pairs |=
        first_bases(RUN_BYTE(SEED_LENGTH, SEED_LENGTH_HIGH, run)) >> 2 * RUN_BYTE(SEED_FIRST, SEED_FIRST_HIGH, run);
  return pairs & ALL_LOW_BITS;
}

// A strand of a read and the text. Up to 64 bases are compared once.
typedef struct {
  __global const ulong* bases;
  __global const ulong* unknown;
  uint begin, length, strand;
#if READ_WORDS <= 2
  ulong differs, more_differs;
#endif
} Alignment;

// 32 bases of the strand from `position` on, as for look-ups: an N of the read is A on the forward strand, which is
// looked up, so it is T on the other.
INLINED ulong looked_up_window(Alignment a, int position) {
  ulong window = read_window(a.bases, position);
#if HAS_UNKNOWN
  if (a.strand) window |= 3 * read_window(a.unknown, position);
#endif
  return window;
}

// Mismatches, as look-ups see them, of 32 bases from `position` of the strand on.
INLINED ulong differing_window(Alignment a, __global const ulong* text, uint position) {
#if READ_WORDS <= 2
  (void)text;
  return position < 32 ? join_words(a.differs, a.more_differs, position) : a.more_differs << 2 * (position - 32);
#else
  return mismatches(looked_up_window(a, (int)position), text_window(text, (long)a.begin + position));
#endif
}

// The errors without Ns of the text, or more than `most`.
INLINED uint count_errors(Alignment a, __global const ulong* text, uint most) {
  uint errors = 0;
#if READ_WORDS <= 2
  (void)text;
  (void)most;
  ulong differs = a.differs, more_differs = a.more_differs;
#if HAS_UNKNOWN
  differs |= a.unknown[0];
  more_differs |= READ_WORDS == 2 ? a.unknown[READ_WORDS - 1] : 0;
#endif
  const uint here = min(a.length, 32u);
  errors = (uint)(popcount(differs & first_bases(here)) + popcount(more_differs & first_bases(a.length - here)));
#else
  for (uint at = 0; at < a.length && errors <= most; at += 32) {
    ulong differs = mismatches(a.bases[at / 32], text_window(text, (long)a.begin + at));
#if HAS_UNKNOWN
    differs |= a.unknown[at / 32];
#endif
    errors += (uint)popcount(differs & first_bases(min(a.length - at, 32u)));
  }
#endif
  return errors;
}

// For a window with an N or the border of a contig: the errors including Ns of the text, above `most` across a
// border.
INLINED uint count_errors_at_special(Alignment a, REFERENCE_ARGUMENTS, uint most) {
  (void)special;
  (void)text_length;
  if (contig_begin[contig_of(contig_begin, contig_count, a.begin) + 1] < a.begin + a.length) return most + 1;
  uint errors = 0;
  for (uint at = 0; at < a.length; at += 32) {
    ulong differs = mismatches(a.bases[at / 32], text_window(text, (long)a.begin + at));
#if HAS_UNKNOWN
    differs |= a.unknown[at / 32];
#endif
    differs |= unknown_window(unknown_begin, unknown_end, unknown_count, a.begin + at);
    errors += (uint)popcount(differs & first_bases(min(a.length - at, 32u)));
  }
  return errors;
}

// Whether the context of the look-up admits the alignment, as the look-up compares it.
INLINED bool check_passes(Alignment a, __global const ulong* text, uint4 place, uint most) {
  if (place.w >= most) return true;  // at most those of the whole read
  const int first = max((int)place.x - (int)SIDE, (int)(place.z & 0xffff));
  const int last = min((int)(place.x + SEED_SPAN + SIDE), (int)(place.z >> 16));
  const int begin = a.strand ? (int)a.length - last : first;
  const ulong differs = differing_window(a, text, (uint)begin) & first_bases((uint)(last - first));
  return (uint)popcount(differs) <= place.w;
}

// Whether a look-up finds the alignment.
INLINED bool finds(Alignment a, REFERENCE_ARGUMENTS, uint4 place, uint most, bool special_window) {
  const uint offset = a.strand ? place.y : place.x;
  ulong differs = differing_window(a, text, offset);
#if HAS_UNKNOWN
  differs |= read_window(a.unknown, (int)offset);
#endif
  if ((differs & seed_pairs()) != 0 || !check_passes(a, text, place, most)) return false;
  return !special_window || holds_seed(REFERENCE, a.begin + offset);
}

// Word `at` of the text; those at `known_at` are already loaded. Loading a word again would access the second-level
// cache: the first level cannot hold thousands of survivors.
INLINED ulong text_word(__global const ulong* text, uint at, ulong2 known, uint known_at) {
  return at == known_at ? known.x : at == known_at + 1 ? known.y : text[at];
}

// Verifies a survivor, and writes it if it is a hit that no earlier look-up of the plan finds.
INLINED void verify_survivor(__local GroupHits* hits, uint2 survivor, REFERENCE_ARGUMENTS, READ_ARGUMENTS,
                             PLAN_ARGUMENTS, __global const uint* positions, uint first_read, uint strands) {
  const uint read = CODE_READ(survivor.x), number = CODE_PLACE(survivor.x);
  const uint position = positions[survivor.y];
  const uint4 head = plan_of_read(PLANS, first_read + read);
  const uint4 place = PLACE(head.x + number);
  // The words that contain the seed, and their indices.
  const uint seed_begin = position + (32 - SIDE), seed_at = seed_begin >> 5;
  const ulong2 seed_words = (ulong2)(text[seed_at], text[seed_at + 1]);
  uint way;
  canonical_key(join_words(seed_words.x, seed_words.y, seed_begin & 31) & first_bases(EXTENDED_BASES), &way);
  Alignment a;
  a.strand = (way == REVERSED) ^ CODE_TURNED(survivor.x);
  a.length = head.z;
  const uint offset = a.strand ? place.y : place.x;
  if ((strands >> a.strand & 1) == 0 || position < offset || position - offset + a.length > text_length) return;
  a.begin = position - offset;
  a.bases = read_strand(read_bases, first_read + read, a.strand);
#if HAS_UNKNOWN
  a.unknown = read_strand(read_unknown, first_read + read, a.strand);
#else
  a.unknown = read_unknown;
#endif
#if READ_WORDS <= 2
  const uint shift = a.begin & 31, at = (a.begin >> 5) + 1;
  const ulong first = text_word(text, at, seed_words, seed_at), second = text_word(text, at + 1, seed_words, seed_at);
  a.differs = mismatches(looked_up_window(a, 0), join_words(first, second, shift));
  a.more_differs = 0;
  if (READ_WORDS == 2 && a.length > 32) {
    const ulong third = shift + a.length > 64 ? text_word(text, at + 2, seed_words, seed_at) : 0;
    a.more_differs = mismatches(looked_up_window(a, 32), join_words(second, third, shift));
  }
#endif
  const uint most = head.w;
  uint errors = count_errors(a, text, most);
  if (errors > most) return;
  const bool special_window = is_special(special, a.begin, a.begin + a.length);
  if (special_window) errors = count_errors_at_special(a, REFERENCE, most);
  if (errors > most) return;
#if BUCKET_WORDS
  // Records hold shorter contexts.
  if (!check_passes(a, text, place, most)) return;
#endif
  for (uint earlier = 0; earlier < number; earlier++)
    if (finds(a, REFERENCE, PLACE(head.x + earlier), most, special_window)) return;
  push_hit(hits, GROUP_HIT(read, a.strand, a.begin + DIAGONAL_BIAS, errors));
}

#define VERIFY SCAN_STEPS
#define CLAIM (SCAN_STEPS + 1)
#define WRITE (SCAN_STEPS + 2)

GROUP_KERNEL void map_hamming(REFERENCE_ARGUMENTS, READ_ARGUMENTS, PLAN_ARGUMENTS, TABLE_ARGUMENTS,
                              __global const uint* positions, uint read_count, uint reads_per_group, uint max_places,
                              uint strands, CHUNK_ARGUMENTS) {
  __local GroupScan scan;
  __local GroupHits hits;
  const uint item = get_local_id(0), group = get_group_id(0);
  const uint first_read = group * reads_per_group, reads = min(read_count - first_read, reads_per_group);
  ScanState state = START_SCAN(reads * max_places);
  ChunkState chunk = {0, 0};
  if (item == 0) {
    clear_scan(&scan);
    hits.count = 0;
  }
  bool claiming = false;
  for (bool more = true; more;) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint queued = scan.queued, found = hits.count;
    const uint short_lists = scan.short_lists, long_lists = scan.long_lists;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint step = next_scan_step(state, short_lists, long_lists);
    if (queued >= GROUP_SIZE || (step == NO_STEP && queued != 0)) step = VERIFY;
    if (found > HIT_CAPACITY - GROUP_SIZE || (step == NO_STEP && found != 0)) step = CLAIM;
    if (claiming) step = WRITE;
    claiming = step == CLAIM;
    more = step != NO_STEP;
    if (step == VERIFY) {
      const uint taken = min(queued, (uint)GROUP_SIZE);
      if (item < taken)
        verify_survivor(&hits, scan.queue[queued - taken + item], REFERENCE, READS, PLANS, positions, first_read,
                        strands);
      if (item == 0) scan.queued = queued - taken;
    } else if (step == CLAIM) {
      claim_chunk(&hits, counters, found);
    } else if (step == WRITE) {
      write_chunk(&hits, &chunk, chunks, chunk_capacity, found);
    } else {
      do_scan_step(&scan, &state, step, READS, PLANS, TABLES, short_lists, long_lists, first_read, max_places);
    }
  }
  close_chunks(chunk, CHUNKS);
}
