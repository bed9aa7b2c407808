// Gather of elements whose size is no power of two, in units of 1, 2 or 4 bytes.
//
// Defines: UNIT (uchar, ushort, uint), UNITS (units of an element), INDEX (a type), and those of common/items.clh.
#include "common/items.clh"

#ifndef UNIT
#error "UNIT comes from the host"
#endif
#ifndef UNITS
#error "UNITS comes from the host"
#endif
#ifndef INDEX
#error "INDEX comes from the host"
#endif

// An element may be made of bytes.
#ifdef GENOCL_HOST_MEMORY
typedef UNIT CallersUnit __attribute__((aligned(1)));
#else
typedef UNIT CallersUnit;
#endif

ITEM_KERNEL void gather_units(__global const uchar* from_bytes, ulong from_count, __global const INDEX* indices,
                              ulong unit_count, __global uchar* to_bytes, ulong share) {
  __global const CallersUnit* from = (__global const CallersUnit*)from_bytes;
  __global CallersUnit* to = (__global CallersUnit*)to_bytes;
  FOR_EACH_ITEM(at, unit_count, share) {
    const ulong index = indices[at / UNITS];
    to[at] = index < from_count ? from[index * UNITS + at % UNITS] : (UNIT)0;
  }
}
