// Reduction of each segment of an array by any commutative operator.
//
// Segment s has elements [offsets[s], offsets[s + 1]), kept inside the array whatever the offsets say. The order of
// combining depends on the length of a segment alone, in both families and for any group size:
//
// - at most SHORT elements: lane l of NARROW combines elements l, l + NARROW, ... in that order, then the lanes are
//   folded by halves;
// - more: each CHUNK of elements is combined in the same way with WIDE lanes, and so are the chunks' results.
//
// A lane begins with the identity. Combining a result with the identity changes no bit, so that lanes without elements
// can be left out.
//
// The first step reduces short segments and lists the chunks of long ones as units; the `gpu` kernel assigns LANES
// work-items to a segment. The second step reduces the units, the third combines those of a segment. The places of
// units depend on the order in which groups run, the results do not. A unit has two words: segment and chunk.
//
// The text in front of this file (reduce_source() of src/primitives/operator_reduce.cpp) is that of operator_reduce.cl.
// `cpu` kernels use its genocl_accumulate(a, b): lanes begin with the identity, so that `a` is never NaN in minima and
// maxima.
//
// Defines: OFFSET (a type), SHORT, CHUNK, and with `gpu` kernels GROUP_SIZE, LANES, STEP (ALL_STEPS: NVIDIA only).
#include "common/types.clh"
#include "common/prefetch.clh"
#include "common/ptx.clh"

#ifndef OFFSET
#error "OFFSET comes from the host"
#endif
#if !defined(SHORT) || !defined(CHUNK)
#error "SHORT and CHUNK come from the host"
#endif
#define NARROW 32
#define WIDE 256

#if IS_ARG
#define ELEMENT_AT(at, place) accumulator_of(VALUE_AT(at), place)
#else
#define ELEMENT_AT(at, place) VALUE_AT(at)
#endif

static inline ulong first_of(__global const OFFSET* offsets, ulong segment, ulong count) {
  return min((ulong)offsets[segment], count);
}
static inline ulong length_of(__global const OFFSET* offsets, ulong segment, ulong count) {
  const ulong first = first_of(offsets, segment, count), last = first_of(offsets, segment + 1, count);
  return last > first ? last - first : 0;
}
static inline uint chunks_of(ulong length) { return (uint)((length + CHUNK - 1) / CHUNK); }

// Overlapping segments, by offsets that decrease, may ask for more units than fit.
static inline void list_unit(volatile __global ulong* units, uint max_units, ulong unit, ulong segment, uint chunk) {
  if (unit >= max_units) return;
  units[2 * unit] = segment;
  units[2 * unit + 1] = chunk;
}

#ifndef ONLY_CPU
#ifndef LANES
#define LANES 4
#endif
#define OWN (NARROW / LANES)  // lanes of a work-item
#define SEGMENTS (GROUP_SIZE / LANES)
// Rows of NARROW elements that are read before any is combined: eight loads of an item.
#define ROWS (OWN >= 8 ? 1 : 8 / OWN)

// Reduces `size` elements to lanes[0]. `element`: the accumulator of the element at `place`. Ends in front of a
// barrier.
#define READS 8
#define REDUCE_WIDE_GPU(size, element)                                                            \
  for (uint lane = item; lane < WIDE; lane += GROUP_SIZE) {                                       \
    ACCUMULATOR sum = accumulator_identity();                                                     \
    for (uint row = lane; row < size; row += READS * WIDE) {                                      \
      ACCUMULATOR read[READS];                                                                    \
      _Pragma("unroll") for (uint k = 0; k < READS; k++) {                                        \
        const uint place = row + k * WIDE;                                                        \
        read[k] = place < size ? element : accumulator_identity();                                \
      }                                                                                           \
      _Pragma("unroll") for (uint k = 0; k < READS; k++) sum = accumulator_combine(sum, read[k]); \
    }                                                                                             \
    lanes[lane] = sum;                                                                            \
  }                                                                                               \
  for (uint half_size = WIDE / 2; half_size > 0; half_size /= 2) {                                \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                 \
    for (uint lane = item; lane < half_size; lane += GROUP_SIZE)                                  \
      lanes[lane] = accumulator_combine(lanes[lane], lanes[lane + half_size]);                    \
  }

