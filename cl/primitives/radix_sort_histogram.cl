// The histograms of all digits of the keys in one reading.
//
// Defines besides those of sort_keys.clh: PASSES (digits), DIGITS (values of a digit), HISTOGRAM_GROUP (items of a
// group).
#include "common/types.clh"
#include "primitives/sort_keys.clh"

#ifndef PASSES
#error "PASSES comes from the host"
#endif
#ifndef DIGITS
#error "DIGITS comes from the host"
#endif
#ifndef HISTOGRAM_GROUP
#error "HISTOGRAM_GROUP comes from the host"
#endif

#define HISTOGRAM_KERNEL __kernel __attribute__((reqd_work_group_size(HISTOGRAM_GROUP, 1, 1)))
#define UNROLL 16u

INLINED void count_key(KEY key, uint first_bit, uint last_mask, __local uint* histograms) {
#pragma unroll
  for (uint pass = 0; pass < PASSES; pass++) {
    const uint mask = pass == PASSES - 1 ? last_mask : DIGITS - 1;
    atomic_inc(&histograms[pass * DIGITS + ((uint)(key >> (first_bit + pass * 8)) & mask)]);
  }
}

// Digit `pass` of a key is the 8 bits from first_bit + 8 * pass; of the last, those in last_mask. Adds to
// control[histogram_at + pass * 256 + digit]. On the way, clears control[states_at] up to control[states_at + states -
// 1], what the passes need clear: that saves a launch's worth of time, and a fill of megabytes.
HISTOGRAM_KERNEL void onesweep_histogram(const __global STORED* keys, uint count, uint first_bit, uint last_mask,
                                         __global uint* control, uint histogram_at, uint states_at, uint states) {
  __local uint histograms[PASSES * DIGITS];
  const uint item = get_local_id(0);
  for (ulong i = get_group_id(0) * HISTOGRAM_GROUP + item; i < states; i += get_num_groups(0) * HISTOGRAM_GROUP)
    control[states_at + i] = 0;
  for (uint i = item; i < PASSES * DIGITS; i += HISTOGRAM_GROUP) histograms[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const ulong block = UNROLL * HISTOGRAM_GROUP, groups = get_num_groups(0);
  const ulong share = (count + groups * block - 1) / (groups * block) * block;
  const ulong last = min((ulong)count, share * (get_group_id(0) + 1));
  ulong i = share * get_group_id(0) + item;
  for (; i + (UNROLL - 1) * HISTOGRAM_GROUP < last; i += block) {
    KEY ahead[UNROLL];
#pragma unroll
    for (uint k = 0; k < UNROLL; k++) ahead[k] = encode_key(keys[i + k * HISTOGRAM_GROUP]);
#pragma unroll
    for (uint k = 0; k < UNROLL; k++) count_key(ahead[k], first_bit, last_mask, histograms);
  }
  for (; i < last; i += HISTOGRAM_GROUP) count_key(encode_key(keys[i]), first_bit, last_mask, histograms);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = item; k < PASSES * DIGITS; k += HISTOGRAM_GROUP)
    if (histograms[k] != 0) atomic_add(&control[histogram_at + k], histograms[k]);
}
