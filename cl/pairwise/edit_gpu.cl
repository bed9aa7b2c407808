// Edit distances on a GPU: a team of TEAM lanes shares a pair. Each lane holds WORDS words of 32 rows in registers and
// computes a column one step after the lane above it, which passes on whether D rises or falls below its last row.
// Queries of more than TEAM * WORDS words are computed in strips; the border between strips is in global memory.
#include "pairwise/edit.clh"
#include "common/ptx.clh"

#ifndef TEAM
#error "TEAM comes from the host"
#endif
#ifndef WORDS
#error "WORDS comes from the host"
#endif
#define LANE_ROWS (32 * WORDS)
#define STRIP_ROWS (TEAM * LANE_ROWS)
#define TEAMS (GROUP_SIZE / TEAM)

// Values pass between the lanes of a warp by shuffles, otherwise through local memory. A team of one lane passes none.
#if GENOCL_PTX && GROUP_SIZE % 32 == 0
#define BY_SHUFFLE 1
#else
#define BY_SHUFFLE 0
#endif

// A value passed on for a column. Bit 0: D rises from the column before; bit 1: it falls.
#define RISES 1u
#define FALLS 2u

typedef struct {
  uint planes[PLANES][WORDS], vp[WORDS], vn[WORDS];
} Rows;

// Computes a column of the lane's rows. Returns the value to pass on. `change` receives the change of D at bit
// `last_bit` of the word `last_word`.
INLINED uint compute_column(Rows* rows, uint letter, uint from_above, uint last_word, uint last_bit, int* change) {
  uint mask[PLANES];
#pragma unroll
  for (uint p = 0; p < PLANES; p++) mask[p] = 0u - (letter >> p & 1u);
  uint rises_in = from_above & RISES, falls_in = from_above >> 1;
#pragma unroll
  for (uint w = 0; w < WORDS; w++) {
    uint differs = 0;
#pragma unroll
    for (uint p = 0; p < PLANES; p++) differs |= rows->planes[p][w] ^ mask[p];
    const uint equal = ~differs | falls_in, vp = rows->vp[w], vn = rows->vn[w];
    const uint same = MYERS_SAME(equal, vp, vn);
    const uint rises = MYERS_RISES(same, vp, vn), falls = MYERS_FALLS(same, vp);
#if FREE_END
    if (w == last_word) *change = (int)(rises >> last_bit & 1u) - (int)(falls >> last_bit & 1u);
#endif
    const uint shifted_rises = rises << 1 | rises_in, shifted_falls = falls << 1 | falls_in;
    rises_in = rises >> 31;
    falls_in = falls >> 31;
    rows->vp[w] = MYERS_VP(same, shifted_rises, shifted_falls);
    rows->vn[w] = MYERS_VN(same, shifted_rises);
  }
  (void)last_word;
  (void)last_bit;
  (void)change;
  return rises_in | falls_in << 1;
}

