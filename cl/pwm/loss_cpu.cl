// The default finder on CPUs. The loss of a letter is the best score of its column minus its own. The losses of a
// word, in steps of a 254th of the maximum loss and rounded down, are summed in bytes that saturate at 255: below
// that the word is a candidate. One look-up serves two columns: a byte of the text has two letters.
#include "common/types.clh"
#include "pwm/keep_candidate.clh"

// Vectors of bytes for the `cpu` finder of losses: a look-up in a table of 16, a sum that stops at 255, a test.
//
// With clang on a processor with AVX-512 or AVX2, its byte shuffle by name, as wide as there is. Where clang is not
// told the processor (Intel's driver) subscripts written out one by one, which become the byte shuffle of 32 bytes,
// since both halves of the table are known to be the same. Elsewhere OpenCL's own vectors of 16, by subscripts too
// (shuffle() and loops become sixteen loads). On a Xeon, Sapphire Rapids, one motif of 18: 2.5e11, 1.9e11 and 1.2e11
// positions x columns per CPU-second.

// 0: only OpenCL C. Otherwise the widest requested shuffle, in bytes.
#ifndef BYTE_SHUFFLE
#define BYTE_SHUFFLE 64
#endif

#if BYTE_SHUFFLE && defined(LONG_VECTORS) && defined(__has_builtin)
#if __has_builtin(__builtin_elementwise_add_sat)
#if BYTE_SHUFFLE >= 64 && defined(__AVX512BW__)
#define VECTOR_BYTES 64
#elif defined(__AVX2__)
#define VECTOR_BYTES 32
#elif defined(__SPIR__) || defined(__SPIRV__)
#define VECTOR_BYTES 32
#define SUBSCRIPTS 1
#endif
#endif
#endif
#ifndef VECTOR_BYTES
#define VECTOR_BYTES 16
#endif

#if VECTOR_BYTES == 16

typedef uchar16 bytes;
typedef uchar16 __attribute__((aligned(1))) loose_bytes;

#define ADD_SATURATED(a, b) add_sat(a, b)
// 255 where the comparison holds, else 0.
#define WHERE(comparison) as_uchar16(comparison)

static inline bytes repeat(uchar16 table) { return table; }
static inline bytes look_up(bytes table, bytes index) {
  return (bytes)(table[index.s0], table[index.s1], table[index.s2], table[index.s3], table[index.s4], table[index.s5],
                 table[index.s6], table[index.s7], table[index.s8], table[index.s9], table[index.sa], table[index.sb],
                 table[index.sc], table[index.sd], table[index.se], table[index.sf]);
}
static inline bool all_255(bytes values) {
  const ulong2 words = as_ulong2(values);
  return (words.x & words.y) == ~0ul;
}

#else

typedef uchar bytes __attribute__((ext_vector_type(VECTOR_BYTES)));
typedef uchar loose_bytes __attribute__((ext_vector_type(VECTOR_BYTES), aligned(1)));
typedef char signed_bytes __attribute__((ext_vector_type(VECTOR_BYTES)));

#define ADD_SATURATED(a, b) __builtin_elementwise_add_sat(a, b)
#define WHERE(comparison) __builtin_astype(comparison, bytes)

#if VECTOR_BYTES == 64
#define SHUFFLE(tables, index) __builtin_ia32_pshufb512(tables, index)
#define TABLES COUNT_TO_15, COUNT_TO_15, COUNT_TO_15, COUNT_TO_15
#else
#define SHUFFLE(tables, index) __builtin_ia32_pshufb256(tables, index)
#define TABLES COUNT_TO_15, COUNT_TO_15
#endif
#define COUNT_TO_15 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15

static inline bytes repeat(uchar16 table) { return __builtin_shufflevector(table, table, TABLES); }
// Each 16 bytes look up in their own copy of the table.
#ifdef SUBSCRIPTS
static inline bytes look_up(bytes table, bytes index) {
  return (bytes)(table[index[0]], table[index[1]], table[index[2]], table[index[3]], table[index[4]], table[index[5]],
                 table[index[6]], table[index[7]], table[index[8]], table[index[9]], table[index[10]], table[index[11]],
                 table[index[12]], table[index[13]], table[index[14]], table[index[15]], table[index[16]],
                 table[index[17]], table[index[18]], table[index[19]], table[index[20]], table[index[21]],
                 table[index[22]], table[index[23]], table[index[24]], table[index[25]], table[index[26]],
                 table[index[27]], table[index[28]], table[index[29]], table[index[30]], table[index[31]]);
}
#else
static inline bytes look_up(bytes tables, bytes index) {
  return __builtin_astype(SHUFFLE(__builtin_astype(tables, signed_bytes), __builtin_astype(index, signed_bytes)),
                          bytes);
}
#endif
#ifdef SUBSCRIPTS
// By all(), which is one test of a register there; words compared with ~0 become minima of words.
static inline bool all_255(bytes values) { return all((values.lo & values.hi) == (uchar16)(uchar)255); }
#else
static inline bool all_255(bytes values) {
#if VECTOR_BYTES == 64
  const ulong8 eight = __builtin_astype(values, ulong8);
  const ulong4 words = eight.lo & eight.hi;
#else
  const ulong4 words = __builtin_astype(values, ulong4);
#endif
  return (words.x & words.y & words.z & words.w) == ~0ul;
}
#endif

