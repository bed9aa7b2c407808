// Selection, partition and unique elements of a few elements in one launch: by one worker, or by one group whose
// items have neighbouring elements.
//
// The text in front of this file (src/primitives/compact.cpp and its callers) has FLAG_PARAMETERS (parameters of a
// kernel, each followed by a comma) and FLAG_AT(i), not 0 for an element that is selected.
//
// Defines: ELEMENT (a type), INDICES (1: results are the numbers of elements), SECOND (0: one result; 1: the elements
// of another array are also selected; 2: elements that are not selected go to another array), SECOND_ELEMENT (a type);
// with `gpu` kernels GROUP_SIZE, ITEMS (at most 32).
#include "common/types.clh"

#ifndef ELEMENT
#error "ELEMENT comes from the host"
#endif
#ifndef INDICES
#error "INDICES comes from the host"
#endif
#ifndef SECOND
#error "SECOND comes from the host"
#endif
#ifndef SECOND_ELEMENT
#error "SECOND_ELEMENT comes from the host"
#endif

CALLERS_ELEMENT(CallersElement, ELEMENT);
CALLERS_ELEMENT(CallersSecond, SECOND_ELEMENT);

#if SECOND
#define SECOND_PARAMETERS \
  __global const uchar *second_bytes, __global uchar *second_results_bytes, ulong second_capacity,
#define SECOND_ARRAYS                                                                 \
  __global const CallersSecond* second = (__global const CallersSecond*)second_bytes; \
  __global CallersSecond* second_results = (__global CallersSecond*)second_results_bytes;
#else
#define SECOND_PARAMETERS
#define SECOND_ARRAYS
#endif

#if INDICES
#define SELECTED_AT(i) ((void)values, (ELEMENT)(i))
#else
#define SELECTED_AT(i) (values[i])
#endif

#define PUT_SELECTED(place, i)                               \
  {                                                          \
    if ((place) < capacity) results[place] = SELECTED_AT(i); \
    PUT_SECOND(SECOND == 1, place, i)                        \
  }
#if SECOND
#define PUT_SECOND(condition, place, i) \
  if ((condition) && (place) < second_capacity) second_results[place] = second[i];
#else
#define PUT_SECOND(condition, place, i)
#endif

#ifndef ONLY_GPU
WORKER_KERNEL void compact_small_cpu(FLAG_PARAMETERS uint count, __global const uchar* values_bytes,
                                     __global uchar* results_bytes, ulong capacity,
                                     SECOND_PARAMETERS __global ulong* number) {
  __global const CallersElement* values = (__global const CallersElement*)values_bytes;
  __global CallersElement* results = (__global CallersElement*)results_bytes;
  SECOND_ARRAYS
  uint place = 0;
  for (uint i = 0; i < count; i++) {
    if (FLAG_AT(i)) {
      PUT_SELECTED(place, i)
      place++;
    } else {
      PUT_SECOND(SECOND == 2, i - place, i)
    }
  }
  number[0] = place;
}
#endif

#ifndef ONLY_CPU
#include "primitives/group_sum.clh"
#ifndef ITEMS
#error "ITEMS comes from the host"
#endif

// One group; `count` is at most GROUP_SIZE * ITEMS.
GROUP_KERNEL void compact_small_gpu(FLAG_PARAMETERS uint count, __global const uchar* values_bytes,
                                    __global uchar* results_bytes, ulong capacity,
                                    SECOND_PARAMETERS __global ulong* number) {
  __global const CallersElement* values = (__global const CallersElement*)values_bytes;
  __global CallersElement* results = (__global CallersElement*)results_bytes;
  SECOND_ARRAYS
  __local uint selected[GROUP_SIZE];
  const uint item = get_local_id(0), own = (count + GROUP_SIZE - 1) / GROUP_SIZE;
  const uint first = min(count, item * own), last = min(count, first + own);
  uint flags = 0;
  for (uint i = first; i < last; i++) flags |= FLAG_AT(i) ? 1u << (i - first) : 0u;
  uint all, place = sum_before(popcount(flags), item, selected, &all);
  for (uint i = first; i < last; i++, flags >>= 1) {
    if ((flags & 1) != 0) {
      PUT_SELECTED(place, i)
      place++;
    } else {
      PUT_SECOND(SECOND == 2, i - place, i)
    }
  }
  if (item == 0) number[0] = all;
}
#endif
