// Gather, scatter and iota.
//
// Defines: ELEMENT, INDEX (types), GROUP_SIZE, ROWS (independent accesses that one item has under way).
#include "common/types.clh"

#ifndef ELEMENT
#error "ELEMENT comes from the host"
#endif
#ifndef INDEX
#error "INDEX comes from the host"
#endif

CALLERS_ELEMENT(CallersElement, ELEMENT);

#ifndef ONLY_CPU
#ifndef ROWS
#error "ROWS comes from the host"
#endif

GROUP_KERNEL void gather_gpu(__global const uchar* from_bytes, ulong from_count, __global const INDEX* indices,
                             ulong index_count, __global uchar* to_bytes) {
  __global const CallersElement* from = (__global const CallersElement*)from_bytes;
  __global CallersElement* to = (__global CallersElement*)to_bytes;
  const ulong first = get_group_id(0) * ((ulong)GROUP_SIZE * ROWS) + get_local_id(0);
  ulong index[ROWS];
  ELEMENT element[ROWS];
#pragma unroll
  for (uint row = 0; row < ROWS; row++) {
    const ulong at = first + row * GROUP_SIZE;
    index[row] = at < index_count ? (ulong)indices[at] : ULONG_MAX;
  }
#pragma unroll
  for (uint row = 0; row < ROWS; row++) element[row] = index[row] < from_count ? from[index[row]] : (ELEMENT)0;
#pragma unroll
  for (uint row = 0; row < ROWS; row++) {
    const ulong at = first + row * GROUP_SIZE;
    if (at < index_count) to[at] = element[row];
  }
}

GROUP_KERNEL void scatter_gpu(__global const uchar* from_bytes, __global const INDEX* indices, ulong index_count,
                              __global uchar* to_bytes, ulong to_count) {
  __global const CallersElement* from = (__global const CallersElement*)from_bytes;
  __global CallersElement* to = (__global CallersElement*)to_bytes;
  const ulong first = get_group_id(0) * ((ulong)GROUP_SIZE * ROWS) + get_local_id(0);
  ulong index[ROWS];
  ELEMENT element[ROWS];
#pragma unroll
  for (uint row = 0; row < ROWS; row++) {
    const ulong at = first + row * GROUP_SIZE;
    index[row] = at < index_count ? (ulong)indices[at] : ULONG_MAX;
    element[row] = at < index_count ? from[at] : (ELEMENT)0;
  }
#pragma unroll
  for (uint row = 0; row < ROWS; row++)
    if (index[row] < to_count) to[index[row]] = element[row];
}

GROUP_KERNEL void iota_gpu(__global INDEX* values, ulong count, INDEX start) {
  const ulong first = get_group_id(0) * ((ulong)GROUP_SIZE * ROWS) + get_local_id(0);
#pragma unroll
  for (uint row = 0; row < ROWS; row++) {
    const ulong at = first + row * GROUP_SIZE;
    if (at < count) values[at] = start + (INDEX)at;
  }
}
#endif

#ifndef ONLY_GPU
WORKER_KERNEL void gather_cpu(__global const uchar* from_bytes, ulong from_count, __global const INDEX* indices,
                              ulong index_count, ulong share, __global uchar* to_bytes) {
  __global const CallersElement* from = (__global const CallersElement*)from_bytes;
  __global CallersElement* to = (__global CallersElement*)to_bytes;
  const ulong last = WORKER_LAST(index_count, share);
  for (ulong at = WORKER_FIRST(index_count, share); at < last; at++) {
    const ulong index = indices[at];
    to[at] = index < from_count ? from[index] : (ELEMENT)0;
  }
}

WORKER_KERNEL void scatter_cpu(__global const uchar* from_bytes, __global const INDEX* indices, ulong index_count,
                               ulong share, __global uchar* to_bytes, ulong to_count) {
  __global const CallersElement* from = (__global const CallersElement*)from_bytes;
  __global CallersElement* to = (__global CallersElement*)to_bytes;
  const ulong last = WORKER_LAST(index_count, share);
  for (ulong at = WORKER_FIRST(index_count, share); at < last; at++) {
    const ulong index = indices[at];
    if (index < to_count) to[index] = from[at];
  }
}

WORKER_KERNEL void iota_cpu(__global INDEX* values, ulong count, ulong share, INDEX start) {
  const ulong last = WORKER_LAST(count, share);
  for (ulong at = WORKER_FIRST(count, share); at < last; at++) values[at] = start + (INDEX)at;
}
#endif
