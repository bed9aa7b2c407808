// Joins lists of hits: how many words of the union of two matrices hold a hit of both. A hit of the first one fixes the
// letters that the two share; the hits of the second one that begin with them are neighbours in its sorted list.
#include "common/items.clh"
#include "common/lower_bound.clh"

#ifndef WEIGHTED
#define WEIGHTED 0  // 1: by the letters' frequencies, in double
#endif
#ifndef INDEXED
#define INDEXED 6  // maximum number of letters in the index of a list
#endif
#ifndef PIECE
#define PIECE 1024  // hits of the first list that an item goes through
#endif

#if WEIGHTED
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define SUM double
#else
#define SUM ulong
#endif

// Where words not below `key` begin, counted from the list's first one.
static inline uint first_word(__global const ulong* words, __global const uint* index, uint length, ulong key) {
  const uint indexed = min(length, (uint)INDEXED);
  const uint bucket = (uint)(key >> (2 * (length - indexed)));
  return lower_bound_ulong(words, index[bucket], index[bucket + 1], key);
}

#if WEIGHTED
// P of the letters of a word of `length` that are before `begin` or from `end` on.
static inline double outside(ulong word, uint length, uint begin, uint end, __global const double* frequencies) {
  double p = 1;
  for (uint i = 0; i < length; i++)
    if (i < begin || i >= end) p *= frequencies[(word >> (2 * (length - 1 - i))) & 3];
  return p;
}
#endif

// lists[l]: first word, words, letters, first of its index. items[i]: first list, second list, shift, first hit of the
// item. `sums` and `frequencies` are read with WEIGHTED only.
ITEM_KERNEL void join_words(__global const ulong* words, __global const uint* index, __global const uint4* lists,
                            __global const uint4* items, __global SUM* joint, ulong count,
#if WEIGHTED
                            __global const double* sums, __global const double* frequencies,
#endif
                            ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint4 item = items[i];
    const uint4 first = lists[item.x], second = lists[item.y];
    const uint begin = min(item.z, first.z), shared = min(first.z - begin, second.z);
    const ulong mask = ((ulong)1 << (2 * shared)) - 1;
    const uint last = min(first.y, item.w + PIECE);
    SUM sum = 0;
    for (uint h = item.w; h < last; h++) {
      const ulong word = words[first.x + h];
      const ulong segment = (word >> (2 * (first.z - begin - shared))) & mask;
      const uint free = 2 * (second.z - shared);
      const uint low = first_word(words + second.x, index + second.w, second.z, segment << free);
      const uint high = first_word(words + second.x, index + second.w, second.z, (segment + 1) << free);
#if WEIGHTED
      // A list of n words has n + 1 sums: those of list l begin l places further on.
      const ulong at = (ulong)second.x + item.y;
      if (high > low)
        sum += outside(word, first.z, begin, begin + shared, frequencies) * (sums[at + high] - sums[at + low]);
#else
      sum += high - low;
#endif
    }
    joint[i] = sum;
  }
}
