// A radix sort that reads and writes the items once in each pass (Adinets and Merrill, "Onesweep", 2022): a tile
// computes the number of items with each digit in the tiles before it by looking back at what those have published
// (Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016).
//
// A tile waits for tiles that started earlier. OpenCL 1.2 does not promise that those make progress; NVIDIA's GPUs do
// it, which is why this runs behind GENOCL_PTX only. Tiles take their numbers from a counter in the order in which they
// start.
//
// Fewer than 2^30 items: a state is one word, two bits of flag above thirty bits of count, and is read and written
// whole.
//
// `control` holds the counter of each pass, the digits' histogram for each pass, and the states of the tiles; all zero
// at first.
//
// Defines besides those of radix_sort_tile.clh: CONTROL_STATES (where the states begin), WINDOW (states read at once).
#include "primitives/radix_sort_tile.clh"

#ifndef CONTROL_STATES
#error "CONTROL_STATES comes from the host"
#endif
#ifndef WINDOW
#error "WINDOW comes from the host"
#endif

#define STATE_COUNT 0x3fffffffu
#define STATE_EMPTY 0u
#define STATE_TILE 1u    // the tile's own number
#define STATE_PREFIX 2u  // the number in it and all tiles before it
#define STATE_FLAG(flag) ((uint)(flag) << 30)

// How many items with the digit lie before the tile. `flip` is set in every other pass: all states end a pass as
// STATE_PREFIX, which with the top bit turned over is STATE_EMPTY, so that one clearing serves all passes.
INLINED uint look_back(const volatile __global uint* states, uint tile, uint digit, uint flip) {
  uint before = 0;
  int next = (int)tile - 1;
  while (next >= 0) {
    uint seen[WINDOW];
#pragma unroll
    for (int k = 0; k < WINDOW; k++)
      seen[k] = next - k >= 0 ? states[(uint)(next - k) * DIGITS + digit] ^ flip : STATE_FLAG(STATE_PREFIX);
#pragma unroll
    for (int k = 0; k < WINDOW; k++) {
      const uint flag = seen[k] >> 30;
      if (next < 0) continue;  // an earlier one held the prefix
      if (flag == STATE_EMPTY) break;
      before += seen[k] & STATE_COUNT;
      next = flag == STATE_PREFIX ? -1 : next - 1;
    }
  }
  return before;
}

TILE_KERNEL void onesweep_scatter(const __global STORED* keys_in, const __global VALUE* values_in,
                                  __global STORED* keys_out, __global VALUE* values_out, uint count, uint shift,
                                  uint shift_again, uint mask, uint pass, volatile __global uint* control,
                                  uint histogram_at) {
  __local ulong store[STORE_WORDS];
  __local uint first_of[DIGITS];
  __local uint scan[SCAN_WORDS];
  __local uint taken[1];
  const uint item = get_local_id(0);
  if (item == 0) taken[0] = atomic_inc(control + pass);
  clear_ranking(store, item);
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint tile = taken[0], base = tile * TILE;
  if (base >= count) return;
  const uint valid = min((uint)TILE, count - base);
  const uint first = item / WARP * (WARP * ITEMS) + item % WARP;
  volatile __global uint* states = control + CONTROL_STATES;
  const uint flip = (pass & 1) << 31;

  KEY keys[ITEMS];
  uint places[ITEMS / 2];
  load_keys(keys, keys_in + base, first, valid);
  rank_keys(keys, shift, mask, item, store, places);
  barrier(CLK_LOCAL_MEM_FENCE);

  uint total = 0;
  if (item < DIGITS) {
    total = count_digit(store, item);
    // Those behind wait for this: before anything else.
    if (tile != 0) states[tile * DIGITS + item] = (STATE_FLAG(STATE_TILE) | total) ^ flip;
  }
  const uint start = scan_digits(total, item, scan);
  if (item < DIGITS) place_warps(store, item, start);
  barrier(CLK_LOCAL_MEM_FENCE);
  place_items(keys, shift_again, mask, item, store, places);
  barrier(CLK_LOCAL_MEM_FENCE);
  store_keys(keys, places, store);
  VALUE values[ITEMS];
#if HAS_VALUES
  load_values(values, values_in + base, first, valid);
#endif

  // Only tile 0 needs the sum, but all compute it: PoCL gets a barrier inside a condition wrong, however uniform.
  uint before = scan_digits(tile == 0 && item < DIGITS ? control[histogram_at + item] : 0, item, scan);
  if (tile != 0 && item < DIGITS) before = look_back(states, tile, item, flip);
  if (item < DIGITS) {
    states[tile * DIGITS + item] = (STATE_FLAG(STATE_PREFIX) | (before + total)) ^ flip;
    first_of[item] = before - start;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  write_tile(store, first_of, places, values, shift, mask, item, valid, keys_out, values_out);
}
