// `loss` on NVIDIA's matrix units; cl/pwm/find/loss_group.cl is the portable form. A warp scores 16 targets at 8 *
// BLOCKS places at a time: losses (src/pwm/find/loss_fragments.hpp) times the text, four bytes for each letter, one of
// which is 1. What the text is at an offset serves every block of places and block of columns that add up to it.
#include "common/types.clh"
#include "pwm/find/emit.clh"
#include "pwm/scan/letters.clh"
#include "pwm/find/mma.clh"

#if GENOCL_PTX

// Of 8 columns each.
#ifndef COLUMN_BLOCKS
#error "COLUMN_BLOCKS comes from the host"
#endif
// Of 8 places each.
#ifndef BLOCKS
#error "BLOCKS comes from the host"
#endif
// Of 16 targets, in local memory.
#ifndef SETS
#error "SETS comes from the host"
#endif
// How often a warp takes other places.
#ifndef REPEATS
#error "REPEATS comes from the host"
#endif

// Repeats between flushes; divides REPEATS. With thresholds of P = 1e-4 a repeat leaves some 50 candidates.
#ifndef FLUSH_AFTER
#define FLUSH_AFTER 8
#endif

#define WARPS (GROUP_SIZE / PTX_WARP)
// Of four letters: both halves of a block of 8 columns.
#define OFFSETS (2 * (BLOCKS + COLUMN_BLOCKS - 1))
#define WORDS_OF_SET (COLUMN_BLOCKS * PTX_WARP)

// Words that begin in [own_begin, own_end); sets [first_set, first_set + sets) of those in `fragments` and `begins`,
// the first one of which is `fragments_from`. Only targets of [first_target, last_target) are written.
GROUP_KERNEL void loss_mma(__global const ulong* words, uint own_begin, uint own_end, __global const uint4* fragments,
                           __global const int* begins, uint fragments_from, uint first_set, uint sets,
                           uint first_target, uint last_target, uint room, volatile __global uint* found,
                           __global ulong* keys) {
  __local uint4 fragment[SETS * WORDS_OF_SET];
  __local int begin[SETS * 16];
  __local ulong gathered[EMIT_ROOM];
  __local uint state[EMIT_STATE];
  const uint local_item = (uint)get_local_id(0), lane = local_item % PTX_WARP, warp = local_item / PTX_WARP;
  const uint before = (uint)get_group_id(1) * SETS;
  const uint own_sets = min((uint)SETS, sets - before);
  const ulong from = first_set - fragments_from + before;
  for (uint i = local_item; i < own_sets * WORDS_OF_SET; i += GROUP_SIZE)
    fragment[i] = fragments[from * WORDS_OF_SET + i];
  for (uint i = local_item; i < own_sets * 16; i += GROUP_SIZE) begin[i] = begins[from * 16 + i];
  if (local_item == 0) state[EMITTED] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  for (uint repeat = 0; repeat < REPEATS; repeat++) {
    const uint place = own_begin + (((uint)get_group_id(0) * REPEATS + repeat) * WARPS + warp) * (8 * BLOCKS);
    if (place < own_end) {  // the same for all of a warp
      // one_hot[o]: letter place + lane / 4 + lane % 4 + 4 o.
      uint one_hot[OFFSETS];
#pragma unroll
      for (uint o = 0; o < OFFSETS; o += 8) {
        const ulong letters = letters_at(words, place + lane / 4 + lane % 4 + 4 * o);
#pragma unroll
        for (uint i = 0; i < 8; i++)
          if (o + i < OFFSETS) one_hot[o + i] = 1u << (8 * ((uint)(letters >> (62 - 8 * i)) & 3));
      }
#pragma unroll
      for (uint o = 0; o < OFFSETS; o++) one_hot[o] = kept(one_hot[o], lane);

      uint4 losses[COLUMN_BLOCKS];
#pragma unroll
      for (uint c = 0; c < COLUMN_BLOCKS; c++) losses[c] = fragment[c * PTX_WARP + lane];
      for (uint s = 0; s < own_sets; s++) {
        int sum[BLOCKS][4];
        const int low = begin[s * 16 + lane / 4], high = begin[s * 16 + 8 + lane / 4];
        const int start[4] = {low, low, high, high};
        const uint next = min(s + 1, own_sets - 1);
#pragma unroll
        for (uint c = 0; c < COLUMN_BLOCKS; c++) {
#pragma unroll
          for (uint b = 0; b < BLOCKS; b++)
            multiply_bytes(sum[b], c == 0 ? start : sum[b], losses[c], one_hot[2 * (b + c)], one_hot[2 * (b + c) + 1]);
          losses[c] = fragment[next * WORDS_OF_SET + c * PTX_WARP + lane];
        }
        int all = -1;
#pragma unroll
        for (uint b = 0; b < BLOCKS; b++) all &= sum[b][0] & sum[b][1] & sum[b][2] & sum[b][3];
        if (all >= 0) {
#pragma unroll
          for (uint b = 0; b < BLOCKS; b++) {
            if ((sum[b][0] & sum[b][1] & sum[b][2] & sum[b][3]) < 0) continue;
#pragma unroll
            for (uint i = 0; i < 4; i++) {
              const uint target = (first_set + before + s) * 16 + i / 2 * 8 + lane / 4;
              const uint letter = place + 8 * b + 2 * (lane % 4) + i % 2;
              if (sum[b][i] >= 0 && letter < own_end && target >= first_target && target < last_target)
                emit((ulong)target << 32 | letter, gathered, state, room, found, keys);
            }
          }
        }
      }
    }
    // Seldom: the warps of a group wait for one another.
    if (repeat % FLUSH_AFTER == FLUSH_AFTER - 1) flush_emitted(gathered, state, room, found, keys);
  }
}

#endif  // GENOCL_PTX
