// Joins all lists of hits of two collections at once, one length of overlap after the other: the beginnings of the
// words of one collection go into a table by their letters, and the ends of the words of the other are looked up
// there. The work is that of the words that meet, whatever the number of pairs.
//
// Lists come in pairs, of a matrix (2 k) and of its reverse complement (2 k + 1), and have the same length. A run:
// consecutive words of a list that begin with the same letters; beginnings[run]: its first word (hit_lists.cl). A
// cell of `low` and `high`: row, of a matrix of the first collection, times `columns`, and a list of the second.
#include "common/items.clh"
#include "pwm/add_wide.clh"

#ifndef WEIGHTED
#define WEIGHTED 0  // 1: by the letters' frequencies, in double; 0: words are counted
#endif
#ifndef DIRECT
#define DIRECT 1  // 1: the table has a bucket for each word; 0: keys are hashed
#endif
#ifndef ROWS_LOOK_UP
#define ROWS_LOOK_UP 1  // 1: the table is of the second collection; 0: of the first
#endif

#if WEIGHTED
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define WEIGHT double
#else
#define WEIGHT uint
#endif

static inline uint bucket_of(ulong key, uint bits) {
#if DIRECT
  return (uint)key;
#else
  return (uint)((key * 0x9E3779B97F4A7C15ul) >> (64 - bits));
#endif
}

static inline ulong reverse_complement(ulong word, uint letters) {
  ulong turned = 0;
  for (uint i = 0; i < letters; i++, word >>= 2) turned = turned << 2 | (3 - (word & 3));
  return turned;
}

// sums[word + list]: the probability of the list's words before it; a list of n words has n + 1 of them.
#if WEIGHTED
#define WEIGHT_OF(begin, end, list) (sums[(end) + (list)] - sums[(begin) + (list)])
#define SUMS __global const double *sums,
static inline double probability(ulong word, uint letters, __global const double* frequencies) {
  double p = 1;
  for (uint i = 0; i < letters; i++, word >>= 2) p *= frequencies[word & 3];
  return p;
}
#else
#define WEIGHT_OF(begin, end, list) (uint)((end) - (begin))
#define SUMS
#endif

// counts[bucket]: the runs of the lists 0, step, 2 step, ... that go into it.
ITEM_KERNEL void count_runs(__global const ulong* words, __global const uint* owners, __global const uint* lengths,
                            __global const uint* beginnings, volatile __global uint* counts, uint letters, uint bits,
                            uint step, ulong runs, ulong share) {
  FOR_EACH_ITEM(i, runs, share) {
    const uint begin = beginnings[i], list = owners[begin];
    if (list % step == 0) atomic_inc(&counts[bucket_of(words[begin] >> (2 * (lengths[list] - letters)), bits)]);
  }
}

// Puts each of them into its bucket. cursors[bucket]: where it begins, and in the end where it ends. In which order the
// runs of a bucket come changes nothing.
ITEM_KERNEL void fill_table(__global const ulong* words, __global const uint* owners, __global const uint* lengths,
                            __global const uint* beginnings, volatile __global uint* cursors, __global ulong* keys,
                            __global uint* lists, __global WEIGHT* weights, SUMS uint letters, uint bits, uint step,
                            ulong runs, ulong all_words, ulong share) {
  FOR_EACH_ITEM(i, runs, share) {
    const uint begin = beginnings[i], list = owners[begin];
    if (list % step == 0) {
      const ulong end = i + 1 < runs ? beginnings[i + 1] : all_words;
      const ulong key = words[begin] >> (2 * (lengths[list] - letters));
      const uint slot = atomic_inc(&cursors[bucket_of(key, bits)]);
      keys[slot] = key;
      lists[slot] = list;
      weights[slot] = WEIGHT_OF(begin, end, list);
    }
  }
}

// What of the table has the letters `key` meets `weight` of the list `list`, a row's or a column's.
static inline void meet(ulong key, WEIGHT weight, uint list, __global const uint* ends, __global const ulong* keys,
                        __global const uint* lists, __global const WEIGHT* weights, volatile __global uint* low,
                        volatile __global uint* high, uint bits, ulong columns
#if WEIGHTED
                        ,
                        __global const double* scales
#endif
) {
  const uint bucket = bucket_of(key, bits);
  const uint end = ends[bucket];
  for (uint slot = bucket == 0 ? 0 : ends[bucket - 1]; slot < end; slot++) {
#if !DIRECT
    if (keys[slot] != key) continue;
#endif
#if ROWS_LOOK_UP
    const uint row = list / 2;
    const ulong cell = row * columns + lists[slot];
#else
    const uint row = lists[slot] / 2;
    const ulong cell = row * columns + list;
#endif
#if WEIGHTED
    add_wide(&low[cell], &high[cell], convert_ulong_rte(weight * weights[slot] * scales[row]));
#else
    add_wide(&low[cell], &high[cell], (ulong)weight * weights[slot]);
#endif
  }
}

#if WEIGHTED
#define TABLE                                                                                                        \
  __global const uint *ends, __global const ulong *keys, __global const uint *lists, __global const WEIGHT *weights, \
      __global const double *scales, __global const double *frequencies,
