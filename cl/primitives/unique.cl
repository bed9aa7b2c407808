// Flags of the elements that begin a run of equal elements.
//
// Defines: ELEMENT (a type), VECTOR_ELEMENT (1 for one of 16 bytes), and those of common/items.clh.
#include "common/items.clh"

#ifndef ELEMENT
#error "ELEMENT comes from the host"
#endif
#ifndef VECTOR_ELEMENT
#error "VECTOR_ELEMENT comes from the host"
#endif

CALLERS_ELEMENT(CallersElement, ELEMENT);

#if VECTOR_ELEMENT
#define DIFFERENT(a, b) any((a) != (b))
#else
#define DIFFERENT(a, b) ((a) != (b))
#endif

ITEM_KERNEL void flag_run_starts(__global const uchar* keys_bytes, __global uchar* flags, ulong count, ulong share) {
  __global const CallersElement* keys = (__global const CallersElement*)keys_bytes;
  FOR_EACH_ITEM(i, count, share) {
    const ELEMENT key = keys[i];
    const ELEMENT before = keys[i == 0 ? 0 : i - 1];
    flags[i] = i == 0 || DIFFERENT(key, before);
  }
}
