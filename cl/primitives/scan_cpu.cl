// Scan on a CPU, in two launches: totals of the workers' parts, then each part scanned from there. The workers are few,
// so that each adds up the totals before its own.
//
// A worker reads its share as STREAMS parts side by side: one stream alone waits for memory half of the time, and in
// the scan each step waits for the one before.
//
// Defines: INPUT, RESULT (types), COMBINE, IDENTITY (see combine.clh), INCLUSIVE (0 or 1), STREAMS.
#include "common/types.clh"
#include "primitives/combine.clh"

#ifndef INCLUSIVE
#error "INCLUSIVE comes from the host"
#endif
#ifndef STREAMS
#error "STREAMS comes from the host"
#endif
#define BLOCK 8
// Stores past the cache go out by whole lines of 64 bytes.
#define LINE (64 / (uint)sizeof(RESULT))
#define VECTOR(type) GENOCL_JOIN(type, 8)
// As aligned as one element is: a caller's buffer may begin anywhere.
typedef VECTOR(INPUT) RelaxedInput __attribute__((aligned(sizeof(INPUT))));
typedef VECTOR(RESULT) RelaxedResult __attribute__((aligned(sizeof(RESULT))));

static inline VECTOR(RESULT) load_block(__global const INPUT* values) {
  return GENOCL_JOIN(convert_, VECTOR(RESULT))(*(__global const RelaxedInput*)values);
}

// totals[worker * STREAMS + stream]. `share` is a multiple of STREAMS * LINE.
WORKER_KERNEL void scan_totals_cpu(__global const INPUT* values, ulong count, ulong share, __global RESULT* totals) {
  const ulong first = WORKER_FIRST(count, share), last = WORKER_LAST(count, share), part = share / STREAMS;
  totals += get_group_id(0) * STREAMS;
  if (last - first == share) {
    VECTOR(RESULT) sums[STREAMS];
#pragma unroll
    for (uint stream = 0; stream < STREAMS; stream++) sums[stream] = (VECTOR(RESULT))((RESULT)IDENTITY);
    for (ulong at = first; at < first + part; at += BLOCK)
#pragma unroll
      for (uint stream = 0; stream < STREAMS; stream++)
        sums[stream] = combine(sums[stream], load_block(values + at + stream * part));
#pragma unroll
    for (uint stream = 0; stream < STREAMS; stream++) {
      const VECTOR(RESULT) eight = sums[stream];
      const QUAD(RESULT) four = combine(eight.lo, eight.hi);
      totals[stream] = combine(combine(four.x, four.y), combine(four.z, four.w));
    }
  } else {
    for (uint stream = 0; stream < STREAMS; stream++) {
      RESULT total = (RESULT)IDENTITY;
      const ulong end = min(last, first + (stream + 1) * part);
      for (ulong at = first + stream * part; at < end; at++) total = combine(total, (RESULT)values[at]);
      totals[stream] = total;
    }
  }
}

// Scans a block. `before`: the total of all elements before it, in all lanes; returns that of the next block.
static inline VECTOR(RESULT)
    scan_block(__global const INPUT* values, __global RESULT* results, VECTOR(RESULT) before, bool past_cache) {
  const RESULT none = (RESULT)IDENTITY;
  const VECTOR(RESULT) block = load_block(values);
  // By doubling steps: two inside each half, which is a shift there, and one across. Element by element: the vectors of
  // three and four elements that would be shorter to write crash Oclgrind 21.10.
  VECTOR(RESULT)
  up_to = combine(block, (VECTOR(RESULT))(none, block.s0, block.s1, block.s2, none, block.s4, block.s5, block.s6));
  up_to = combine(up_to, (VECTOR(RESULT))(none, none, up_to.s0, up_to.s1, none, none, up_to.s4, up_to.s5));
  up_to = combine(up_to, (VECTOR(RESULT))(none, none, none, none, up_to.s3, up_to.s3, up_to.s3, up_to.s3));
  up_to = combine(up_to, before);
#if INCLUSIVE
  const VECTOR(RESULT) scanned = up_to;
#else
  const VECTOR(RESULT) scanned = up_to - block;  // exclusive scans are sums
#endif
  if (past_cache) {
    __global VECTOR(RESULT)* const aligned_results = (__global VECTOR(RESULT)*)results;
    STORE_PAST_CACHE(aligned_results, scanned);
  } else {
    *(__global RelaxedResult*)results = scanned;
  }
  return up_to.s77777777;
}

static inline RESULT scan_elements(__global const INPUT* values, __global RESULT* results, ulong at, ulong last,
                                   RESULT before) {
  for (; at < last; at++) {
    const RESULT up_to = combine(before, (RESULT)values[at]);
    results[at] = INCLUSIVE ? up_to : before;
    before = up_to;
  }
  return before;
}

// `many`: not 0 where the results are more than the caches hold.
WORKER_KERNEL void scan_cpu(__global const INPUT* values, ulong count, ulong results_count, ulong share,
                            __global const RESULT* totals, __global RESULT* results, uint many) {
  const ulong first = WORKER_FIRST(count, share), last = WORKER_LAST(count, share), part = share / STREAMS;
  // A store past the cache must be aligned; `first` and `part` are multiples of a block.
  const bool past_cache = many != 0 && ((ulong)results & 63) == 0;
  RESULT before = (RESULT)IDENTITY;
  for (ulong i = 0; i < get_group_id(0) * STREAMS; i++) before = combine(before, totals[i]);
  totals += get_group_id(0) * STREAMS;

  if (last - first == share) {
    VECTOR(RESULT) vectors[STREAMS];
    vectors[0] = (VECTOR(RESULT))(before);
#pragma unroll
    for (uint stream = 1; stream < STREAMS; stream++)
      vectors[stream] = combine(vectors[stream - 1], (VECTOR(RESULT))(totals[stream - 1]));
    for (ulong at = first; at < first + part; at += LINE)
#pragma unroll
      for (uint stream = 0; stream < STREAMS; stream++)
#pragma unroll
        for (uint block = 0; block < LINE; block += BLOCK) {
          const ulong place = at + stream * part + block;
          vectors[stream] = scan_block(values + place, results + place, vectors[stream], past_cache);
        }
    before = vectors[STREAMS - 1].s0;
  } else {
    before = scan_elements(values, results, first, last, before);
  }
  // The worker of the last element writes the total if the caller wants it.
  if (last == count && (first < last || count == 0))
    for (ulong at = count; at < results_count; at++) results[at] = before;
}
