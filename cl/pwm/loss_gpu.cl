// `loss` on GPUs: tables of 3-mers and 2-mers in local memory. An entry has a byte for each of several targets at
// each of SHIFTS neighbouring places, so that one look-up for each table, and vector additions, score all of these
// words. Bytes never carry, and bit 7 of a sum is clear for a candidate (src/pwm/finders.hpp).
//
// Local memory delivers 128 bytes at a time if neighbouring items read neighbouring bytes, and a fraction of that if
// they read scattered entries. So an entry is a row of 128 bytes, each of UNITS items reads its own unit of it, and
// reads of items do not conflict: SETS sets of targets are side by side, and SETS items process the same place; if
// there are fewer sets than units, each set is repeated.
//
// A group has the tables of one row of sets, and processes ROUNDS times its number of items of text, each of them
// STEPS * SHIFTS places.
#include "common/types.clh"
#include "pwm/keep_candidate.clh"

// Output of the candidates of a work-group: gathered in local memory, so that a group claims memory for many of them
// at a time.

// Keys in local memory, few so that tables have more of it; further keys go directly to global memory.
#define EMIT_CAPACITY 512

// State of a group in local memory: the number of its keys, and their place in global memory.
#define EMITTED 0
#define EMIT_TO 1
#define EMIT_STATE 2

INLINED void emit(ulong key, __local ulong* gathered, volatile __local uint* state, uint capacity,
                  volatile __global uint* found, __global ulong* keys) {
  const uint own = atomic_inc(state + EMITTED);
  if (own < EMIT_CAPACITY)
    gathered[own] = key;
  else
    keep_candidate(key, capacity, found, keys);
}

