// The first step of a merge sort: sorts blocks of a `cpu` worker in its cache, or tiles of a group in local memory.
//
// The text in front of this file (src/primitives/expression.hpp) has the type KEY and genocl_less(a, b).
//
// Defines: HAS_VALUES (0, 1), VALUE (a type); with `cpu` kernels BLOCK; with `gpu` kernels GROUP_SIZE, ITEMS.
#include "primitives/merge_path.clh"

#if HAS_VALUES
#define VALUES_PARAMETER(name) , __global uchar* name
#else
#define VALUES_PARAMETER(name)
#endif

#ifndef ONLY_GPU
#ifndef BLOCK
#error "BLOCK comes from the host"
#endif
#define RUN 16

// Merges elements [first, middle) and [middle, last).
INLINED void merge_runs(__global const KEY* from, __global KEY* to, ulong first, ulong middle, ulong last
#if HAS_VALUES
                        ,
                        __global const CallersValue* from_values, __global CallersValue* to_values
#endif
) {
  ulong i = first, j = middle, at = first;
  while (i < middle && j < last) {
    // Neither run ends within so few results. No branch depends on the keys.
    for (const ulong end = at + min(middle - i, last - j); at < end; at++) {
      const KEY a = from[i], b = from[j];
      const bool second = genocl_less(b, a);
      to[at] = second ? b : a;
      IF_VALUES(to_values[at] = from_values[second ? j : i];)
      j += second;
      i += !second;
    }
  }
  for (; i < middle; i++, at++) {
    to[at] = from[i];
    IF_VALUES(to_values[at] = from_values[i];)
  }
  for (; j < last; j++, at++) {
    to[at] = from[j];
    IF_VALUES(to_values[at] = from_values[j];)
  }
}

// The place of an element is the number of elements that come before it. No branch depends on the keys.
INLINED void places_of(const KEY* keys, uint* places, uint size) {
  for (uint k = 0; k < size; k++) places[k] = 0;
  for (uint b = 1; b < size; b++)
    for (uint a = 0; a < b; a++) {
      const bool second = genocl_less(keys[b], keys[a]);
      places[b] += !second;
      places[a] += second;
    }
}

// Sorts blocks of BLOCK = RUN * 4^n elements of `from` to `to`. `spare` is overwritten; it may be `from`.
WORKER_KERNEL void merge_sort_blocks_cpu(__global const KEY* from, ulong count, ulong share, __global KEY* to,
                                         __global KEY* spare VALUES_PARAMETER(from_bytes) VALUES_PARAMETER(to_bytes)
                                             VALUES_PARAMETER(spare_bytes)) {
  IF_VALUES(__global const CallersValue* from_values = (__global const CallersValue*)from_bytes;)
  IF_VALUES(__global CallersValue* to_values = (__global CallersValue*)to_bytes;)
  IF_VALUES(__global CallersValue* spare_values = (__global CallersValue*)spare_bytes;)
  const ulong end = WORKER_LAST(count, share);
  for (ulong block = WORKER_FIRST(count, share); block < end; block += BLOCK) {
    const ulong last = min(end, block + BLOCK);
    for (ulong run = block; run < last; run += RUN) {
      const uint size = (uint)min((ulong)RUN, last - run);
      KEY keys[RUN];
      uint places[RUN];
      IF_VALUES(VALUE values[RUN];)
      for (uint k = 0; k < size; k++) {
        keys[k] = from[run + k];
        IF_VALUES(values[k] = from_values[run + k];)
      }
      if (size == RUN)
        places_of(keys, places, RUN);
      else
        places_of(keys, places, size);
      for (uint k = 0; k < size; k++) {
        to[run + places[k]] = keys[k];
        IF_VALUES(to_values[run + places[k]] = values[k];)
      }
    }
    for (ulong run = RUN; run < BLOCK && block + run < last; run *= 4) {
      for (ulong first = block; first < last; first += 2 * run)
        merge_runs(to, spare, first, min(last, first + run), min(last, first + 2 * run)
#if HAS_VALUES
                                                                 ,
                   to_values, spare_values
#endif
        );
      for (ulong first = block; first < last; first += 4 * run)
        merge_runs(spare, to, first, min(last, first + 2 * run), min(last, first + 4 * run)
#if HAS_VALUES
                                                                     ,
                   spare_values, to_values
#endif
        );
    }
  }
}
#endif

#ifndef ONLY_CPU
#ifndef ITEMS
#error "ITEMS comes from the host"
#endif
#define TILE ((ulong)GROUP_SIZE * ITEMS)

// Stores the elements of an item.
#define STORE_ITEMS                              \
  for (uint k = 0; k < ITEMS; k++) {             \
    tile_keys[own + k] = keys[k];                \
    IF_VALUES(tile_places[own + k] = places[k];) \
  }

