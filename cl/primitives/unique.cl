// Flags of the elements that begin or end a run of equal elements.
//
// Defines: ELEMENT (a type), VECTOR_ELEMENT (1 for one of 16 bytes), ENDS (0: starts of runs, 1: ends), and those of
// common/items.clh.
#include "common/items.clh"

#ifndef ELEMENT
#error "ELEMENT comes from the host"
#endif
#ifndef VECTOR_ELEMENT
#error "VECTOR_ELEMENT comes from the host"
#endif
#ifndef ENDS
#error "ENDS comes from the host"
#endif

CALLERS_ELEMENT(CallersElement, ELEMENT);

#if VECTOR_ELEMENT
#define DIFFERENT(a, b) any((a) != (b))
#else
#define DIFFERENT(a, b) ((a) != (b))
#endif

ITEM_KERNEL void flag_runs(__global const uchar* keys_bytes, __global uchar* flags, ulong count, ulong share) {
  __global const CallersElement* keys = (__global const CallersElement*)keys_bytes;
  FOR_EACH_ITEM(i, count, share) {
    const bool outer = ENDS ? i + 1 == count : i == 0;
    const ELEMENT key = keys[i];
    const ELEMENT neighbour = keys[outer ? i : ENDS ? i + 1 : i - 1];
    flags[i] = outer || DIFFERENT(key, neighbour);
  }
}
