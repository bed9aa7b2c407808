// The longest overlap region of two records, with range minima of the LCP values: each suffix and the last suffix
// before it that begins in the other record.
#include "common/items.clh"

// first[i], second[i]: i + 1 for a suffix that begins before `border`, or from there on; else 0.
ITEM_KERNEL void mark_records(__global const uint* positions, uint border, __global uint* first, __global uint* second,
                              ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint in_first = positions[i] < border;
    first[i] = in_first ? (uint)i + 1 : 0;
    second[i] = in_first ? 0 : (uint)i + 1;
  }
}

// first, second: after running maxima. ranges[i]: the LCP values between suffix i and the one of the other record, or a
// range that is out of range.
ITEM_KERNEL void ranges_between(__global const uint* positions, uint border, __global const uint* first,
                                __global const uint* second, __global uint2* ranges, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint other = positions[i] < border ? second[i] : first[i];
    ranges[i] = other != 0 ? (uint2)(other, (uint)i) : (uint2)(UINT_MAX, 0);
  }
}

// minima[i]: value and position; UINT_MAX for a range that is out of range.
ITEM_KERNEL void lengths_of(__global const uint2* minima, __global uint* lengths, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) lengths[i] = minima[i].x == UINT_MAX ? 0 : minima[i].x;
}
