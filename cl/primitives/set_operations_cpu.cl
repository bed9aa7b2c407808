// Set operations of sorted arrays on a CPU: each worker computes those of two parts of both, at whose ends no equal
// elements are divided, then the parts are copied to the results.
//
// The text in front of this file (src/primitives/expression.hpp) has the type KEY and genocl_less(a, b).
//
// Defines: SET_OPERATION (UNION, ...).
#define HAS_VALUES 0
#include "primitives/merge_path.clh"
#include "primitives/set_operations.clh"

INLINED ulong first_not_below(__global const KEY* keys, ulong count, KEY key) {
  ulong low = 0;
  while (low < count) {
    const ulong middle = low + (count - low) / 2;
    if (genocl_less(keys[middle], key))
      low = middle + 1;
    else
      count = middle;
  }
  return low;
}

// The elements of both arrays in front of the run of equal elements that has element `position` of their merge.
INLINED ulong2 part_start(__global const KEY* a, ulong a_count, __global const KEY* b, ulong b_count, ulong position) {
  if (position >= a_count + b_count) return (ulong2)(a_count, b_count);
  const ulong i = merge_path(a, a_count, b, b_count, position), j = position - i;
  const bool second = i == a_count || (j < b_count && genocl_less(b[j], a[i]));
  const KEY key = second ? b[j] : a[i];
  return (ulong2)(first_not_below(a, a_count, key), first_not_below(b, b_count, key));
}

// One step of a set operation: both elements in front are compared; no branch depends on the keys.
#if SET_OPERATION == UNION
#define ADVANCES(less, greater) 1
#elif SET_OPERATION == INTERSECTION
#define ADVANCES(less, greater) (!(less) & !(greater))
#elif SET_OPERATION == DIFFERENCE
#define ADVANCES(less, greater) (less)
#else
#define ADVANCES(less, greater) ((less) | (greater))
#endif
#define STEP(i, j, at)                                                                             \
  {                                                                                                \
    const KEY from_a = a[i], from_b = b[j];                                                        \
    const bool less = genocl_less(from_a, from_b), greater = !less && genocl_less(from_b, from_a); \
    parts[at] = TAKES_SECOND && greater ? from_b : from_a;                                         \
    at += ADVANCES(less, greater);                                                                 \
    i += !greater;                                                                                 \
    j += !less;                                                                                    \
  }

// The two parts of worker w are [bounds[k], bounds[k + 1]) of both arrays. Their results begin in `parts` at the sum of
// bounds[k]; the number of them goes to parts_of[4 * w + 2 * k + 1]. A step waits for the one before, so that a worker
// takes turns between its parts. `count`: elements of both arrays, and of `parts`.
WORKER_KERNEL void set_operation_cpu(__global const KEY* a, ulong a_count, __global const KEY* b, ulong count,
                                     ulong share, __global KEY* parts, __global ulong* parts_of) {
  const ulong first = WORKER_FIRST(count, share), last = WORKER_LAST(count, share), b_count = count - a_count;
  const ulong2 start = part_start(a, a_count, b, b_count, first);
  const ulong2 middle = max(start, part_start(a, a_count, b, b_count, first + (last - first) / 2));
  const ulong2 end = max(middle, part_start(a, a_count, b, b_count, last));
  ulong i = start.x, j = start.y, at = i + j, i2 = middle.x, j2 = middle.y, at2 = i2 + j2;
  for (;;) {
    // No array of a part ends within these steps.
    ulong steps = min(min(middle.x - i, middle.y - j), min(end.x - i2, end.y - j2));
    if (steps == 0) break;
    for (; steps > 0; steps--) {
      STEP(i, j, at)
      STEP(i2, j2, at2)
    }
  }
  while (i < middle.x && j < middle.y) STEP(i, j, at)
  while (i2 < end.x && j2 < end.y) STEP(i2, j2, at2)
  if (SET_OPERATION != INTERSECTION) {
    for (; i < middle.x; i++) parts[at++] = a[i];
    for (; i2 < end.x; i2++) parts[at2++] = a[i2];
  }
  if (TAKES_SECOND) {
    for (; j < middle.y; j++) parts[at++] = b[j];
    for (; j2 < end.y; j2++) parts[at2++] = b[j2];
  }
  parts_of += get_group_id(0) * 4;
  parts_of[0] = start.x + start.y;
  parts_of[1] = at - parts_of[0];
  parts_of[2] = middle.x + middle.y;
  parts_of[3] = at2 - parts_of[2];
}

WORKER_KERNEL void set_parts_cpu(__global const KEY* parts, __global const ulong* parts_of, __global KEY* results,
                                 ulong capacity, __global ulong* total) {
  ulong to = 0;
  for (uint part = 0; part < get_group_id(0) * 2; part++) to += parts_of[part * 2 + 1];
  for (uint part = get_group_id(0) * 2; part < get_group_id(0) * 2 + 2; part++) {
    __global const KEY* from = parts + parts_of[part * 2];
    const ulong number = parts_of[part * 2 + 1], last = min(capacity, to + number);
    for (ulong i = to; i < last; i++) results[i] = from[i - to];
    to += number;
  }
  if (get_group_id(0) == get_num_groups(0) - 1) total[0] = to;
}
