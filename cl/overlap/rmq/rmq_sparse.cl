// Range minima by a sparse table of all values: two entries, the two values they name.
#include "common/items.clh"

#define LOG_UNIT 0
#include "overlap/rmq/rmq_table.clh"

ITEM_KERNEL void query_sparse(__global const uint* values, ulong size, __global const ushort* low,
                              __global const uint* high, __global const Query* queries, __global Answer* answers,
                              ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const Query query = queries[i];
    Answer answer = OUT_OF_RANGE;
    if (is_in_range(query, size)) {
      const uint level = level_of((ulong)query.y - query.x + 1);
      const uint left = table_at(low, high, size, level, query.x);
      const uint right = table_at(low, high, size, level, (ulong)query.y + 1 - (1ul << level));
      const uint at_left = values[left], at_right = values[right];
      answer = at_right < at_left ? (Answer)(at_right, right) : (Answer)(at_left, left);
    }
    answers[i] = answer;
  }
}