// Computes pairs [first, end), those of a group of similar size. borders: a byte for each column from
// border_begin[pair] on, for pairs of more than one strip.
GROUP_KERNEL void edit_gpu(__global const uchar* letters, __global const EditPair* pairs, uint first, uint end,
                           __global uchar* borders, __global const uint* border_begin, __global uint* distances) {
  __local uint passed[2 * GROUP_SIZE];
  __local uint sizes[TEAMS][2];
  const uint item = (uint)get_local_id(0), lane = item % TEAM, team = item / TEAM;
  const uint number = first + (uint)get_group_id(0) * TEAMS + team;
  const EditPair pair = pairs[min(number, end - 1)];
  const uint columns = PAIR_COLUMNS(pair);
  __global const uchar* query = letters + PAIR_QUERY(pair);
  __global const uchar* subject = letters + PAIR_SUBJECT(pair);
  __global uchar* border = borders + border_begin[min(number, end - 1)];
  const uint last_strip = (PAIR_ROWS(pair) - 1) / STRIP_ROWS;
  const uint last_row = (PAIR_ROWS(pair) - 1) % STRIP_ROWS;
  // The teams of a group run the same number of steps: barriers are uniform.
  if (lane == 0) {
    sizes[team][0] = last_strip;
    sizes[team][1] = columns;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint strips = 0, steps = 0;
  for (uint t = 0; t < TEAMS; t++) {
    strips = max(strips, sizes[t][0] + 1);
    steps = max(steps, sizes[t][1] + TEAM - 1);
  }
  int sum = 0;                                     // of the differences of the rows in the last column
  int below = (int)PAIR_ROWS(pair), best = below;  // D below the last row
  (void)best;
  for (uint strip = 0; strip < strips; strip++) {
    const int has_strip = number < end && strip <= last_strip;
    const uint first_row = strip * STRIP_ROWS + lane * LANE_ROWS;
    const int has_last = strip == last_strip && lane == last_row / LANE_ROWS;
    Rows rows;
#pragma unroll
    for (uint w = 0; w < WORDS; w++) {
#pragma unroll
      for (uint p = 0; p < PLANES; p++) rows.planes[p][w] = 0;
      for (uint r = 0; r < 32; r++) {
        const uint row = first_row + w * 32 + r;
        const uint letter = row < PAIR_ROWS(pair) ? query[row] : 0;
#pragma unroll
        for (uint p = 0; p < PLANES; p++) rows.planes[p][w] |= (letter >> p & 1u) << r;
      }
      rows.vp[w] = ~0u;
      rows.vn[w] = 0;
    }
    const uint into_first = FREE_BEGIN ? 0 : RISES;
    uint handed = 0;
    uint next_letter = subject[0], next_border = has_strip && strip > 0 ? border[0] : into_first;
    for (uint step = 0; step < steps; step++) {
      const uint column = step - lane;  // wraps around before the first one
#if BY_SHUFFLE
      uint from_above = TEAM > 1 ? ptx_shuffle_up(handed, 1) : 0;
#else
      uint from_above = TEAM > 1 && lane > 0 ? passed[((step & 1) ^ 1) * GROUP_SIZE + item - 1] : 0;
#endif
      if (lane == 0) from_above = next_border;
      if (has_strip && column < columns) {
        const uint letter = next_letter;
        const uint next = min(column + 1, columns - 1);
        next_letter = subject[next];
        if (lane == 0 && strip > 0) next_border = border[next];
        int change = 0;
        handed = compute_column(&rows, letter, from_above, has_last ? last_row % LANE_ROWS / 32 : WORDS, last_row % 32,
                                &change);
#if FREE_END
        below += change;
        best = min(best, below);
#endif
        if (lane == TEAM - 1 && strip < last_strip) border[column] = (uchar)handed;
      }
#if !BY_SHUFFLE
      if (TEAM > 1) {
        passed[(step & 1) * GROUP_SIZE + item] = handed;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
#endif
    }
    // The next strip begins with this border.
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (has_strip)
#pragma unroll
      for (uint w = 0; w < WORDS; w++) {
        const uint row = first_row + w * 32;
        const uint left = PAIR_ROWS(pair) - min(row, PAIR_ROWS(pair));
        const uint inside = left >= 32 ? ~0u : (1u << left) - 1;
        sum += (int)popcount(rows.vp[w] & inside) - (int)popcount(rows.vn[w] & inside);
      }
#if FREE_END
    if (has_last && number < end) distances[number] = (uint)best;
#endif
  }
  passed[item] = (uint)sum;
  barrier(CLK_LOCAL_MEM_FENCE);
#if !FREE_END
  if (lane == 0 && number < end) {
    uint distance = FREE_BEGIN ? 0 : columns;
    for (uint l = 0; l < TEAM; l++) distance += passed[item + l];
    distances[number] = distance;
  }
#endif
}
