// Making a sparse table (rmq_table.clh), level by level. The minima of the level before go along, so that each level
// reads memory in order.
//
// Defines: LOG_UNIT.
#include "common/items.clh"
#include "overlap/rmq/rmq_table.clh"

// Level 0. An item is a unit.
ITEM_KERNEL void table_units(__global const uint* values, ulong size, __global uint* minima, __global ushort* low,
                             ulong units, ulong share) {
  FOR_EACH_ITEM(unit, units, share) {
    const ulong first = unit << LOG_UNIT;
    uint least = values[first], place = 0;
#if LOG_UNIT >= 2
    if (first + UNIT <= size) {
      for (uint k = 0; k < UNIT; k += 4) {
        const uint4 four = vload4(0, values + first + k);
        if (four.x < least) least = four.x, place = k;
        if (four.y < least) least = four.y, place = k + 1;
        if (four.z < least) least = four.z, place = k + 2;
        if (four.w < least) least = four.w, place = k + 3;
      }
    } else
#endif
    {
      for (uint k = 1; k < min((ulong)UNIT, size - first); k++)
        if (values[first + k] < least) least = values[first + k], place = k;
    }
    minima[unit] = least;
    low[unit] = (ushort)place;
  }
}

// Level `level`, 1 or more, from the one before. An item is a unit.
ITEM_KERNEL void table_level(__global const uint* restrict before, __global uint* restrict minima, __global ushort* low,
                             __global uint* high, uint level, ulong units, ulong share) {
  const ulong half_way = 1ul << (level - 1);
  FOR_EACH_ITEM(unit, units, share) {
    const uint left = before[unit];
    const uint right = unit + half_way < units ? before[unit + half_way] : left;
    const uint place = table_at(low, high, units, level - 1, right < left ? unit + half_way : unit);
    minima[unit] = min(left, right);
    if (level < HIGH_LEVEL)
      low[(level - FIRST_LEVEL) * units + unit] = (ushort)(place - (uint)(unit << LOG_UNIT));
    else
      high[(level - HIGH_LEVEL) * units + unit] = place;
  }
}
