// The default finder on CPUs. The loss of a letter is what its column's best letter scores more. A word's losses, in
// steps of a 254th of what it may lose and rounded down, add up in bytes that stop at 255: below that it is a
// candidate. One look-up serves two columns: a byte of the text has two letters.
#include "pwm/keep_candidate.clh"
#include "pwm/loss_lanes_vectors.clh"

// Places of a worker at a time: their letters stay in the nearest cache while target after target goes through them.
#ifndef TILE
#define TILE 8192
#endif
// Vectors of sums at a time: enough of them hide how long an addition takes, and AVX2 has 16 registers.
#ifndef UNROLL
#define UNROLL 8
#endif
#define BLOCK (UNROLL * VECTOR_BYTES)
#if TILE % BLOCK
#error a tile is a multiple of UNROLL vectors
#endif
#define LONGEST 64
#define OWN_CANDIDATES 256

// The width is said because PoCL 5.0 optimises without a look at the processor and takes four bytes at a time.
#define PRAGMA(text) _Pragma(#text)
#define FOR_EACH_BYTE(k, count) \
  PRAGMA(clang loop vectorize_width(VECTOR_BYTES) interleave_count(1)) for (uint k = 0; k < (count); k++)
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"  // elsewhere than on a CPU
#endif

// text[k] = letter k | letter k + 1 << 2; what is no base counts as A, and so does what is not there to be read.
static inline void pair_letters(__global const uchar* letters, uint there, uchar* text, uint count) {
  const uint pairs = min(count, there - 1);
  FOR_EACH_BYTE(k, pairs) text[k] = (uchar)((letters[k] & 3) | (letters[k + 1] & 3) << 2);
  for (uint k = pairs; k < count; k++) text[k] = 0;
}

// losses[i][letter 2 i | letter 2 i + 1 << 2] of targets, from losses_begin[target] to losses_begin[target + 1]; none
// for a target that cannot be hit. `there`: letters of the text that can be read. The worker (x, y) has places
// [x * share, (x + 1) * share) of the own ones and targets [y * targets_each, ...).
WORKER_KERNEL void loss_lanes(__global const uchar* letters, __global const uchar16* losses,
                              __global const uint* losses_begin, __global const uint* lengths, uint first_target,
                              uint targets, uint targets_each, uint there, uint size, uint own_begin, uint own_end,
                              ulong share, uint room, volatile __global uint* found, __global ulong* keys) {
  const uint target_begin = first_target + min(targets, (uint)get_group_id(1) * targets_each);
  const uint target_end = min(first_target + targets, target_begin + targets_each);
  const ulong places = own_end - own_begin, first = WORKER_FIRST(places, share), last = WORKER_LAST(places, share);
  uchar text[TILE + LONGEST] __attribute__((aligned(64)));
  ulong own[OWN_CANDIDATES];
  uint own_count = 0;
  for (ulong done = first; done < last; done += TILE) {
    const uint tile_begin = own_begin + (uint)done;
    const uint tile = (uint)min((ulong)TILE, last - done);
    const uint rounded = (tile + BLOCK - 1) / BLOCK * BLOCK;
    pair_letters(letters + tile_begin, there - tile_begin, text, rounded + LONGEST);
    for (uint target = target_begin; target < target_end; target++) {
      __global const uchar16* table = losses + losses_begin[target];
      const uint pairs = losses_begin[target + 1] - losses_begin[target], length = lengths[target];
      if (pairs == 0 || tile_begin + length > size) continue;
      const uint target_places = min(tile, size - length + 1 - tile_begin);
      for (uint block = 0; block < target_places; block += BLOCK) {
        bytes sums[UNROLL];
#pragma unroll
        for (uint u = 0; u < UNROLL; u++) sums[u] = (bytes)(uchar)0;
        const uchar* two = text + block;
#pragma nounroll
        for (uint i = 0; i < pairs; i++, two += 2) {
          const bytes lost = repeat(table[i]);
#pragma unroll
          for (uint u = 0; u < UNROLL; u++)
            sums[u] = ADD_SATURATED(sums[u], look_up(lost, *(const loose_bytes*)(two + u * VECTOR_BYTES)));
        }
        bytes all = sums[0];
#pragma unroll
        for (uint u = 1; u < UNROLL; u++) all &= sums[u];
        if (all_255(all)) continue;

        uchar kept[BLOCK] __attribute__((aligned(64)));
#pragma unroll
        for (uint u = 0; u < UNROLL; u++) *(bytes*)(kept + u * VECTOR_BYTES) = sums[u];
        for (uint eight = 0; eight < BLOCK; eight += 8) {
          if (*(const ulong*)(kept + eight) == ~0ul) continue;
          for (uint k = eight; k < eight + 8; k++) {
            if (kept[k] == 255 || block + k >= target_places) continue;
            if (own_count == OWN_CANDIDATES) {
              keep_candidates(own, own_count, room, found, keys);
              own_count = 0;
            }
            own[own_count++] = candidate_key(target, tile_begin + block + k);
          }
        }
      }
    }
  }
  keep_candidates(own, own_count, room, found, keys);
}
