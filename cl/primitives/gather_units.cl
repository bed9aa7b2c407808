// Gather and scatter of elements of other sizes than 1, 2, 4, 8 and 16 bytes, in units of these sizes.
//
// A `cpu` worker copies one element after another. The work-items of a `gpu` kernel copy neighbouring units.
//
// Defines: UNIT (a type), UNITS (units of an element), INDEX (a type), and those of common/items.clh.
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

// to[i] = from[indices[i]]; all bytes 0 if the index is not below `from_count`.
ITEM_KERNEL void gather_units(__global const uchar* from_bytes, ulong from_count, __global const INDEX* indices,
                              ulong count, __global uchar* to_bytes, ulong share) {
  __global const CallersUnit* from = (__global const CallersUnit*)from_bytes;
  __global CallersUnit* to = (__global CallersUnit*)to_bytes;
#ifdef ONLY_CPU
  FOR_EACH_ITEM(at, count, share) {
    const ulong index = indices[at];
    for (uint unit = 0; unit < UNITS; unit++)
      to[at * UNITS + unit] = index < from_count ? from[index * UNITS + unit] : (UNIT)0;
  }
#else
  FOR_EACH_ITEM(at, count * UNITS, share) {
    const ulong index = indices[at / UNITS];
    to[at] = index < from_count ? from[index * UNITS + at % UNITS] : (UNIT)0;
  }
#endif
}

// to[indices[i]] = from[i]; indices that are not below `to_count` are skipped.
ITEM_KERNEL void scatter_units(__global const uchar* from_bytes, __global const INDEX* indices, ulong count,
                               __global uchar* to_bytes, ulong to_count, ulong share) {
  __global const CallersUnit* from = (__global const CallersUnit*)from_bytes;
  __global CallersUnit* to = (__global CallersUnit*)to_bytes;
#ifdef ONLY_CPU
  FOR_EACH_ITEM(at, count, share) {
    const ulong index = indices[at];
    if (index >= to_count) continue;
    for (uint unit = 0; unit < UNITS; unit++) to[index * UNITS + unit] = from[at * UNITS + unit];
  }
#else
  FOR_EACH_ITEM(at, count * UNITS, share) {
    const ulong index = indices[at / UNITS];
    if (index < to_count) to[index * UNITS + at % UNITS] = from[at];
  }
#endif
}
