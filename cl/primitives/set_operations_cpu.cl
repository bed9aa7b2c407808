// Set operations of sorted arrays on a CPU: each worker computes those of a part of both, at whose ends no equal
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

// Writes the results of worker w from parts[parts_of[2 * w]] on, and their number to parts_of[2 * w + 1]. `count`:
// elements of both arrays, and of `parts`.
WORKER_KERNEL void set_operation_cpu(__global const KEY* a, ulong a_count, __global const KEY* b, ulong count,
                                     ulong share, __global KEY* parts, __global ulong* parts_of) {
  const ulong2 start = part_start(a, a_count, b, count - a_count, WORKER_FIRST(count, share));
  const ulong2 end = max(start, part_start(a, a_count, b, count - a_count, WORKER_LAST(count, share)));
  ulong i = start.x, j = start.y, at = i + j;
  while (i < end.x && j < end.y) {
    // Neither array ends within these steps. No branch depends on the keys.
    for (ulong steps = min(end.x - i, end.y - j); steps > 0; steps--) {
      const KEY from_a = a[i], from_b = b[j];
      const bool less = genocl_less(from_a, from_b), greater = !less && genocl_less(from_b, from_a);
      parts[at] = TAKES_SECOND && greater ? from_b : from_a;
      if (SET_OPERATION == UNION)
        at++;
      else if (SET_OPERATION == INTERSECTION)
        at += !less & !greater;
      else if (SET_OPERATION == DIFFERENCE)
        at += less;
      else
        at += less | greater;
      i += !greater;
      j += !less;
    }
  }
  if (SET_OPERATION != INTERSECTION)
    for (; i < end.x; i++) parts[at++] = a[i];
  if (TAKES_SECOND)
    for (; j < end.y; j++) parts[at++] = b[j];
  parts_of[get_group_id(0) * 2] = start.x + start.y;
  parts_of[get_group_id(0) * 2 + 1] = at - start.x - start.y;
}

WORKER_KERNEL void set_parts_cpu(__global const KEY* parts, __global const ulong* parts_of, __global KEY* results,
                                 ulong capacity, __global ulong* total) {
  ulong to = 0;
  for (uint worker = 0; worker < get_group_id(0); worker++) to += parts_of[worker * 2 + 1];
  const ulong number = parts_of[get_group_id(0) * 2 + 1], last = min(capacity, to + number);
  if (get_group_id(0) == get_num_groups(0) - 1) total[0] = to + number;
  parts += parts_of[get_group_id(0) * 2];
  for (ulong i = to; i < last; i++) results[i] = parts[i - to];
}