// Orders keys[k] and keys[k + 1] for k = `first`, first + 2, ...
#define EXCHANGE_NEIGHBOURS(first, condition)                     \
  _Pragma("unroll") for (uint k = first; k + 1 < ITEMS; k += 2) { \
    if ((condition) && genocl_less(keys[k + 1], keys[k])) {       \
      const KEY key = keys[k];                                    \
      keys[k] = keys[k + 1];                                      \
      keys[k + 1] = key;                                          \
      IF_VALUES(const ushort place = places[k];)                  \
      IF_VALUES(places[k] = places[k + 1];)                       \
      IF_VALUES(places[k + 1] = place;)                           \
    }                                                             \
  }

// Sorts tiles of `from` to `to`, which may be `from`. Behind the end of the array a tile has copies of its last
// element, which stay there.
GROUP_KERNEL void merge_sort_tiles_gpu(__global const KEY* from, ulong count,
                                       __global KEY* to VALUES_PARAMETER(from_bytes) VALUES_PARAMETER(to_bytes)) {
  // Merges read up to ITEMS elements behind the tile, but do not use them.
  __local KEY tile_keys[(GROUP_SIZE + 1) * ITEMS];
  IF_VALUES(__local ushort tile_places[(GROUP_SIZE + 1) * ITEMS];)
  const uint item = get_local_id(0), own = item * ITEMS;
  const ulong first = get_group_id(0) * TILE;
  const uint size = (uint)min(TILE, count - first);
  KEY keys[ITEMS];
#pragma unroll
  for (uint k = 0; k < ITEMS; k++)  // all loads are in flight together
    keys[k] = from[first + min(k * GROUP_SIZE + item, size - 1)];
#pragma unroll
  for (uint k = 0; k < ITEMS; k++) tile_keys[k * GROUP_SIZE + item] = keys[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  IF_VALUES(ushort places[ITEMS];)
#pragma unroll
  for (uint k = 0; k < ITEMS; k++) {
    keys[k] = tile_keys[own + k];
    IF_VALUES(places[k] = (ushort)(own + k);)
  }
  // Odd-even transposition, whose indices are constant, keeps the item's elements in registers. Where the array ends it
  // moves none of the elements behind it.
  const uint number = own < size ? min((uint)ITEMS, size - own) : 0;
#pragma unroll 1
  for (uint rounds = 0; rounds < ITEMS; rounds += 2) {
    if (number == ITEMS) {
      EXCHANGE_NEIGHBOURS(0, true)
      EXCHANGE_NEIGHBOURS(1, true)
    } else {
      EXCHANGE_NEIGHBOURS(0, k + 1 < number)
      EXCHANGE_NEIGHBOURS(1, k + 1 < number)
    }
  }
  for (uint items = 1; items < GROUP_SIZE; items *= 2) {  // sorted runs of items * ITEMS elements
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    STORE_ITEMS
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint a = min(size, (item & ~(2 * items - 1)) * ITEMS), b = min(size, a + items * ITEMS);
    const uint end = min(size, b + items * ITEMS), from_a = min(own, end) - a;
    uint i = a + merge_path_local(tile_keys + a, b - a, tile_keys + b, end - b, from_a), j = b + from_a - (i - a);
    KEY key_a = tile_keys[i], key_b = tile_keys[j];
#pragma unroll
    for (uint k = 0; k < ITEMS; k++) {
      const bool second = j < end && (i >= b || genocl_less(key_b, key_a));
      keys[k] = second ? key_b : key_a;
      IF_VALUES(places[k] = tile_places[second ? j : i];)
      j += second;
      i += !second;
      const KEY next = tile_keys[second ? j : i];
      key_a = second ? key_a : next;
      key_b = second ? next : key_b;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  STORE_ITEMS
  barrier(CLK_LOCAL_MEM_FENCE);
  IF_VALUES(CallersValue values[ITEMS];)
#pragma unroll
  for (uint k = 0; k < ITEMS; k++) {
    const uint at = k * GROUP_SIZE + item;
    if (at < size) {
      to[first + at] = tile_keys[at];
      IF_VALUES(values[k] = ((__global const CallersValue*)from_bytes)[first + tile_places[at]];)
    }
  }
#if HAS_VALUES
  barrier(CLK_GLOBAL_MEM_FENCE);  // `to` may be `from`
#pragma unroll
  for (uint k = 0; k < ITEMS; k++) {
    const uint at = k * GROUP_SIZE + item;
    if (at < size) ((__global CallersValue*)to_bytes)[first + at] = values[k];
  }
#endif
}
#endif