// STEP: that of a launch. In a launch of ALL_STEPS groups from `short_groups` on reduce units. They wait for those
// below, which have begun, since groups are numbered in the order in which they begin. The group that reduces the last
// unit of a segment combines them.
#define SHORT_SEGMENTS 0
#define REDUCE_UNITS 1
#define COMBINE_UNITS 2
#define ALL_STEPS 3
#define ONE_LAUNCH (STEP == ALL_STEPS)

#if ONE_LAUNCH
#include "primitives/retire.clh"
// Words of `control`, all 0 before and after a launch.
#define BEGUN 0    // groups
#define ENDED 1    // groups
#define USED 2     // units
#define REDUCED 3  // and on: units of the segment whose first unit this is
#define CONTROL volatile __global uint*
#else
#define USED 0
#define CONTROL __global uint*
#endif

GROUP_KERNEL void segmented_reduce_gpu(INPUT_PARAMETERS ulong count, __global const OFFSET* offsets, ulong segments,
                                       uint short_groups, CONTROL control, volatile __global ulong* units,
                                       uint max_units, __global RESULT* partials, __global RESULT* results) {
  __local ACCUMULATOR lanes[WIDE > GROUP_SIZE ? WIDE : GROUP_SIZE];
  __local uint shared[SEGMENTS];
  const uint item = get_local_id(0);
  ulong group = get_group_id(0), groups = get_num_groups(0);
  bool reduces_short = STEP == SHORT_SEGMENTS;
#if ONE_LAUNCH
  if (item == 0) shared[0] = atomic_inc(control + BEGUN);
  barrier(CLK_LOCAL_MEM_FENCE);
  group = shared[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  reduces_short = group < short_groups;
#endif

  if (reduces_short) {
    const uint lane = item % LANES;
    const ulong segment = group * SEGMENTS + item / LANES;
    const ulong first = segment < segments ? first_of(offsets, segment, count) : 0;
    const ulong length = segment < segments ? length_of(offsets, segment, count) : 0;
    const uint chunks = length > SHORT ? chunks_of(length) : 0;
    if (chunks != 0 && lane == 0) shared[item / LANES] = atomic_add(control + USED, chunks);

    const uint size = chunks != 0 ? 0 : (uint)length;
    ACCUMULATOR own[OWN];
#pragma unroll
    for (uint k = 0; k < OWN; k++) own[k] = accumulator_identity();
    for (uint row = 0; row < size; row += ROWS * NARROW) {
      ACCUMULATOR read[ROWS * OWN];
#pragma unroll
      for (uint k = 0; k < ROWS * OWN; k++) {
        const uint place = row + k * LANES + lane;
        read[k] = place < size ? ELEMENT_AT(first + place, place) : accumulator_identity();
      }
#pragma unroll
      for (uint k = 0; k < ROWS * OWN; k++) own[k % OWN] = accumulator_combine(own[k % OWN], read[k]);
    }
#pragma unroll
    for (uint half_size = OWN / 2; half_size > 0; half_size /= 2) {
#pragma unroll
      for (uint k = 0; k < half_size; k++) own[k] = accumulator_combine(own[k], own[k + half_size]);
    }
    lanes[item] = own[0];
    for (uint half_size = LANES / 2; half_size > 0; half_size /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (lane < half_size) lanes[item] = accumulator_combine(lanes[item], lanes[item + half_size]);
    }
    if (segment < segments && chunks == 0 && lane == 0) results[segment] = RESULT_OF(lanes[item]);
    for (uint chunk = lane; chunk < chunks; chunk += LANES)
      list_unit(units, max_units, (ulong)shared[item / LANES] + chunk, segment, chunk);
#if ONE_LAUNCH
    ptx_device_fence();
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) atomic_inc(control + ENDED);
#endif
    return;
  }

#if ONE_LAUNCH
  group -= short_groups;
  groups -= short_groups;
  if (item == 0) {
    while (control[ENDED] < short_groups) ptx_pause();
    ptx_device_fence();
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  const uint unit_count = min(control[USED], max_units);
  for (ulong unit = group; unit < unit_count; unit += groups) {
    const ulong segment = units[2 * unit], chunk = units[2 * unit + 1], base = chunk * CHUNK;
    const ulong first = first_of(offsets, segment, count), length = length_of(offsets, segment, count);
    const uint chunks = (uint)min((ulong)chunks_of(length), unit_count - (unit - chunk));
    bool combines = chunk == 0 && chunks > 1;
    if (STEP != COMBINE_UNITS) {
      const uint size = base < length ? (uint)min((ulong)CHUNK, length - base) : 0;
      REDUCE_WIDE_GPU(size, ELEMENT_AT(first + base + place, base + place))
      if (item == 0 && chunks < 2) results[segment] = RESULT_OF(lanes[0]);
      if (item == 0 && chunks > 1) partials[unit] = RESULT_OF(lanes[0]);
#if ONE_LAUNCH
      if (item == 0) {
        CONTROL reduced = control + REDUCED + (unit - chunk);
        shared[0] = 0;
        if (chunks > 1) {
          ptx_device_fence();
          shared[0] = atomic_inc(reduced) == chunks - 1;
          ptx_device_fence();
        }
        if (shared[0] != 0) *reduced = 0;
      }
#endif
      barrier(CLK_LOCAL_MEM_FENCE);
#if ONE_LAUNCH
      combines = shared[0] != 0;
#else
      combines = false;
#endif
    }
    if (!combines) continue;
    REDUCE_WIDE_GPU(chunks, accumulator_load(partials + (unit - chunk + place)))
    if (item == 0) results[segment] = RESULT_OF(lanes[0]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#if ONE_LAUNCH
  if (item == 0 && is_last_group(control + ENDED)) control[BEGUN] = control[ENDED] = control[USED] = 0;
#endif
}
#endif

#ifndef ONLY_GPU
// The number of elements ahead that a worker prefetches. Without it sums of segments of 10 elements in memory take
// three times as long.
#define AHEAD 1024

// The first segment s with offsets[s] + s >= `share`: workers get as many elements as empty segments.
static inline ulong first_segment_from(__global const OFFSET* offsets, ulong segments, ulong share) {
  ulong low = 0;
  for (ulong left = segments; left > 0;) {
    const ulong half_size = left / 2;
    if ((ulong)offsets[low + half_size] + low + half_size < share) {
      low += half_size + 1;
      left -= half_size + 1;
    } else {
      left = half_size;
    }
  }
  return low;
}

#define FOLD_CPU(lanes, number)                                    \
  for (uint half_size = number / 2; half_size > 0; half_size /= 2) \
    for (uint lane = 0; lane < half_size; lane++) lanes[lane] = genocl_accumulate(lanes[lane], lanes[lane + half_size]);
// For short segments: without loops.
#define FOLD_HALF_CPU(lanes, half_size)                                         \
  _Pragma("unroll") for (uint lane = 0; lane < half_size; lane++) lanes[lane] = \
      genocl_accumulate(lanes[lane], lanes[lane + half_size]);
#define FOLD_8_CPU(lanes) FOLD_HALF_CPU(lanes, 4) FOLD_HALF_CPU(lanes, 2) FOLD_HALF_CPU(lanes, 1)
#define FOLD_16_CPU(lanes) FOLD_HALF_CPU(lanes, 8) FOLD_8_CPU(lanes)
#define FOLD_32_CPU(lanes) FOLD_HALF_CPU(lanes, 16) FOLD_16_CPU(lanes)

// Combines a row of `size` > 0 elements with the first of `number` lanes. Where the array goes on, the elements behind
// the row are read as well: compilers make vectors of such loops, but branches of unrolled ones. At the end of the
// array the last element is read instead. A loop over `size` lanes lost its results for 8 and 16-bit elements with
// PoCL 3.1.
#define COMBINE_ROW_CPU(lanes, number, size, index)                      \
  _Pragma("nounroll") for (uint lane = 0; lane < number; lane++) {       \
    const VALUE value = genocl_accumulate(lanes[lane], VALUE_AT(index)); \
    lanes[lane] = lane < size ? value : lanes[lane];                     \
  }
#define PART_OF_ROW_CPU(lanes, number, from, size)                    \
  if (from + number <= count) {                                       \
    COMBINE_ROW_CPU(lanes, number, size, from + lane)                 \
  } else {                                                            \
    COMBINE_ROW_CPU(lanes, number, size, min(from + lane, count - 1)) \
  }

// The values of elements [from, from + size) combined in lanes[0], for 0 < size <= `number`.
#define SET_ROW_CPU(lanes, number, size, index)                                         \
  _Pragma("nounroll") for (uint lane = 0; lane < number; lane++) {                      \
    const VALUE value = genocl_accumulate(genocl_operator_identity(), VALUE_AT(index)); \
    lanes[lane] = lane < size ? value : genocl_operator_identity();                     \
  }
#define REDUCE_ROW_CPU(lanes, number, from, size, fold)           \
  VALUE lanes[number];                                            \
  if (from + number <= count) {                                   \
    SET_ROW_CPU(lanes, number, size, from + lane)                 \
  } else {                                                        \
    SET_ROW_CPU(lanes, number, size, min(from + lane, count - 1)) \
  }                                                               \
  fold(lanes)

// The same for any size, without the fold.
#define REDUCE_CPU(lanes, number, from, size)                                                                        \
  VALUE lanes[number];                                                                                               \
  for (uint lane = 0; lane < number; lane++) lanes[lane] = genocl_operator_identity();                               \
  {                                                                                                                  \
    ulong row = from;                                                                                                \
    const ulong end = from + size;                                                                                   \
    for (; row + number <= end; row += number)                                                                       \
      for (uint lane = 0; lane < number; lane++) lanes[lane] = genocl_accumulate(lanes[lane], VALUE_AT(row + lane)); \
    const uint left = (uint)(end - row);                                                                             \
    if (left != 0) {                                                                                                 \
      PART_OF_ROW_CPU(lanes, number, row, left)                                                                      \
    }                                                                                                                \
  }

// Sets `found` to the accumulator of elements [from, from + size), whose values combine to `best`. The first of them
// has place `base` in its segment. Accumulators of two members prevent vector instructions, so the place of `best` is
// searched while the elements are in the cache, `number` of them together.
#if IS_ARG
#define SET_FOUND(found, best, from, size, base, number)             \
  uint place = 0;                                                    \
  while (place < size && from + place + number <= count) {           \
    uint hit = number;                                               \
    _Pragma("nounroll") for (uint k = 0; k < number; k++) hit =      \
        min(hit, VALUE_AT(from + place + k) == best ? k : number);   \
    place += hit;                                                    \
    if (hit < number) break;                                         \
  }                                                                  \
  while (place < size && !(VALUE_AT(from + place) == best)) place++; \
  found = place < size ? accumulator_of(VALUE_AT(from + place), base + place) : accumulator_identity();
#else
#define SET_FOUND(found, best, from, size, base, number) found = best;
#endif

// `share`: of the sum of elements and segments.
WORKER_KERNEL void segmented_reduce_short_cpu(INPUT_PARAMETERS ulong count, __global const OFFSET* offsets,
                                              ulong segments, ulong share, __global uint* used, __global ulong* units,
                                              uint max_units, __global RESULT* results) {
  const ulong worker = get_group_id(0);
  const ulong begin = worker == 0 ? 0 : first_segment_from(offsets, segments, worker * share);
  const ulong end =
      worker + 1 == get_num_groups(0) ? segments : first_segment_from(offsets, segments, (worker + 1) * share);
  for (ulong segment = begin; segment < end; segment++) {
    const ulong first = first_of(offsets, segment, count), length = length_of(offsets, segment, count);
    if (length > SHORT) {
      const uint chunks = chunks_of(length);
      const ulong unit = atomic_add(used, chunks);
      for (uint chunk = 0; chunk < chunks; chunk++) list_unit(units, max_units, unit + chunk, segment, chunk);
      continue;
    }
    if (length == 0) {
      results[segment] = RESULT_OF(accumulator_identity());
      continue;
    }
    const uint size = (uint)length;
    PREFETCH(genocl_input0 + min(first + AHEAD, count));
    ACCUMULATOR total;
    if (size <= 8) {
      REDUCE_ROW_CPU(lanes, 8, first, size, FOLD_8_CPU)
      SET_FOUND(total, lanes[0], first, size, 0, 8)
    } else if (size <= 16) {
      REDUCE_ROW_CPU(lanes, 16, first, size, FOLD_16_CPU)
      SET_FOUND(total, lanes[0], first, size, 0, 16)
    } else {
      REDUCE_CPU(lanes, NARROW, first, size)
      FOLD_32_CPU(lanes)
      SET_FOUND(total, lanes[0], first, size, 0, NARROW)
    }
    results[segment] = RESULT_OF(total);
  }
}

WORKER_KERNEL void segmented_reduce_units_cpu(INPUT_PARAMETERS ulong count, __global const OFFSET* offsets,
                                              __global const uint* used, __global const ulong* units, uint max_units,
                                              __global RESULT* partials, __global RESULT* results) {
  const uint unit_count = min(used[0], max_units);
  for (uint unit = get_group_id(0); unit < unit_count; unit += get_num_groups(0)) {
    const ulong segment = units[2 * (ulong)unit], base = units[2 * (ulong)unit + 1] * CHUNK;
    const ulong length = length_of(offsets, segment, count), first = first_of(offsets, segment, count) + base;
    const uint size = base < length ? (uint)min((ulong)CHUNK, length - base) : 0;
    REDUCE_CPU(lanes, WIDE, first, size)
    FOLD_CPU(lanes, WIDE)
    ACCUMULATOR total;
    SET_FOUND(total, lanes[0], first, size, base, NARROW)
    if (length <= CHUNK)
      results[segment] = RESULT_OF(total);
    else
      partials[unit] = RESULT_OF(total);
  }
}

WORKER_KERNEL void segmented_reduce_combine_cpu(ulong count, __global const OFFSET* offsets, __global const uint* used,
                                                __global const ulong* units, uint max_units,
                                                __global const RESULT* partials, __global RESULT* results) {
  const uint unit_count = min(used[0], max_units);
  for (uint unit = get_group_id(0); unit < unit_count; unit += get_num_groups(0)) {
    const ulong segment = units[2 * (ulong)unit];
    const uint chunks = chunks_of(length_of(offsets, segment, count));
    if (units[2 * (ulong)unit + 1] != 0 || chunks < 2) continue;
    const uint size = min(chunks, unit_count - unit);
    ACCUMULATOR lanes[WIDE];
    for (uint lane = 0; lane < WIDE; lane++) lanes[lane] = accumulator_identity();
    for (uint k = 0; k < size; k++) lanes[k % WIDE] = accumulator_combine(lanes[k % WIDE], partials[unit + k]);
    for (uint half_size = WIDE / 2; half_size > 0; half_size /= 2)
      for (uint lane = 0; lane < half_size; lane++)
        lanes[lane] = accumulator_combine(lanes[lane], lanes[lane + half_size]);
    results[segment] = RESULT_OF(lanes[0]);
  }
}
#endif
