// Joins lists of hits with matrices whose hits are too many to be listed: a list's words that begin, or end, with the
// same letters are weighed by the probability that the matrix's other columns lose no more than they may with those.
// The runs of all lists are in the order of their letters, so that of those which begin with letters that lose too much
// one is looked at.
#include "common/items.clh"
#include "common/lower_bound.clh"
#include "pwm/add_wide.clh"

#ifndef WEIGHTED
#define WEIGHTED 0  // 1: by the letters' frequencies, in double, in units of 2^-62; 0: words are counted
#endif
#ifndef PIECE
#define PIECE 1024  // runs, or words, that an item goes through
#endif

#if WEIGHTED
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define SUMS __global const double *sums, __global const double *turned_sums,
// sums[word + list]: the probability of the list's words before it; a list of n words has n + 1 of them.
#define UNITS(begin, end, list, turned, tail)                                  \
  convert_ulong_rte(((turned ? turned_sums : sums)[(ulong)(end) + (list)] -    \
                     (turned ? turned_sums : sums)[(ulong)(begin) + (list)]) * \
                    (2147483648.0 * (tail)))
#else
#define SUMS
#define UNITS(begin, end, list, turned, tail) ((ulong)((end) - (begin)) * (tail))
#endif

// looks[2 l]: first of the losses of the overlap's columns, first of their tails, first of the results, turned (the
// runs are of the partner's words, in whose lists they are ends); looks[2 l + 1]: where the matrix begins, counted from
// its result of the first possible place, for turned ones less what the list has beyond the overlap. Lists 0, step, 2
// step,
// ... have results, `stride` of each; those from below come `below` behind those from above. A run that loses too much
// from above does from below.
ITEM_KERNEL void join_runs(__global const ulong* keys, __global const uint* runs, __global const uint* owners,
                           __global const uint* lengths, __global const uint* beginnings, __global const uint4* looks,
                           __global const uint* losses_above, __global const uint* losses_below,
                           __global const uint* tails_above, __global const uint* tails_below,
                           volatile __global uint* low, volatile __global uint* high, SUMS uint letters, uint last,
                           uint step, uint stride, ulong below, uint run_count, uint all_words, ulong pieces,
                           ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint4 look = looks[2 * (i / pieces)];
    const uint place = looks[2 * (i / pieces) + 1].x;
    __global const uint* const loss_of = losses_above + look.x;
    __global const uint* const more_of = losses_below + look.x;
    const uint begin = (uint)(i % pieces) * PIECE, end = min(run_count, begin + PIECE);
    for (uint k = begin; k < end;) {
      const ulong key = keys[k];
      uint loss = 0, more = 0, read = 0;
      for (; read < letters && loss <= last; read++) {
        const uint at = 4 * read + ((uint)(key >> (2 * (letters - 1 - read))) & 3);
        loss += loss_of[at];
        more += more_of[at];
      }
      const uint drop = 2 * (letters - read);
      uint next = k + 1;
      if (next < end && keys[next] >> drop == key >> drop)
        next = lower_bound_ulong(keys, next, end, ((key >> drop) + 1) << drop);
      const uint above_tail = loss <= last ? tails_above[look.y + last - loss] : 0;
      const uint below_tail = more <= last ? tails_below[look.y + last - more] : 0;
      for (; above_tail != 0 && k < next; k++) {
        const uint run = runs[k], first = beginnings[run], list = owners[first];
        const uint of = look.w ? list ^ 1 : list, length = lengths[list];
        if (of % step != 0 || (look.w && length == letters)) continue;
        const uint behind = run + 1 < run_count ? beginnings[run + 1] : all_words;
        const ulong result = look.z + (ulong)(of / step) * stride + place + (look.w ? length - letters : 0);
        add_wide(&low[result], &high[result], UNITS(first, behind, list, look.w, above_tail));
        if (below_tail != 0)
          add_wide(&low[below + result], &high[below + result], UNITS(first, behind, list, look.w, below_tail));
      }
      k = next;
    }
  }
}

// Where the list's words go on at both ends of the matrix. tasks[t]: list, first of the losses, the result of the first
// place, columns of the matrix. items[i]: task, first word of the piece in its list. lists[l]: first word, words,
// letters.
ITEM_KERNEL void join_inside(__global const ulong* words, __global const uint4* lists, __global const uint4* tasks,
                             __global const uint2* items, __global const uint* losses_above,
                             __global const uint* losses_below, volatile __global uint* low,
                             volatile __global uint* high, SUMS uint last, ulong below, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint4 task = tasks[items[i].x];
    const uint4 list = lists[task.x];
    const uint end = min(list.y, items[i].y + PIECE);
    for (uint at = 1; at + task.w < list.z; at++) {
      ulong above_units = 0, below_units = 0;
      for (uint h = items[i].y; h < end; h++) {
        const ulong word = words[list.x + h] >> (2 * (list.z - at - task.w));
        uint loss = 0, more = 0;
        for (uint column = 0; column < task.w && loss <= last; column++) {
          const uint letter = task.y + 4 * column + ((uint)(word >> (2 * (task.w - 1 - column))) & 3);
          loss += losses_above[letter];
          more += losses_below[letter];
        }
        const ulong units = UNITS(list.x + h, list.x + h + 1, task.x, 0, 0x80000000u);
        if (loss <= last) above_units += units;
        if (more <= last) below_units += units;
      }
      const ulong result = (ulong)task.z + at - 1;
      if (above_units != 0) add_wide(&low[result], &high[result], above_units);
      if (below_units != 0) add_wide(&low[below + result], &high[below + result], below_units);
    }
  }
}
