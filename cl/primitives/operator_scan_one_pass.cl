// Scan and reduction by key with any associative operator in one pass: each element is read once. NVIDIA only, for the
// reason in look_back.clh.
//
// A tile publishes its total. 32 tiles are a block, 32 blocks a superblock. The last tile of a block combines the
// totals of its block, of the blocks before in the superblock, and all before the superblock, and publishes the prefix
// of the next block. The other tiles combine the prefix of their block with the totals of the tiles before them in it.
// Which totals a prefix is made of does not depend on the order in which tiles run, so that floating-point results are
// the same in each run on a device; the look-back of look_back.clh, whose tiles take the nearest complete prefix,
// cannot promise that.
//
// The text in front of this file (src/primitives/operator_scan.cpp) has INPUT_PARAMETERS, VALUE, VALUE_AT(i),
// genocl_operator(a, b), genocl_operator_identity(), VALUE_WORDS (32-bit words of a value, 1 or 2), VALUE_BITS(value),
// BITS_VALUE(bits), and with KEYED also KEY, KEY_WORDS (1, 2 or 4) and DIFFERENT(a, b).
//
// Defines: INCLUSIVE, KEYED, REDUCE (0, 1; REDUCE: one result for each run, needs KEYED and INCLUSIVE), GROUP_SIZE,
// ITEMS (elements of an item in a tile).
#include "common/types.clh"
#include "common/ptx.clh"

#if GENOCL_PTX
#include "primitives/retire.clh"

#if !defined(INCLUSIVE) || !defined(KEYED) || !defined(REDUCE) || !defined(ITEMS)
#error "INCLUSIVE, KEYED, REDUCE and ITEMS come from the host"
#endif
#define WARPS (GROUP_SIZE / PTX_WARP)
#define TILE ((ulong)GROUP_SIZE * ITEMS)
// A slot of padding for each item keeps neighbouring items in different banks.
#define SLOT(i) ((i) + (i) / ITEMS)

#if VALUE_WORDS == 2
#define BITS ulong
#define BITS_UP(bits, distance) \
  ((ulong)ptx_shuffle_up((uint)((bits) >> 32), distance) << 32 | ptx_shuffle_up((uint)(bits), distance))
#define BITS_OF_LANE(bits, lane) \
  ((ulong)ptx_shuffle((uint)((bits) >> 32), lane) << 32 | ptx_shuffle((uint)(bits), lane))
#else
#define BITS uint
#define BITS_UP(bits, distance) ptx_shuffle_up(bits, distance)
#define BITS_OF_LANE(bits, lane) ptx_shuffle(bits, lane)
#endif
#if REDUCE
#define HEADS_UP(heads, distance) \
  ((ulong)ptx_shuffle_up((uint)((heads) >> 32), distance) << 32 | ptx_shuffle_up((uint)(heads), distance))
#define HEADS_OF_LANE(heads, lane) \
  ((ulong)ptx_shuffle((uint)((heads) >> 32), lane) << 32 | ptx_shuffle((uint)(heads), lane))
#else  // a few at most
#define HEADS_UP(heads, distance) ptx_shuffle_up((uint)(heads), distance)
#define HEADS_OF_LANE(heads, lane) ptx_shuffle((uint)(heads), lane)
#endif

#if KEYED
#if KEY_WORDS == 1
#define key_of_lane(key, lane) ((KEY)ptx_shuffle((uint)(key), lane))
#elif KEY_WORDS == 2
INLINED ulong key_of_lane(ulong key, uint lane) {
  return (ulong)ptx_shuffle((uint)(key >> 32), lane) << 32 | ptx_shuffle((uint)key, lane);
}
#else
INLINED uint4 key_of_lane(uint4 key, uint lane) {
  return (uint4)(ptx_shuffle(key.x, lane), ptx_shuffle(key.y, lane), ptx_shuffle(key.z, lane),
                 ptx_shuffle(key.w, lane));
}
#endif
#endif

// Neighbouring elements: `value` combines those from the last first element of a run on; `heads` is the number of first
// elements of runs. Between tiles it is only known whether there is one, except with REDUCE.
typedef struct {
  VALUE value;
  uint heads;
} Part;
typedef struct {
  VALUE value;
  ulong heads;
} Prefix;

#define COMBINE_PARTS(Type, a, b)                                                  \
  const Type both = {                                                              \
      KEYED && (b).heads != 0 ? (b).value : genocl_operator((a).value, (b).value), \
      (a).heads + (b).heads,                                                       \
  };                                                                               \
  return both;

