// The published intra-task kernel (Pham et al., swGPUCluster, sections III and IV): one pair per work-group, and one
// work-item for each cell of an anti-diagonal. Global memory stores three anti-diagonals, which are swapped: the
// present one and those of the neighbours to the left, above and diagonally.
#include "common/types.clh"

#ifndef CODES
#error "CODES comes from the host"
#endif

// An anti-diagonal has H, E and F of the cell in row i at H_OF(diagonal)[i + 1], ...; [0] and the rows not reached yet
// are the border.
#define H_OF(diagonal) (diagonal)
#define E_OF(diagonal) ((diagonal) + (rows + 1))
#define F_OF(diagonal) ((diagonal) + 2 * (rows + 1))

INLINED int group_maximum(int value, __local int* maximum) {
  if (get_local_id(0) == 0) *maximum = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_max(maximum, value);
  barrier(CLK_LOCAL_MEM_FENCE);
  const int result = *maximum;
  barrier(CLK_LOCAL_MEM_FENCE);
  return result;
}

// Processes subjects first .. end - 1. diagonals: 9 * (rows + 1) numbers of each group.
GROUP_KERNEL void intra(__global const uchar* query, __global const uchar* letters, __global const uint* begin,
                        __global const uint* length, __global const char* matrix, __global int* diagonals,
                        __global int* scores, uint rows, uint first, uint end, ulong scores_begin, int gap_first,
                        int gap_extend) {
  __local char pair_scores[CODES * CODES];
  __local int maximum;
  const uint item = (uint)get_local_id(0);
  for (uint i = item; i < CODES * CODES; i += GROUP_SIZE) pair_scores[i] = matrix[i];
  __global int* own = diagonals + (ulong)get_group_id(0) * 9 * (rows + 1);
  for (uint subject = first + (uint)get_group_id(0); subject < end; subject += (uint)get_num_groups(0)) {
    const uint columns = length[subject];
    __global const uchar* of_subject = letters + begin[subject];
    for (ulong i = item; i < 9UL * (rows + 1); i += GROUP_SIZE) own[i] = i / (rows + 1) % 3 == 0 ? 0 : -gap_first;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int best = 0;
    for (uint d = 0; columns > 0 && d < rows + columns - 1; d++) {
      __global int *present = own + (ulong)(d % 3) * 3 * (rows + 1),
                   *before = own + (ulong)((d + 2) % 3) * 3 * (rows + 1);
      __global const int* two_before = own + (ulong)((d + 1) % 3) * 3 * (rows + 1);
      const uint low = d < columns ? 0 : d - columns + 1, high = min(d, rows - 1);
      for (uint row = low + item; row <= high; row += GROUP_SIZE) {
        const int e = max(E_OF(before)[row + 1] - gap_extend, H_OF(before)[row + 1] - gap_first);
        const int f = max(F_OF(before)[row] - gap_extend, H_OF(before)[row] - gap_first);
        const int pair = pair_scores[query[row] * CODES + of_subject[d - row]];
        const int value = max(max(H_OF(two_before)[row] + pair, max(e, f)), 0);
        H_OF(present)[row + 1] = value;
        E_OF(present)[row + 1] = e;
        F_OF(present)[row + 1] = f;
        best = max(best, value);
      }
      barrier(CLK_GLOBAL_MEM_FENCE);
    }
    best = group_maximum(best, &maximum);
    if (item == 0) scores[scores_begin + subject] = best;
  }
}