#endif

// Places of a worker at a time: their letters stay in the nearest cache while target after target goes through them.
#ifndef TILE
#error "TILE comes from the host"
#endif
// Vectors of sums of a target at a time: two targets' sums fit the registers, 16 with AVX2 and 32 with AVX-512.
#ifndef UNROLL
#ifdef __AVX512VL__
#define UNROLL 8
#else
#define UNROLL 4
#endif
#endif
#define BLOCK (UNROLL * VECTOR_BYTES)
#if TILE % BLOCK
#error a tile is a multiple of UNROLL vectors
#endif
#define LONGEST 128
#define OWN_CANDIDATES 256
#define DRAWN 256

// The candidates of a worker, written many at a time.
struct OwnCandidates {
  uint count, capacity;
  volatile __global uint* found;
  __global ulong* keys;
  ulong own[OWN_CANDIDATES];
};

// Whether DRAWN letters and one more are bases, all of them.
static inline bool are_bases(__global const uchar* letters) {
  bytes any = (bytes)(uchar)0;
#pragma unroll
  for (uint k = 0; k < DRAWN; k += VECTOR_BYTES) any |= *(__global const loose_bytes*)(letters + k);
  return letters[DRAWN] < 4 && all_255(~any | (bytes)(uchar)3);  // no bit but the lowest two
}

// Letters that are no bases are replaced by bases, as `drawn` does, and not always the same: a run of N would
// otherwise be a run of A, with every place in it a candidate of some target.
static inline bytes pair(bytes first, bytes second, bytes drawn) {
  const bytes no_base =
      (WHERE(first > (bytes)(uchar)3) & (bytes)(uchar)3) | (WHERE(second > (bytes)(uchar)3) & (bytes)(uchar)12);
  return (first & (bytes)(uchar)3) | (second & (bytes)(uchar)3) << (bytes)(uchar)2 | (drawn & no_base);
}

// text[k] = letter k | letter k + 1 << 2, of `there` (1 or more) letters. What cannot be read is A.
static inline void pair_letters(__global const uchar* letters, uint there, const uchar* drawn, uchar* text,
                                uint count) {
  __global const uchar* const last = letters + there - 1;
  const uint pairs = min(count, there - 1);
  for (uint from = 0; from < pairs; from += DRAWN, letters += DRAWN) {
    const uint some = min(pairs - from, (uint)DRAWN);
    uint k = 0;
    if (some == DRAWN && are_bases(letters)) {
      for (; k < DRAWN; k += VECTOR_BYTES)
        *(loose_bytes*)(text + from + k) = *(__global const loose_bytes*)(letters + k) |
                                           *(__global const loose_bytes*)(letters + k + 1) << (bytes)(uchar)2;
      continue;
    }
    for (; k + VECTOR_BYTES <= some; k += VECTOR_BYTES)
      *(loose_bytes*)(text + from + k) =
          pair(*(__global const loose_bytes*)(letters + k), *(__global const loose_bytes*)(letters + k + 1),
               *(const loose_bytes*)(drawn + k));
    for (; k < some; k++) {
      const uchar first = letters[k], second = letters[k + 1];
      const uchar no_base = (uchar)((first > 3 ? 3 : 0) | (second > 3 ? 12 : 0));
      text[from + k] = (uchar)((first & 3) | (second & 3) << 2 | (drawn[k] & no_base));
    }
  }
  if (pairs == count) return;
  text[pairs] = *last > 3 ? drawn[pairs % DRAWN] & 3 : *last;
  for (uint k = pairs + 1; k < count; k++) text[k] = 0;
}

static inline void draw_bytes(uchar* drawn) {
  uint state = 1;
  for (uint k = 0; k < DRAWN; k++) {
    state = state * 1664525u + 1013904223u;
    drawn[k] = (uchar)(state >> 24);
  }
}

INLINED void clear(bytes* sums) {
#pragma unroll
  for (uint u = 0; u < UNROLL; u++) sums[u] = (bytes)(uchar)0;
}

INLINED void add_losses(bytes* sums, bytes tables, const uchar* text) {
#pragma unroll
  for (uint u = 0; u < UNROLL; u++)
    sums[u] = ADD_SATURATED(sums[u], look_up(tables, *(const loose_bytes*)(text + u * VECTOR_BYTES)));
}

INLINED bytes common_bits(const bytes* sums) {
  bytes all = sums[0];
#pragma unroll
  for (uint u = 1; u < UNROLL; u++) all &= sums[u];
  return all;
}