INLINED Part combine_parts(Part a, Part b){COMBINE_PARTS(Part, a, b)} INLINED Prefix
    combine_prefixes(Prefix a, Prefix b){COMBINE_PARTS(Prefix, a, b)}

INLINED Part no_part(void) {
  const Part none = {genocl_operator_identity(), 0};
  return none;
}
INLINED Prefix prefix_of(Part part) {
  const Prefix prefix = {part.value, part.heads};
  return prefix;
}

// Combines the parts of this item and of those before it in the warp.
INLINED Part warp_inclusive_scan(Part part, uint lane) {
#pragma unroll
  for (uint distance = 1; distance < PTX_WARP; distance *= 2) {
    Part below = {BITS_VALUE(BITS_UP(VALUE_BITS(part.value), distance)), 0};
    if (KEYED) below.heads = ptx_shuffle_up(part.heads, distance);
    if (lane >= distance) part = combine_parts(below, part);
  }
  return part;
}

// ---- Published totals ----

#define STATE_WORDS (VALUE_WORDS + REDUCE)
#define PUBLISHED (1ul << 63)
#define HAS_HEAD (1ul << 62)

// Each word is written once and has its own mark, so that no fence is needed.
INLINED void publish(volatile __global ulong* states, ulong at, Prefix total) {
  volatile __global ulong* const state = states + at * STATE_WORDS;
  const ulong marks = PUBLISHED | (total.heads != 0 ? HAS_HEAD : 0);
  const BITS bits = VALUE_BITS(total.value);
  state[0] = marks | (uint)bits;
#if VALUE_WORDS == 2
  state[1] = marks | (bits >> 32);
#endif
#if REDUCE
  state[VALUE_WORDS] = PUBLISHED | total.heads;
#endif
}

// Returns false, and leaves *total alone, if the total is not published yet.
INLINED bool read_total(volatile __global const ulong* states, ulong at, Prefix* total) {
  volatile __global const ulong* const state = states + at * STATE_WORDS;
  const ulong first = state[0];
  ulong all = first;
  BITS bits = (uint)first;
#if VALUE_WORDS == 2
  const ulong second = state[1];
  all &= second;
  bits |= second << 32;
#endif
  ulong heads = (first & HAS_HEAD) != 0;
#if REDUCE
  const ulong third = state[VALUE_WORDS];
  all &= third;
  heads = third & ~PUBLISHED;
#endif
  if ((all & PUBLISHED) == 0) return false;
  total->value = BITS_VALUE(bits);
  total->heads = heads;
  return true;
}

// Called by one whole warp. Waits until totals [first, first + number) are published, number < 32, and the one at
// `prefix` if `has_prefix`; returns their combination in order, in *before with the prefix, in *near without.
INLINED void combine_totals(volatile __global const ulong* states, ulong first, uint number,
                            volatile __global const ulong* prefixes, ulong prefix, bool has_prefix, uint lane,
                            Prefix* near, Prefix* before) {
  const bool is_prefix = lane == PTX_WARP - 1;
  const Prefix none = {genocl_operator_identity(), 0};
  Prefix mine = none;
  bool known = is_prefix ? !has_prefix : lane >= number;
  while (true) {
    if (!known) known = read_total(is_prefix ? prefixes : states, is_prefix ? prefix : first + lane, &mine);
    if (ptx_ballot(known) == 0xffffffffu) break;
    ptx_pause();
  }
  Prefix start = {BITS_VALUE(BITS_OF_LANE(VALUE_BITS(mine.value), PTX_WARP - 1)), 0};
  if (KEYED) start.heads = HEADS_OF_LANE(mine.heads, PTX_WARP - 1);
  Prefix sum = is_prefix ? none : mine;
#pragma unroll
  for (uint distance = 1; distance < PTX_WARP; distance *= 2) {
    Prefix below = {BITS_VALUE(BITS_UP(VALUE_BITS(sum.value), distance)), 0};
    if (KEYED) below.heads = HEADS_UP(sum.heads, distance);
    if (lane >= distance) sum = combine_prefixes(below, sum);
  }
  *near = none;
  if (number != 0) {
    near->value = BITS_VALUE(BITS_OF_LANE(VALUE_BITS(sum.value), number - 1));
    if (KEYED) near->heads = HEADS_OF_LANE(sum.heads, number - 1);
  }
  *before = combine_prefixes(start, *near);
}

