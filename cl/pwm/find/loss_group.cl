// `loss` on GPUs: tables of 4-mers in local memory whose entries hold 16 bytes, one for each of TARGETS targets at each
// of SHIFTS places next to one another (TARGETS * SHIFTS = 16), so that TABLES look-ups of 16 bytes and as many vector
// additions score 16 words. Bytes never carry, and bit 7 of a sum is clear for a candidate
// (src/pwm/find/loss_bytes.hpp).
//
// A group has the tables of SETS sets of targets, and goes through ROUNDS * GROUP_SIZE items of text, each SHIFTS
// places.
#include "common/types.clh"
#include "pwm/find/emit.clh"
#include "pwm/scan/letters.clh"

#ifndef TABLES
#define TABLES 3
#endif
#if TABLES > 9
#error "an item looks at 36 letters"
#endif
#ifndef SHIFTS
#define SHIFTS 1
#endif
#ifndef SETS
#define SETS 3
#endif
#ifndef ROUNDS
#define ROUNDS 16
#endif

#define TARGETS (16 / SHIFTS)
#define WORDS_OF_SET (TABLES * 256)
#define BIT_7 0x80808080u
// Candidates of so many rounds are gathered before they are written.
#define ROUNDS_OF_FLUSH 16

// Items [first_item, first_item + items) of the text; sets [first_set, first_set + sets) of those whose tables are in
// `tables`, the first one of which is `tables_from`. Only targets of [first_target, last_target) and letters of
// [own_begin, own_end) are written. offset[target]: how many letters before the place looked at its words begin.
GROUP_KERNEL void loss_group(__global const ulong* words, uint first_item, uint items, uint own_begin, uint own_end,
                             __global const uint4* tables, uint tables_from, uint first_set, uint sets,
                             __global const uint* offset, uint first_target, uint last_target, uint room,
                             volatile __global uint* found, __global ulong* keys) {
  __local uint4 table[SETS * WORDS_OF_SET];
  __local ulong gathered[EMIT_ROOM];
  __local uint state[EMIT_STATE];
  const uint local_item = (uint)get_local_id(0);
  const uint before = (uint)get_group_id(1) * SETS;
  const uint own_sets = min((uint)SETS, sets - before);
  for (uint i = local_item; i < own_sets * WORDS_OF_SET; i += GROUP_SIZE)
    table[i] = tables[(ulong)(first_set - tables_from + before) * WORDS_OF_SET + i];
  if (local_item == 0) state[EMITTED] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  const uint first_of_group = (uint)get_group_id(0) * (ROUNDS * GROUP_SIZE);
  for (uint part = 0; part < ROUNDS / ROUNDS_OF_FLUSH; part++) {
    for (uint round = 0; round < ROUNDS_OF_FLUSH; round++) {
      const uint item = first_of_group + (part * ROUNDS_OF_FLUSH + round) * GROUP_SIZE + local_item;
      if (item < items) {
        const uint place = (first_item + item) * SHIFTS;
        const ulong letters = letters_at(words, place);
        uint entry[TABLES];
#pragma unroll
        for (uint t = 0; t < (TABLES < 8 ? TABLES : 8); t++)
          entry[t] = t * 256 + ((uint)(letters >> (56 - 8 * t)) & 255);
#if TABLES > 8
        entry[8] = 8 * 256 + (uint)(letters_at(words, place + 32) >> 56);
#endif
        for (uint s = 0; s < own_sets; s++) {
          __local const uint4* of_set = table + s * WORDS_OF_SET;
          uint4 sum = of_set[entry[0]];
#pragma unroll
          for (uint t = 1; t < TABLES; t++) sum += of_set[entry[t]];
          if ((sum.x & sum.y & sum.z & sum.w & BIT_7) != BIT_7) {
            const uint sums[4] = {sum.x, sum.y, sum.z, sum.w};
#pragma unroll
            for (uint k = 0; k < 4; k++) {
              for (uint clear = ~sums[k] & BIT_7; clear != 0; clear &= clear - 1) {
                const uint lane = 4 * k + (31 - clz(clear & (0 - clear))) / 8;
                const uint target = (first_set + before + s) * TARGETS + lane % TARGETS;
                // Wraps round, to something large, before the first letter.
                const uint letter = place + lane / TARGETS - offset[target];
                if (target >= first_target && target < last_target && letter >= own_begin && letter < own_end)
                  emit((ulong)target << 32 | letter, gathered, state, room, found, keys);
              }
            }
          }
        }
      }
    }
    flush_emitted(gathered, state, room, found, keys);
  }
}