// By all items of the group.
INLINED void flush_emitted(__local ulong* gathered, volatile __local uint* state, uint capacity,
                           volatile __global uint* found, __global ulong* keys) {
  const uint item = (uint)get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint count = min(state[EMITTED], (uint)EMIT_CAPACITY);
  if (item == 0) {
    const uint to = count != 0 ? atomic_add(found, count) : 0;
    if (to >= COUNTED_CANDIDATES) atomic_sub(found, count);
    state[EMIT_TO] = to;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint to = state[EMIT_TO];
  for (uint i = item; i < count && to < capacity && i < capacity - to; i += GROUP_SIZE) keys[to + i] = gathered[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) state[EMITTED] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
}

// Letters at two bits each, 32 to a word, the first in the highest bits.

static inline ulong letters_at(__global const ulong* words, uint place) {
  __global const ulong* word = words + place / 32;
  const uint shift = 2 * (place % 32);
  // Twice by half of it: a shift by 64 is none.
  return word[0] << shift | word[1] >> (32 - shift / 2) >> (32 - shift / 2);
}

// Tables of three letters, and of two letters behind them.
#ifndef THREES
#error "THREES comes from the host"
#endif
#ifndef TWOS
#error "TWOS comes from the host"
#endif
// Of 4 bytes, an item's unit: 2 or 4.
#ifndef WORDS
#error "WORDS comes from the host"
#endif
#ifndef SHIFTS
#error "SHIFTS comes from the host"
#endif
#ifndef SETS
#error "SETS comes from the host"
#endif
#ifndef STEPS
#error "STEPS comes from the host"
#endif
#ifndef ROUNDS
#error "ROUNDS comes from the host"
#endif

#define ROW_BYTES 128
#define UNITS (ROW_BYTES / (4 * WORDS))
#define LANES (4 * WORDS)
#define TARGETS (LANES / SHIFTS)
#define TABLES (THREES + TWOS)
#define ENTRIES (64 * THREES + 16 * TWOS)
#define BIT_7 0x80808080u
// Number of rounds whose candidates are gathered before they are written.
#define ROUNDS_OF_FLUSH 8

#if WORDS == 4
typedef uint4 unit_t;
#define ALL_OF(sum) ((sum).x & (sum).y & (sum).z & (sum).w)
#else
typedef uint2 unit_t;
#define ALL_OF(sum) ((sum).x & (sum).y)
#endif

// Letters that an item looks at; `more` holds those from letter 24 on, where a word of 32 is too short.
#define REACH ((STEPS - 1) * SHIFTS + 3 * THREES + 2 * TWOS)
#define MORE_FROM 24
#if REACH > 32 + MORE_FROM
#error "an item looks at 56 letters"
#endif

// Where in its table the row of letters [at, at + count) begins, in bytes; at and count are known to the compiler.
INLINED uint row_of(ulong letters, ulong more, const uint at, const uint count) {
  const ulong from = at + count <= 32 ? letters : more;
  const uint below = 64 - 2 * (at + count <= 32 ? at : at - MORE_FROM) - 2 * count;
  const uint mask = ((1u << 2 * count) - 1) * ROW_BYTES;
  return (below >= 7 ? (uint)(from >> (below >= 7 ? below - 7 : 0)) : (uint)(from << (below < 7 ? 7 - below : 0))) &
         mask;
}

INLINED unit_t unit_at(__local const unit_t* table, uint byte) {
  return *(__local const unit_t*)((__local const uchar*)table + byte);
}

// Items [first_item, first_item + items) of the text; rows from first_row on, one for each group of the second
// dimension. `tables` has the tables of rows from `tables_from` on. Only targets of [first_target, last_target) and
// letters of [own_begin, own_end) are written. offset[target]: distance from the begin of its words to the evaluated
// place.
GROUP_KERNEL void loss_gpu(__global const ulong* words, uint first_item, uint items, uint own_begin, uint own_end,
                           __global const unit_t* tables, uint tables_from, uint first_row, __global const uint* offset,
                           uint first_target, uint last_target, uint capacity, volatile __global uint* found,
                           __global ulong* keys) {
  __local unit_t table[ENTRIES * UNITS];
  __local ulong gathered[EMIT_CAPACITY];
  __local uint state[EMIT_STATE];
  const uint local_item = (uint)get_local_id(0);
  const uint row = first_row + (uint)get_group_id(1);
  __global const unit_t* own_tables = tables + (ulong)(row - tables_from) * (ENTRIES * SETS);
  for (uint i = local_item; i < ENTRIES * UNITS; i += GROUP_SIZE) table[i] = own_tables[i / UNITS * SETS + i % SETS];
  if (local_item == 0) state[EMITTED] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  const uint own_bytes = local_item % UNITS * sizeof(unit_t);
  const uint first_target_here = (row * SETS + local_item % SETS) * TARGETS;
  const uint items_of_round = GROUP_SIZE / SETS;
  const uint first_of_group = (uint)get_group_id(0) * (ROUNDS * items_of_round);
  for (uint part = 0; part < ROUNDS / ROUNDS_OF_FLUSH; part++) {
    for (uint round = 0; round < ROUNDS_OF_FLUSH; round++) {
      const uint item = first_of_group + (part * ROUNDS_OF_FLUSH + round) * items_of_round + local_item / SETS;
      if (item < items) {
        const uint first_place = (first_item + item) * (STEPS * SHIFTS);
        const ulong letters = letters_at(words, first_place);
#if REACH > 32
        const ulong more = letters_at(words, first_place + MORE_FROM);
#else
        const ulong more = 0;
#endif
#pragma unroll
        for (uint step = 0; step < STEPS; step++) {
          unit_t sum = 0;
#pragma unroll
          for (uint t = 0; t < THREES; t++)
            sum += unit_at(table, t * (64 * ROW_BYTES) + (row_of(letters, more, step * SHIFTS + 3 * t, 3) | own_bytes));
#pragma unroll
          for (uint t = 0; t < TWOS; t++)
            sum += unit_at(table, (64 * THREES + 16 * t) * ROW_BYTES +
                                      (row_of(letters, more, step * SHIFTS + 3 * THREES + 2 * t, 2) | own_bytes));
          if ((ALL_OF(sum) & BIT_7) != BIT_7) {
#if WORDS == 4
            const uint sums[WORDS] = {sum.x, sum.y, sum.z, sum.w};
#else
            const uint sums[WORDS] = {sum.x, sum.y};
#endif
#pragma unroll
            for (uint k = 0; k < WORDS; k++) {
              for (uint clear = ~sums[k] & BIT_7; clear != 0; clear &= clear - 1) {
                const uint lane = 4 * k + (31 - clz(clear & (0 - clear))) / 8;
                const uint target = first_target_here + lane % TARGETS;
                // Wraps round, to something large, before the first letter.
                const uint letter = first_place + step * SHIFTS + lane / TARGETS - offset[target];
                if (target >= first_target && target < last_target && letter >= own_begin && letter < own_end)
                  emit((ulong)target << 32 | letter, gathered, state, capacity, found, keys);
              }
            }
          }
        }
      }
    }
    flush_emitted(gathered, state, capacity, found, keys);
  }
}
