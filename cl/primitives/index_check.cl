// The check of GENOCL_CHECK=1: the first index that is outside an array, or the first offset that decreases.
//
// Defines: INDEX (a type), OFFSETS (0: indices, 1: ascending offsets), and those of common/items.clh.
#include "common/items.clh"

#ifndef INDEX
#error "INDEX comes from the host"
#endif

// first_bad[work-item]: the number of its first bad index, or ULONG_MAX. Indices must be below `bound`, offsets not
// above it.
ITEM_KERNEL void find_bad_index(__global const INDEX* indices, ulong count, ulong bound, __global ulong* first_bad,
                                ulong share) {
  ulong bad = ULONG_MAX;
  FOR_EACH_ITEM(i, count, share) {
    const ulong index = indices[i];
    const bool good = OFFSETS ? index <= bound && (i == 0 || indices[i - 1] <= index) : index < bound;
    if (!good && bad == ULONG_MAX) bad = i;
  }
  first_bad[get_global_id(0)] = bad;
}
