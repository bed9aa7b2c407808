// The number of records that contain the string of an interval of suffixes (Hui's color set size problem): the number
// of members that are the first of their record in the interval.
#include "common/items.clh"
#include "overlap/text/records.clh"

ITEM_KERNEL void records_of_members(__global const uint* ranks, __global const uint* positions,
                                    __global const uint* begins, uint record_count, __global uint* records,
                                    __global uint* members, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    records[k] = record_of(begins, record_count, positions[ranks[k]], 0);
    members[k] = (uint)k;
  }
}

// `records` sorted, `members` with them. previous[k]: 1 + the rank of the member before k of the same record, or 0.
ITEM_KERNEL void link_records(__global const uint* records, __global const uint* members, __global const uint* ranks,
                              __global uint* previous, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const bool first = i == 0 || records[i] != records[i - (i > 0)];
    previous[members[i]] = first ? 0 : ranks[members[i - 1]] + 1;
  }
}

// 1 for each member that is the first one of its record in its interval, which begins at member begins[k].
ITEM_KERNEL void mark_first_of_record(__global const uint* begins, __global const uint* ranks,
                                      __global const uint* previous, __global uint* marks, ulong count, ulong share) {
  FOR_EACH_ITEM(k, count, share) marks[k] = previous[k] <= ranks[begins[k]];
}
