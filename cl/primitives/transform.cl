// A caller's expression for each element: VALUE, INPUT_PARAMETERS and VALUE_AT() are in the text in front of this file
// (src/primitives/expression.hpp).
//
// Defines: GROUP_SIZE, ROWS (elements of an item, whose loads are in flight together).
#include "common/types.clh"

// VALUE_AT() of an element that is not the first of all, if that is cheaper.
#ifndef VALUE_AFTER_FIRST
#define VALUE_AFTER_FIRST(at) VALUE_AT(at)
#endif

#ifndef ONLY_CPU
#ifndef ROWS
#error "ROWS comes from the host"
#endif

// `results` may be an input: an item writes an element after it has read it. Items of a tile inside the array load
// without conditions, so that all loads are in flight together.
GROUP_KERNEL void transform_gpu(INPUT_PARAMETERS __global VALUE* results, ulong count) {
  const ulong tile = get_group_id(0) * ((ulong)GROUP_SIZE * ROWS), first = tile + get_local_id(0);
  VALUE values[ROWS];
  if (tile != 0 && tile + GROUP_SIZE * ROWS <= count) {
#pragma unroll
    for (uint row = 0; row < ROWS; row++) values[row] = VALUE_AFTER_FIRST(first + row * GROUP_SIZE);
#pragma unroll
    for (uint row = 0; row < ROWS; row++) results[first + row * GROUP_SIZE] = values[row];
    return;
  }
#pragma unroll
  for (uint row = 0; row < ROWS; row++) {
    const ulong at = first + row * GROUP_SIZE;
    if (at < count) values[row] = VALUE_AT(at);
  }
#pragma unroll
  for (uint row = 0; row < ROWS; row++) {
    const ulong at = first + row * GROUP_SIZE;
    if (at < count) results[at] = values[row];
  }
}
#endif

#ifndef ONLY_GPU
WORKER_KERNEL void transform_cpu(INPUT_PARAMETERS __global VALUE* results, ulong count, ulong share) {
  const ulong first = WORKER_FIRST(count, share), last = WORKER_LAST(count, share);
  if (first < last) results[first] = VALUE_AT(first);
  for (ulong at = first + 1; at < last; at++) results[at] = VALUE_AFTER_FIRST(at);
}
#endif
