// `canonical` with insertions and deletions: looked up, located and verified by groups; each group owns consecutive
// reads. Writes the diagonals that pass, some of them more than once. See map_canonical_gpu.cl.
#define LEVENSHTEIN 1
#include "common/myers.clh"
#include "marose/map_canonical_gpu_hits.clh"
#include "marose/map_canonical_gpu_scan.clh"
#include "marose/reads.clh"
#include "marose/reference.clh"

// Edit distance of a read within a band of diagonals: Myers' bit-vectors in Hyyro's banded form (see myers.clh).

// Diagonals in a word: 32 for up to 15 errors, 64 for up to 31.
#ifndef BAND_BITS
#error "BAND_BITS comes from the host"
#endif
#if BAND_BITS == 32
typedef uint Band;
#else
typedef ulong Band;
#endif

// A window of the text at any position, zeros outside.
INLINED ulong text_or_nothing(__global const ulong* text, uint text_length, long position) {
  return position <= -32 || position >= (long)text_length ? 0UL : text_window(text, position);
}

// Whether some alignment of the read, of `length` bases, within `errors` diagonals of `diagonal` has at most `errors`
// errors. Bit b of row r is base diagonal - errors + r + b of the text; D is the number of errors up to there,
// `rises` and `falls` mark the bits after which it is one more or less. Bases outside the text match nothing.
INLINED bool is_within_band(__global const ulong* bases, __global const ulong* unknown, uint length, uint errors,
                            __global const ulong* text, uint text_length, long diagonal) {
  const uint width = 2 * errors + 1;
  const Band all = width == BAND_BITS ? ~(Band)0 : ((Band)1 << width) - 1, last = (Band)1 << (width - 1);
  Band low = 0, high = 0, inside = 0, rises = 0, falls = 0;
  uint straight = 0;  // error-free steps along the lowest diagonal
  ulong text_word = 0, word = 0, unknown_word = 0;
  (void)unknown;
  for (uint step = 0; step < length + width - 1; step++) {
    const long position = diagonal - (long)errors + step;
    if (step % 32 == 0) text_word = text_or_nothing(text, text_length, position);
    low = low >> 1 | (text_word >> 62 & 1 ? last : 0);
    high = high >> 1 | (text_word >> 63 ? last : 0);
    inside = inside >> 1 | ((ulong)position < text_length ? last : 0);
    text_word <<= 2;
    if (step + 1 < width) continue;
    const uint row = step + 1 - width;
    if (row % 32 == 0) {
      word = bases[row / 32];
#if HAS_UNKNOWN
      unknown_word = unknown[row / 32];
#endif
    }
    const Band base_low = 0 - (Band)(word >> 62 & 1), base_high = 0 - (Band)(word >> 63);
    const Band known = (Band)(unknown_word >> 62 & 1) - 1;
    word <<= 2;
    unknown_word <<= 2;
    const Band equal = ~((low ^ base_low) | (high ^ base_high)) & inside & known;
    const Band same = MYERS_SAME(equal, rises, falls) & all;
    MYERS_BAND_STEP(Band, same, rises, falls);
    straight += (uint)(same & 1);
  }
  int at = (int)(length - straight), least = at;
  for (uint bit = 0; bit + 1 < width; bit++) {
    at += (int)(rises >> bit & 1) - (int)(falls >> bit & 1);
    least = min(least, at);
  }
  return least <= (int)errors;
}

#ifndef DIAGONAL_BIAS
#error "DIAGONAL_BIAS comes from the host"
#endif

// Survivors of different seeds share diagonals: each diagonal is verified once, as far as its survivors are processed
// together.
#define SLOTS (2 * GROUP_SIZE)
typedef struct {
  uint diagonals;
  uint slots[SLOTS];  // by hash: turn * GROUP_SIZE + work-item of one of the diagonals there
  ulong located[GROUP_SIZE];
  ulong queue[2 * GROUP_SIZE];
} GroupDiagonals;

// A diagonal within a group is its read, strand and biased diagonal.
#define NO_DIAGONAL (~0UL)
#define DIAGONAL_OF(read, strand, biased) ((ulong)(read) << 33 | (ulong)(strand) << 32 | (biased))

INLINED uint slot_of(ulong diagonal) {
  return (((uint)diagonal * 0x9e3779b1u ^ (uint)(diagonal >> 32) * 0x85ebca6bu) >> 8) % SLOTS;
}

