// The best scores of each query: its top-th best score by radix selection, eight bits at a time from the highest, then
// compaction of what is not below. scores[query * count + subject], none negative.
#include "common/items.clh"

#ifndef DIGITS
#error "DIGITS comes from the host"
#endif
// Scores that a worker or a group counts at a time, and that an item goes through for the compaction.
#ifndef PIECE
#error "PIECE comes from the host"
#endif
#ifndef TILE
#error "TILE comes from the host"
#endif

// Whether a score agrees with what is known of the one that is looked for: its bits above `shift` + 8.
static inline bool agrees(uint score, uint prefix, uint shift) { return shift == 24 || score >> (shift + 8) == prefix; }

// histogram[query][digit] += of the scores that agree; pieces: of each query. Most scores are small, so their upper
// digits are 0: those are counted aside.
#ifndef ONLY_GROUP
WORKER_KERNEL void count_digits_lanes(__global const uint* scores, __global const uint* prefix, uint count, uint pieces,
                                      ulong units, uint shift, __global uint* histogram, ulong share) {
  for (ulong unit = WORKER_FIRST(units, share); unit < WORKER_LAST(units, share); unit++) {
    const uint query = (uint)(unit / pieces), first = (uint)(unit % pieces) * PIECE;
    const uint last = min(count - first, (uint)PIECE) + first, known = prefix[query];
    __global const uint* const own = scores + (ulong)query * count;
    uint digits[DIGITS];
    for (uint digit = 0; digit < DIGITS; digit++) digits[digit] = 0;
    uint zeros = 0;
    for (uint i = first; i < last; i++) {
      const uint score = own[i], digit = score >> shift & (DIGITS - 1);
      if (!agrees(score, known, shift)) continue;
      if (digit == 0)
        zeros++;
      else
        digits[digit]++;
    }
    digits[0] = zeros;
    for (uint digit = 0; digit < DIGITS; digit++)
      if (digits[digit] != 0) atomic_add(histogram + (ulong)query * DIGITS + digit, digits[digit]);
  }
}
#endif

#ifndef ONLY_LANES
// One group for each piece.
GROUP_KERNEL void count_digits_group(__global const uint* scores, __global const uint* prefix, uint count, uint pieces,
                                     uint shift, __global uint* histogram) {
  __local uint digits[DIGITS];
  const ulong unit = get_group_id(0);
  const uint query = (uint)(unit / pieces), first = (uint)(unit % pieces) * PIECE;
  const uint last = min(count - first, (uint)PIECE) + first, known = prefix[query];
  __global const uint* const own = scores + (ulong)query * count;
  for (uint digit = get_local_id(0); digit < DIGITS; digit += GROUP_SIZE) digits[digit] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint zeros = 0;
  for (uint i = first + get_local_id(0); i < last; i += GROUP_SIZE) {
    const uint score = own[i], digit = score >> shift & (DIGITS - 1);
    if (!agrees(score, known, shift)) continue;
    if (digit == 0)
      zeros++;
    else
      atomic_inc(digits + digit);
  }
  if (zeros != 0) atomic_add(digits, zeros);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint digit = get_local_id(0); digit < DIGITS; digit += GROUP_SIZE)
    if (digits[digit] != 0) atomic_add(histogram + (ulong)query * DIGITS + digit, digits[digit]);
}
#endif

// The next digit of the score that is looked for: `wanted` as many agree with it or are higher. Leaves the histogram
// empty.
ITEM_KERNEL void pick_digit(__global uint* histogram, __global uint* prefix, __global uint* wanted, uint queries,
                            ulong share) {
  FOR_EACH_ITEM(query, queries, share) {
    __global uint* const digits = histogram + query * DIGITS;
    uint left = wanted[query], picked = 0;
    bool found = false;
    for (uint digit = DIGITS; digit-- > 0;) {
      const uint here = digits[digit];
      digits[digit] = 0;
      if (found) continue;
      found = here >= left;
      picked = digit;
      if (!found) left -= here;
    }
    prefix[query] = prefix[query] << 8 | picked;
    wanted[query] = left;
  }
}

// chosen[tile]: how many scores of the tile are neither below the query's prefix, now whole, nor below its cutoff.
ITEM_KERNEL void count_chosen(__global const int* scores, __global const uint* prefix, __global const int* cutoff,
                              uint count, uint tiles_of_query, ulong tiles, __global uint* chosen, ulong share) {
  FOR_EACH_ITEM(tile, tiles, share) {
    const uint query = (uint)(tile / tiles_of_query), first = (uint)(tile % tiles_of_query) * TILE;
    const uint size = min(count - first, (uint)TILE);
    __global const int* const own = scores + (ulong)query * count + first;
    const int least = max((int)prefix[query], cutoff[query]);
    uint sum = 0;
    for (uint i = 0; i < size; i++) sum += own[i] >= least ? 1 : 0;
    chosen[tile] = sum;
  }
}

// candidates: subject and score, by query and subject; begin[query]: the first one of the query.
ITEM_KERNEL void write_chosen(__global const int* scores, __global const uint* prefix, __global const int* cutoff,
                              uint count, uint tiles_of_query, ulong tiles, __global const ulong* offset,
                              __global int2* candidates, __global ulong* begin, ulong share) {
  FOR_EACH_ITEM(tile, tiles, share) {
    const uint query = (uint)(tile / tiles_of_query), first = (uint)(tile % tiles_of_query) * TILE;
    const uint size = min(count - first, (uint)TILE);
    __global const int* const own = scores + (ulong)query * count + first;
    const int least = max((int)prefix[query], cutoff[query]);
    ulong to = offset[tile];
    if (first == 0) begin[query] = to;
    if (offset[tile + 1] == to) continue;
    for (uint i = 0; i < size; i++)
      if (own[i] >= least) candidates[to++] = (int2)((int)(first + i), own[i]);
  }
}