// Those of a block's sums that are below 255, of its first `places`. `key`: of the block's first place.
INLINED void collect(const bytes* sums, uint places, ulong key, struct OwnCandidates* candidates) {
#pragma unroll
  for (uint u = 0; u < UNROLL; u++) {
    if (all_255(sums[u])) continue;
    uchar of_place[VECTOR_BYTES] __attribute__((aligned(64)));
    *(bytes*)of_place = sums[u];
    for (uint eight = 0; eight < VECTOR_BYTES; eight += 8) {
      if (*(const ulong*)(of_place + eight) == ~0ul) continue;
      for (uint k = eight; k < eight + 8; k++) {
        const uint place = u * VECTOR_BYTES + k;
        if (of_place[k] == 255 || place >= places) continue;
        if (candidates->count == OWN_CANDIDATES) {
          keep_candidates(candidates->own, OWN_CANDIDATES, candidates->capacity, candidates->found, candidates->keys);
          candidates->count = 0;
        }
        candidates->own[candidates->count++] = key + place;
      }
    }
  }
}

// `key`: of the tile's first place.
INLINED void scan_one(__global const uchar16* losses, uint pairs, const uchar* text, uint places, ulong key,
                      struct OwnCandidates* candidates) {
  for (uint block = 0; block < places; block += BLOCK) {
    bytes sums[UNROLL];
    clear(sums);
#pragma nounroll
    for (uint i = 0; i < pairs; i++) add_losses(sums, repeat(losses[i]), text + block + 2 * i);
    if (!all_255(common_bits(sums))) collect(sums, places - block, key + block, candidates);
  }
}

// Two targets of one length, mostly the strands of a matrix: each load of the text serves both.
INLINED void scan_two(__global const uchar16* losses, uint pairs, const uchar* text, uint places, ulong key,
                      struct OwnCandidates* candidates) {
  for (uint block = 0; block < places; block += BLOCK) {
    bytes first[UNROLL], second[UNROLL];
    clear(first);
    clear(second);
#pragma nounroll
    for (uint i = 0; i < pairs; i++) {
      add_losses(first, repeat(losses[i]), text + block + 2 * i);
      add_losses(second, repeat(losses[pairs + i]), text + block + 2 * i);
    }
    if (all_255(common_bits(first) & common_bits(second))) continue;
    collect(first, places - block, key + block, candidates);
    collect(second, places - block, key + candidate_key(1, block), candidates);
  }
}

// losses[i][letter 2 i | letter 2 i + 1 << 2] of targets, from losses_begin[target] to losses_begin[target + 1]; none
// for a target that cannot be hit. `there`: letters of the text that can be read. The worker (x, y) has places
// [x * share, (x + 1) * share) of the own ones and targets [y * targets_each, ...).
WORKER_KERNEL void loss_cpu(__global const uchar* letters, __global const uchar16* losses,
                            __global const uint* losses_begin, __global const uint* lengths, uint first_target,
                            uint targets, uint targets_each, uint there, uint size, uint own_begin, uint own_end,
                            ulong share, uint capacity, volatile __global uint* found, __global ulong* keys) {
  const uint target_begin = first_target + min(targets, (uint)get_group_id(1) * targets_each);
  const uint target_end = min(first_target + targets, target_begin + targets_each);
  const ulong places = own_end - own_begin, first = WORKER_FIRST(places, share), last = WORKER_LAST(places, share);
  uchar text[TILE + LONGEST] __attribute__((aligned(64)));
  uchar drawn[DRAWN] __attribute__((aligned(64)));
  draw_bytes(drawn);
  struct OwnCandidates candidates;
  candidates.count = 0;
  candidates.capacity = capacity;
  candidates.found = found;
  candidates.keys = keys;
  for (ulong done = first; done < last; done += TILE) {
    const uint tile_begin = own_begin + (uint)done;
    const uint tile = (uint)min((ulong)TILE, last - done);
    const uint rounded = (tile + BLOCK - 1) / BLOCK * BLOCK;
    pair_letters(letters + tile_begin, there - tile_begin, drawn, text, rounded + LONGEST);
    for (uint target = target_begin, together = 1; target < target_end; target += together) {
      const uint begin = losses_begin[target], pairs = losses_begin[target + 1] - begin, length = lengths[target];
      together =
          target + 1 < target_end && lengths[target + 1] == length && losses_begin[target + 2] == begin + 2 * pairs ? 2
                                                                                                                    : 1;
      if (pairs == 0 || tile_begin + length > size) continue;
      const uint target_places = min(tile, size - length + 1 - tile_begin);
      const ulong key = candidate_key(target, tile_begin);
      if (together == 2)
        scan_two(losses + begin, pairs, text, target_places, key, &candidates);
      else
        scan_one(losses + begin, pairs, text, target_places, key, &candidates);
    }
  }
  keep_candidates(candidates.own, candidates.count, capacity, found, keys);
}
