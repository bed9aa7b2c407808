// Making a sparse table (rmq_table.clh), level by level. The minima of the level before go along, so that each level
// reads memory in order.
//
// In `cpu` eight values, or the entries of eight units, are a vector that says so: not every compiler makes vectors
// of loops with choices in them.
//
// Defines: LOG_UNIT.
#include "common/items.clh"
#include "overlap/rmq/rmq_table.clh"

#define COUNT_TO_7 ((uint8)(0, 1, 2, 3, 4, 5, 6, 7))

// The least value of a unit that begins at `first`, and which of its values that is.
static inline uint min_of_unit(__global const uint* values, ulong size, ulong first, uint* place) {
  uint least = values[first];
  *place = 0;
#if LOG_UNIT >= 3 && defined(ONLY_CPU)
  if (first + UNIT <= size) {
    uint8 leasts = vload8(0, values + first), places = COUNT_TO_7;
#pragma unroll
    for (uint k = 8; k < UNIT; k += 8) {
      const uint8 more = vload8(0, values + first + k);
      places = more < leasts ? COUNT_TO_7 + k : places;
      leasts = min(leasts, more);
    }
    const uint4 four = min(leasts.lo, leasts.hi);
    least = min(min(four.x, four.y), min(four.z, four.w));
    places = leasts == (uint8)(least) ? places : (uint8)(UNIT);
    const uint4 first_places = min(places.lo, places.hi);
    *place = min(min(first_places.x, first_places.y), min(first_places.z, first_places.w));
    return least;
  }
#elif LOG_UNIT >= 2
  if (first + UNIT <= size) {
    for (uint k = 0; k < UNIT; k += 4) {
      const uint4 four = vload4(0, values + first + k);
      if (four.x < least) least = four.x, *place = k;
      if (four.y < least) least = four.y, *place = k + 1;
      if (four.z < least) least = four.z, *place = k + 2;
      if (four.w < least) least = four.w, *place = k + 3;
    }
    return least;
  }
#endif
  for (uint k = 1; k < min((ulong)UNIT, size - first); k++)
    if (values[first + k] < least) least = values[first + k], *place = k;
  return least;
}

// Level 0. An item is a unit.
ITEM_KERNEL void table_units(__global const uint* values, ulong size, __global uint* minima, __global ushort* low,
                             ulong units, ulong share) {
  FOR_EACH_ITEM(unit, units, share) {
    uint place;
    minima[unit] = min_of_unit(values, size, unit << LOG_UNIT, &place);
    low[unit] = (ushort)place;
  }
}

static inline void make_entry(__global const uint* before, __global uint* minima, __global ushort* low,
                              __global uint* high, uint level, ulong units, ulong unit) {
  const ulong half_way = 1ul << (level - 1);
  const uint left = before[unit];
  const uint right = unit + half_way < units ? before[unit + half_way] : left;
  const uint place = table_at(low, high, units, level - 1, right < left ? unit + half_way : unit);
  minima[unit] = min(left, right);
  if (level < HIGH_LEVEL)
    low[(level - FIRST_LEVEL) * units + unit] = (ushort)(place - (uint)(unit << LOG_UNIT));
  else
    high[(level - HIGH_LEVEL) * units + unit] = place;
}

#ifdef ONLY_CPU
// The entries of eight units.
static inline uint8 table_eight(__global const ushort* low, __global const uint* high, ulong units, uint level,
                                ulong unit) {
  const uint8 eight = (uint8)((uint)unit) + COUNT_TO_7;
  if (level < FIRST_LEVEL) return eight;
  if (level < HIGH_LEVEL)
    return (eight << (uint8)(LOG_UNIT)) + convert_uint8(vload8(0, low + (level - FIRST_LEVEL) * units + unit));
  return vload8(0, high + (level - HIGH_LEVEL) * units + unit);
}

static inline void make_eight(__global const uint* before, __global uint* minima, __global ushort* low,
                              __global uint* high, uint level, ulong units, ulong unit) {
  const ulong half_way = 1ul << (level - 1);
  const uint8 left = vload8(0, before + unit), right = vload8(0, before + unit + half_way);
  const uint8 places = right < left ? table_eight(low, high, units, level - 1, unit + half_way)
                                    : table_eight(low, high, units, level - 1, unit);
  vstore8(min(left, right), 0, minima + unit);
  if (level < HIGH_LEVEL) {
    const uint8 begins = ((uint8)((uint)unit) + COUNT_TO_7) << (uint8)(LOG_UNIT);
    vstore8(convert_ushort8(places - begins), 0, low + (level - FIRST_LEVEL) * units + unit);
  } else {
    vstore8(places, 0, high + (level - HIGH_LEVEL) * units + unit);
  }
}
#endif

// Level `level`, 1 or more, from the one before. An item is a unit.
ITEM_KERNEL void table_level(__global const uint* restrict before, __global uint* restrict minima, __global ushort* low,
                             __global uint* high, uint level, ulong units, ulong share) {
#ifdef ONLY_CPU
  const ulong end = WORKER_LAST(units, share), half_way = 1ul << (level - 1);
  ulong unit = WORKER_FIRST(units, share);
  for (; unit + 8 <= end && unit + half_way + 8 <= units; unit += 8)
    make_eight(before, minima, low, high, level, units, unit);
  for (; unit < end; unit++) make_entry(before, minima, low, high, level, units, unit);
#else
  FOR_EACH_ITEM(unit, units, share) make_entry(before, minima, low, high, level, units, unit);
#endif
}