// Called by the whole first warp: publishes the tile's total and returns the combination of all elements before it.
INLINED Prefix prefix_of_tile(volatile __global ulong* states, ulong tile, ulong tiles, Part part, uint lane) {
  const ulong block = tile / 32, superblock = block / 32;
  const uint in_block = tile % 32, in_superblock = block % 32;
  volatile __global ulong* const blocks = states + tiles * STATE_WORDS;
  volatile __global ulong* const block_prefixes = blocks + (tiles / 32) * STATE_WORDS;  // of block 1 first
  const Prefix total = prefix_of(part);
  Prefix near, middle, before;
  if (lane == 0) publish(states, tile, total);
  const bool is_last = in_block == 31;
  combine_totals(states, block * 32, in_block, block_prefixes, block - 1, block != 0 && !is_last, lane, &near, &before);
  if (!is_last) return before;
  const Prefix block_total = combine_prefixes(near, total);
  if (lane == 0) publish(blocks, block, block_total);
  // The prefix of the superblock is that of its first block.
  combine_totals(blocks, superblock * 32, in_superblock, block_prefixes, superblock * 32 - 1, superblock != 0, lane,
                 &middle, &before);
  if (lane == 0) publish(block_prefixes, block, combine_prefixes(before, block_total));
  return combine_prefixes(before, near);
}

// ---- The kernel ----

#if KEYED
#define KEYS_PARAMETER __global const KEY *keys,
#else
#define KEYS_PARAMETER
#endif
#define ITEMS_MASK (0xffffffffu >> (32 - ITEMS))
#if ITEMS > 32 || 32 % ITEMS != 0
#error "ITEMS must divide 32"
#endif

#if REDUCE
#define OUTPUT_PARAMETERS \
  __global KEY *unique_keys, ulong keys_capacity, __global VALUE *results, ulong results_count, __global ulong *runs
#else
#define OUTPUT_PARAMETERS __global VALUE *results, ulong results_count
#endif

