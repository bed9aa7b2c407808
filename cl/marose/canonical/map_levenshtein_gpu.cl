// `canonical` with insertions and deletions: looked up, located and verified at once by groups, each of which owns
// consecutive reads. Writes the diagonals that pass, some of them more than once. See map_canonical_gpu.cl.
#define LEVENSHTEIN 1
#include "marose/canonical/map_canonical_gpu_hits.clh"
#include "marose/canonical/map_canonical_gpu_scan.clh"
#include "marose/canonical/map_levenshtein_gpu_band.clh"

#ifndef DIAGONAL_BIAS
#error "DIAGONAL_BIAS comes from the host"
#endif

// Survivors of one seed lie on the same diagonal as those of the next: each diagonal is verified once, as far as its
// survivors come at the same time.
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

// Where a survivor's read would lie; NO_DIAGONAL outside the text or on a strand that is not asked for.
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

// Whether the diagonal is within the bound; where the band does not fit a word, it passes.
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
                                  uint reads_per_group, uint most_places, uint strands, CHUNK_ARGUMENTS) {
  __local GroupScan scan;
  __local GroupDiagonals diagonals;
  __local GroupHits hits;
  const uint item = get_local_id(0), group = get_group_id(0);
  const uint first_read = group * reads_per_group, reads = min(read_count - first_read, reads_per_group);
  ScanState state = START_SCAN(reads * most_places);
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
    if (found > HIT_ROOM - GROUP_SIZE || (step == NO_STEP && found != 0)) step = CLAIM;
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
      write_chunk(&hits, &chunk, chunks, chunk_room, found);
    } else {
      do_scan_step(&scan, &state, step, READS, PLANS, TABLES, short_lists, long_lists, first_read, most_places);
    }
  }
  close_chunks(chunk, CHUNKS);
}