#define MEET(key, weight, list)                                                                                   \
  meet(key, (weight) / probability(key, letters, frequencies), list, ends, keys, lists, weights, low, high, bits, \
       columns, scales)
#else
#define TABLE \
  __global const uint *ends, __global const ulong *keys, __global const uint *lists, __global const WEIGHT *weights,
#define MEET(key, weight, list) meet(key, weight, list, ends, keys, lists, weights, low, high, bits, columns)
#endif

// The ends of words of `letters` letters, for lists of at least `least` letters. A run of a list is, turned round, one
// of ends of its partner; `sums` are of the partner's words. Of the first collection only matrices as they are look up.
ITEM_KERNEL void join_ends(TABLE __global const ulong* words, __global const uint* owners, __global const uint* lengths,
                           __global const uint* beginnings, volatile __global uint* low, volatile __global uint* high,
                           SUMS uint letters, uint least, uint bits, ulong columns, ulong runs, ulong all_words,
                           ulong share) {
  FOR_EACH_ITEM(i, runs, share) {
    const uint begin = beginnings[i], list = owners[begin];
    if ((!ROWS_LOOK_UP || list % 2 == 1) && lengths[list] >= least) {
      const ulong end = i + 1 < runs ? beginnings[i + 1] : all_words;
      const ulong key = reverse_complement(words[begin] >> (2 * (lengths[list] - letters)), letters);
      MEET(key, WEIGHT_OF(begin, end, list), list ^ 1);
    }
  }
}

// The letters [from, from + letters) of words that go on behind them: words from `first` on.
ITEM_KERNEL void join_middles(TABLE __global const ulong* words, __global const uint* owners,
                              __global const uint* lengths, volatile __global uint* low, volatile __global uint* high,
                              SUMS uint letters, uint from, uint bits, ulong columns, ulong first, ulong count,
                              ulong share) {
  const ulong mask = ((ulong)1 << (2 * letters)) - 1;
  FOR_EACH_ITEM(i, count, share) {
    const ulong at = first + i;
    const uint list = owners[at];
    if (!ROWS_LOOK_UP || list % 2 == 0) {
      const ulong key = (words[at] >> (2 * (lengths[list] - from - letters))) & mask;
      MEET(key, WEIGHT_OF(at, at + 1, list), list);
    }
  }
}

// Compares the cells of `pairs` pairs of columns for an overlap of `letters` letters with the best so far of the row
// and the pair, and clears them. The shift is `shift`; with `by_ends` of +1 or -1 the letters of the row's matrix, or
// the column's, beyond the overlap are added or subtracted. codes: 0 for none yet, otherwise letters << 16 | 1 << 10
// | reverse << 9 | shift + 256. Better: more probable both of either, then the smaller |shift|, the smaller shift,
// forward.
static inline uint packed(uint letters, uint reverse, int shift) {
  return letters << 16 | 1u << 10 | reverse << 9 | (uint)(shift + 256);
}

static inline int nearer(uint code, uint than) {
  const int a = (int)(code & 511) - 256, b = (int)(than & 511) - 256;
  if (abs(a) != abs(b)) return abs(a) < abs(b);
  if (a != b) return a < b;
  return (code >> 9 & 1) < (than >> 9 & 1);
}

ITEM_KERNEL void keep_best(__global uint* low, __global uint* high, __global const uint* row_lengths,
                           __global const uint* column_lengths, __global ulong* best, __global uint* codes,
#if WEIGHTED
                           __global const double* row_p, __global const double* column_p, __global const double* scales,
#endif
                           uint letters, int shift, int by_ends, ulong columns, ulong first_row, ulong first_column,
                           ulong pairs, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const ulong row = first_row + i / pairs, pair = first_column / 2 + i % pairs;
    const ulong at = row * (columns / 2) + pair;
    for (uint reverse = 0; reverse < 2; reverse++) {
      const ulong column = 2 * pair + reverse, cell = row * columns + column;
      const ulong value = (ulong)high[cell] << 32 | low[cell];
      if (value == 0) continue;
      low[cell] = 0;
      high[cell] = 0;
      int moved = shift;
      if (by_ends > 0) moved += (int)(row_lengths[2 * row] - letters);
      if (by_ends < 0) moved -= (int)(column_lengths[column] - letters);
      const uint code = packed(letters, reverse, moved), before = codes[at];
      int better = before == 0, equal = 0;
      if (before != 0) {
#if WEIGHTED
        const double now = (double)value / scales[row], then = (double)best[at] / scales[row];
        const double a = now / (row_p[row] + column_p[column] - now);
        const double b = then / (row_p[row] + column_p[2 * pair + (before >> 9 & 1)] - then);
        better = a > b;
        equal = a == b;
#else
        // Of the words of a union, which has fewer letters the more there are in the overlap.
        const uint left = 2 * letters, right = 2 * (before >> 16);
        const ulong a_high = value >> (64 - left), a_low = value << left;
        const ulong b_high = best[at] >> (64 - right), b_low = best[at] << right;
        better = a_high > b_high || (a_high == b_high && a_low > b_low);
        equal = a_high == b_high && a_low == b_low;
#endif
      }
      if (better || (equal && nearer(code, before))) {
        best[at] = value;
        codes[at] = code;
      }
    }
  }
}