// `control`, `words`: of retire_group(); all 0 at the start. States are those of the tiles, of the whole blocks, and
// the prefixes of the blocks after them. `results` may be the input: a tile reads its elements before it writes
// results, and no others. They may not be the keys: a tile also reads the last key
// of the tile before.
GROUP_KERNEL void operator_scan_one_pass(INPUT_PARAMETERS KEYS_PARAMETER ulong count, ulong tiles,
                                         volatile __global ulong* control, ulong words, OUTPUT_PARAMETERS) {
  __local VALUE slots[GROUP_SIZE * (ITEMS + 1)];
#if KEYED
  // A bit for each element: 1 for the first one of a run, and for the place after the last element of the input.
  __local uint starts[GROUP_SIZE * ITEMS / 32 + 1];
#endif
#if REDUCE
  __local ushort places[GROUP_SIZE * ITEMS + 1];  // of the last elements of runs, in the tile
#endif
  __local Part warp_totals[WARPS];
  __local Prefix tile_prefix[1];
  __local uint tile_number[1];
  const uint item = get_local_id(0), lane = item % PTX_WARP, warp = item / PTX_WARP;
  if (item == 0) tile_number[0] = atomic_inc((volatile __global uint*)control);
  barrier(CLK_LOCAL_MEM_FENCE);
  const ulong tile = tile_number[0], base = tile * TILE;

  // All loads of a whole tile are on their way before the first value is used. In row k the group loads GROUP_SIZE
  // neighbouring elements.
  const uint size = (uint)min(TILE, count - base);
  if (size == TILE) {
#if KEYED
    KEY key[ITEMS];
    // Lane k: the key before those of the warp in row k.
    const KEY edge = keys[max(base + min(lane, ITEMS - 1u) * GROUP_SIZE + warp * PTX_WARP, 1ul) - 1];
#pragma unroll
    for (uint k = 0; k < ITEMS; k++) key[k] = keys[base + k * GROUP_SIZE + item];
#endif
    VALUE loaded[ITEMS];
#pragma unroll
    for (uint k = 0; k < ITEMS; k++) loaded[k] = VALUE_AT(base + k * GROUP_SIZE + item);
#if KEYED
#pragma unroll
    for (uint k = 0; k < ITEMS; k++) {
      const KEY below = key_of_lane(key[k], (lane + PTX_WARP - 1) % PTX_WARP), first_below = key_of_lane(edge, k);
      const KEY previous = lane == 0 ? first_below : below;
      (void)previous;  // if keys are marks of first elements
      const uint votes = ptx_ballot(base + k + item == 0 || DIFFERENT(key[k], previous));
      if (lane == 0) starts[k * WARPS + warp] = votes;
    }
#endif
#pragma unroll
    for (uint k = 0; k < ITEMS; k++) slots[SLOT(k * GROUP_SIZE + item)] = loaded[k];
  } else {
    for (uint place = item; place < TILE; place += GROUP_SIZE) {
      const ulong at = base + place;
      slots[SLOT(place)] = place < size ? VALUE_AT(at) : genocl_operator_identity();
#if KEYED
      const bool head = place < size && (at == 0 || DIFFERENT(keys[at], keys[at - 1]));
      const uint votes = ptx_ballot(head || place == size);
      if (lane == 0) starts[place / 32] = votes;
#endif
    }
  }
#if REDUCE
  if (item == 0) {
    const ulong next = base + TILE;
    starts[TILE / 32] = next < count ? DIFFERENT(keys[next], keys[next - 1]) : size == TILE;
  }
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint own = item * ITEMS;
  uint heads = 0;  // one bit for each element of the item
#if KEYED
  const uint bits = starts[own / 32] >> own % 32 & ITEMS_MASK;
  heads = size >= own + ITEMS ? bits : size > own ? bits & ((1u << (size - own)) - 1) : 0;
#endif
#if REDUCE
  const uint lasts = bits >> 1 | (starts[(own + ITEMS) / 32] >> (own + ITEMS) % 32 & 1) << (ITEMS - 1);
#endif
  VALUE mine[ITEMS];
  Part part = no_part();
#pragma unroll
  for (uint k = 0; k < ITEMS; k++) {
    mine[k] = slots[SLOT(own + k)];
    const Part element = {mine[k], heads >> k & 1};
    part = k == 0 ? element : combine_parts(part, element);
  }

  const Part up_to = warp_inclusive_scan(part, lane);
  if (lane == PTX_WARP - 1) warp_totals[warp] = up_to;
  Part before = {BITS_VALUE(BITS_UP(VALUE_BITS(up_to.value), 1)), 0};
  if (KEYED) before.heads = ptx_shuffle_up(up_to.heads, 1);
  if (lane == 0) before = no_part();
  barrier(CLK_LOCAL_MEM_FENCE);
  Part warps_before = no_part(), total = no_part();
#pragma unroll
  for (uint w = 0; w < WARPS; w++) {
    if (w == warp) warps_before = total;
    total = combine_parts(total, warp_totals[w]);
  }
  if (warp == 0) {
    const Prefix found = prefix_of_tile(control + 2, tile, tiles, total, lane);
    if (lane == 0) tile_prefix[0] = found;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const Prefix prefix = tile_prefix[0], reached_before = prefix_of(combine_parts(warps_before, before));
  VALUE running = combine_prefixes(prefix, reached_before).value;
#if REDUCE
  uint run = (uint)reached_before.heads;  // run 0 began before the tile
#endif

#pragma unroll
  for (uint k = 0; k < ITEMS; k++) {
    const bool head = (heads >> k & 1) != 0;
    const VALUE reached = KEYED && head ? mine[k] : genocl_operator(running, mine[k]);
#if REDUCE
    run += head;
    if ((lasts >> k & 1) != 0) {
      places[run] = (ushort)(own + k);
      slots[run] = reached;
    }
#else
    const VALUE start = KEYED && head ? genocl_operator_identity() : running;
    slots[SLOT(own + k)] = INCLUSIVE ? reached : start;
#endif
    running = reached;
  }
#if REDUCE
  if (tile == tiles - 1 && item == GROUP_SIZE - 1) runs[0] = prefix.heads + run;
  // A run that the tile does not end belongs to a later tile.
  const uint first_run = size != 0 ? starts[0] & 1 : 0;
  const uint end_run = total.heads + (size != 0 ? starts[size / 32] >> size % 32 & 1 : 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = first_run + item; k < end_run; k += GROUP_SIZE) {
    const ulong to = prefix.heads + k - 1;
    if (to < keys_capacity) unique_keys[to] = keys[base + places[k]];
    if (to < results_count) results[to] = slots[k];
  }
#else
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint k = 0; k < ITEMS; k++) {
    const uint place = k * GROUP_SIZE + item;
    if (base + place < count) results[base + place] = slots[SLOT(place)];
  }
  // The total after the last element, if `results` has a place for it.
  if (tile == tiles - 1 && item == GROUP_SIZE - 1 && results_count > count) results[count] = running;
#endif
  if (warp == 0) retire_group(control, words, lane);
}

#endif  // GENOCL_PTX
