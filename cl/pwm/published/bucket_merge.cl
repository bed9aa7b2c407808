// BUCKET SCORE DISTRIBUTION, the merge: the distribution of two slices together, in as many buckets as each has. Only
// where the device has fp64; the host merges otherwise.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "common/items.clh"

// Buckets a and b together are bucket (a * width_a + b * width_b) >> 32: widths are of a bucket of each slice in units
// of 2^-32 buckets of both, above 0. For each bucket of both the b that belong to an a go down as a goes up.
ITEM_KERNEL void bucket_merge(__global const double* a, __global const double* b, ulong width_a, ulong width_b,
                              uint buckets, __global double* merged, ulong share) {
  FOR_EACH_ITEM(o, buckets, share) {
    const ulong first = o << 32, end = (o + 1) << 32;
    // b from b_end on are too much with this a.
    uint b_end = (uint)min((ulong)buckets, (end - 1) / width_b + 1);
    double sum = 0;
    for (uint i = 0; i < buckets; i++) {
      const ulong from = i * width_a;
      if (from >= end) break;
      while (b_end > 0 && from + (b_end - 1) * width_b >= end) b_end--;
      double weight = 0;
      for (uint j = b_end; j > 0 && from + (j - 1) * width_b >= first; j--) weight += b[j - 1];
      sum += a[i] * weight;
    }
    merged[o] = sum;
  }
}
