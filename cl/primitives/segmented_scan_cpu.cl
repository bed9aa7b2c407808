// Scans of segments with any associative operator on a CPU, in two launches. A worker owns a range of elements, which
// may begin and end inside segments. The first launch combines the elements behind the last offset of each range; the
// second one scans the ranges from there, restarting at each offset.
//
// The text in front of this file (src/primitives/segmented_scan.cpp) has INPUT_PARAMETERS, VALUE, VALUE_AT(i),
// genocl_operator(a, b) and genocl_operator_identity().
//
// Defines: OFFSET (a type), INCLUSIVE (0, 1).
#include "common/types.clh"
#include "common/lower_bound.clh"

#ifndef OFFSET
#error "OFFSET comes from the host"
#endif
#ifndef INCLUSIVE
#error "INCLUSIVE comes from the host"
#endif

// The number of offsets below `element`.
static inline ulong offsets_below(__global const OFFSET* offsets, ulong offset_count, ulong element) {
  ulong low = 0, high = offset_count;
  LOWER_BOUND(ulong, low, high, at, (ulong)offsets[at] < element)
  return low;
}

// heads[w]: whether a segment begins in range w; totals[w]: the elements from the last such on, or all.
WORKER_KERNEL void segmented_scan_totals_cpu(INPUT_PARAMETERS ulong count, __global const OFFSET* offsets,
                                             ulong offset_count, ulong share, __global VALUE* totals,
                                             __global uint* heads) {
  const ulong begin = WORKER_FIRST(count, share), end = WORKER_LAST(count, share);
  const ulong below = offsets_below(offsets, offset_count, end);
  const ulong last = below > 0 ? (ulong)offsets[below - 1] : 0;
  const bool has_head = below > 0 && last >= begin && last < end;
  // An operation waits for the one before: four quarters take turns.
  ulong at = has_head ? last : begin;
  const ulong quarter = (end - at) / 4;
  VALUE first = genocl_operator_identity(), second = first, third = first, fourth = first;
  for (const ulong stop = at + quarter; at < stop; at++) {
    first = genocl_operator(first, VALUE_AT(at));
    second = genocl_operator(second, VALUE_AT(at + quarter));
    third = genocl_operator(third, VALUE_AT(at + 2 * quarter));
    fourth = genocl_operator(fourth, VALUE_AT(at + 3 * quarter));
  }
  VALUE total = genocl_operator(genocl_operator(first, second), genocl_operator(third, fourth));
  for (at += 3 * quarter; at < end; at++) total = genocl_operator(total, VALUE_AT(at));
  totals[get_group_id(0)] = total;
  heads[get_group_id(0)] = has_head;
}

// Scans elements [at, stop) from `sum` on.
#define SCAN_PART(at, stop, sum)                            \
  for (; at < stop; at++) {                                 \
    const VALUE up_to = genocl_operator(sum, VALUE_AT(at)); \
    results[at] = INCLUSIVE ? up_to : sum;                  \
    sum = up_to;                                            \
  }

// `results` may be the input.
WORKER_KERNEL void segmented_scan_cpu(INPUT_PARAMETERS ulong count, __global const OFFSET* offsets, ulong offset_count,
                                      ulong share, __global const VALUE* totals, __global const uint* heads,
                                      __global VALUE* results) {
  const ulong begin = WORKER_FIRST(count, share), end = WORKER_LAST(count, share);
  // What the ranges before leave of the segment that begins there.
  VALUE sum = genocl_operator_identity();
  uint from = get_group_id(0);
  while (from > 0 && heads[from - 1] == 0) from--;
  for (uint worker = max(from, 1u) - 1; worker < get_group_id(0); worker++) sum = genocl_operator(sum, totals[worker]);
  ulong next = offsets_below(offsets, offset_count, begin), at = begin;
  ulong stop = next < offset_count ? min(end, (ulong)offsets[next]) : end;
  SCAN_PART(at, stop, sum)
  // The sums of segments that begin in the range do not wait for those before.
  while (at < end) {
    next++;
    stop = next < offset_count ? clamp((ulong)offsets[next], at, end) : end;
    VALUE segment_sum = genocl_operator_identity();
    SCAN_PART(at, stop, segment_sum)
  }
}