// Diagonal of a survivor's read; NO_DIAGONAL outside the text or on a strand that is not searched.
INLINED ulong locate(uint2 survivor, __global const ulong* text, uint text_length, PLAN_ARGUMENTS,
                     __global const uint* positions, uint first_read, uint strands) {
  const uint read = CODE_READ(survivor.x);
  const uint position = positions[survivor.y];
  const uint4 head = plan_of_read(PLANS, first_read + read);
  const uint4 place = PLACE(head.x + CODE_PLACE(survivor.x));
  uint way;
  canonical_key(text_window(text, (long)position - SIDE) & first_bases(EXTENDED_BASES), &way);
  const uint strand = (way == REVERSED) ^ CODE_TURNED(survivor.x);
  const long diagonal = (long)position - (strand ? place.y : place.x);
  if ((strands >> strand & 1) == 0 || diagonal < -(long)head.w ||
      diagonal + (long)head.z > (long)text_length + (long)head.w)
    return NO_DIAGONAL;
  return DIAGONAL_OF(read, strand, (uint)(diagonal + DIAGONAL_BIAS));
}

// Whether the diagonal is within the bound; passes if the band does not fit a word.
INLINED void verify_diagonal(__local GroupHits* hits, ulong diagonal, __global const ulong* text, uint text_length,
                             READ_ARGUMENTS, PLAN_ARGUMENTS, uint first_read) {
  const uint read = (uint)(diagonal >> 33), strand = (uint)(diagonal >> 32) & 1, biased = (uint)diagonal;
  const uint4 head = plan_of_read(PLANS, first_read + read);
  __global const ulong* bases = read_strand(read_bases, first_read + read, strand);
#if HAS_UNKNOWN
  __global const ulong* unknown = read_strand(read_unknown, first_read + read, strand);
#else
  __global const ulong* unknown = read_unknown;
#endif
  if (2 * head.w + 1 > BAND_BITS ||
      is_within_band(bases, unknown, head.z, head.w, text, text_length, (long)biased - DIAGONAL_BIAS))
    push_hit(hits, GROUP_HIT(read, strand, biased, 0));
}

#define LOCATE SCAN_STEPS
#define SIFT (SCAN_STEPS + 1)
#define VERIFY (SCAN_STEPS + 2)
#define CLAIM (SCAN_STEPS + 3)
#define WRITE (SCAN_STEPS + 4)

GROUP_KERNEL void map_levenshtein(__global const ulong* text, uint text_length, READ_ARGUMENTS, PLAN_ARGUMENTS,
                                  TABLE_ARGUMENTS, __global const uint* positions, uint read_count,
                                  uint reads_per_group, uint max_places, uint strands, CHUNK_ARGUMENTS) {
  __local GroupScan scan;
  __local GroupDiagonals diagonals;
  __local GroupHits hits;
  const uint item = get_local_id(0), group = get_group_id(0);
  const uint first_read = group * reads_per_group, reads = min(read_count - first_read, reads_per_group);
  ScanState state = START_SCAN(reads * max_places);
  ChunkState chunk = {0, 0};
  if (item == 0) {
    clear_scan(&scan);
    hits.count = 0;
    diagonals.diagonals = 0;
  }
  for (uint slot = item; slot < SLOTS; slot += GROUP_SIZE) diagonals.slots[slot] = 0;
  uint turn = 0;
  bool sifting = false, claiming = false;
  for (bool more = true; more;) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint queued = scan.queued, found = hits.count, unverified = diagonals.diagonals;
    const uint short_lists = scan.short_lists, long_lists = scan.long_lists;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint step = next_scan_step(state, short_lists, long_lists);
    if (queued >= GROUP_SIZE || (step == NO_STEP && queued != 0)) step = LOCATE;
    if (unverified >= GROUP_SIZE || (step == NO_STEP && unverified != 0)) step = VERIFY;
    if (found > HIT_CAPACITY - GROUP_SIZE || (step == NO_STEP && found != 0)) step = CLAIM;
    if (sifting) step = SIFT;
    if (claiming) step = WRITE;
    sifting = step == LOCATE;
    claiming = step == CLAIM;
    more = step != NO_STEP;
    if (step == LOCATE) {
      const uint taken = min(queued, (uint)GROUP_SIZE);
      turn++;
      ulong diagonal = NO_DIAGONAL;
      if (item < taken)
        diagonal = locate(scan.queue[queued - taken + item], text, text_length, PLANS, positions, first_read, strands);
      diagonals.located[item] = diagonal;
      if (diagonal != NO_DIAGONAL) atomic_max(&diagonals.slots[slot_of(diagonal)], turn * GROUP_SIZE + item);
      if (item == 0) scan.queued = queued - taken;
    } else if (step == SIFT) {
      const ulong diagonal = diagonals.located[item];
      const uint keeper = diagonals.slots[slot_of(diagonal)] % GROUP_SIZE;
      if (diagonal != NO_DIAGONAL && (keeper == item || diagonals.located[keeper] != diagonal))
        diagonals.queue[atomic_inc(&diagonals.diagonals)] = diagonal;
    } else if (step == VERIFY) {
      const uint taken = min(unverified, (uint)GROUP_SIZE);
      if (item < taken)
        verify_diagonal(&hits, diagonals.queue[unverified - taken + item], text, text_length, READS, PLANS, first_read);
      if (item == 0) diagonals.diagonals = unverified - taken;
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
