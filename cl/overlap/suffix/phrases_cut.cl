// Prefix-free parsing (Boucher, Gagie, Kuhnle, Langmead, Manzini, Mun, "Prefix-free parsing for building big BWTs",
// 2019), first part: where phrases begin, and which are the same.
#include "overlap/suffix/phrases.clh"

// A window is a trigger if this number of bits of its hash are 0.
#ifndef PHRASE_BITS
#error "PHRASE_BITS comes from the host"
#endif

static inline bool phrase_trigger(ulong window, uint seed) {
  uint hash = ((uint)window + seed) * 0x9e3779b1u + ((uint)(window >> 32) ^ seed) * 0x85ebca77u;
  hash = (hash ^ hash >> 15) * 0x2c1b3c6du;
  hash = (hash ^ hash >> 12) * 0x297a2d39u;
  return hash >> (32 - PHRASE_BITS) == 0;
}

// marks[b]: at which of 32 places phrases begin, the first in the highest bit; counts[b]: how many.
ITEM_KERNEL void phrase_mark(__global const ulong* text, __global const uint* separators, ulong size, uint seed,
                             __global uint* marks, __global uint* counts, ulong count, ulong share) {
  FOR_EACH_ITEM(block, count, share) {
    uint mark = 0;
    for (uint w = 0; w < TEXT_BITS / 2; w++) {
      const ulong first = text[block * (TEXT_BITS / 2) + w], second = text[block * (TEXT_BITS / 2) + w + 1];
      uint found = 0;
      for (uint k = 0; k < TEXT_WINDOW; k++) {
        const ulong window = first << k * TEXT_BITS | second >> 1 >> (63 - k * TEXT_BITS);
        found |= (uint)phrase_trigger(window >> (64 - PHRASE_WINDOW * TEXT_BITS), seed) << (31 - k);
      }
      mark |= found >> w * TEXT_WINDOW;
    }
    // Only where the window holds no separator and ends before the end.
    const ulong begin = 32 * block;
    const ulong windows = size < PHRASE_WINDOW ? 0 : size - PHRASE_WINDOW + 1;
    if (begin + 32 > windows) mark = begin >= windows ? 0 : mark & ~(0xffffffffu >> (uint)(windows - begin));
#if TEXT_SEPARATORS
    ulong separated = (ulong)separators[block] << 32 | separators[block + 1];
    const uint own = separators[block];
    uint span = 1;
    for (; span * 2 <= PHRASE_WINDOW; span *= 2) separated |= separated << span;
    if (span < PHRASE_WINDOW) separated |= separated << (PHRASE_WINDOW - span);
    mark &= ~(uint)(separated >> 32);
    mark |= own >> 1;
    if (block > 0) mark |= separators[block - 1] << 31;
#else
    (void)separators;
#endif
    if (block == 0) mark |= 1u << 31;
    if (begin + 32 > size) mark &= ~(0xffffffffu >> (uint)(size - begin));
    marks[block] = mark;
    counts[block] = popcount(mark);
  }
}

// offsets[b]: phrases that begin before block b.
ITEM_KERNEL void phrase_write_starts(__global const uint* marks, __global const uint* offsets, __global uint* starts,
                                     uint number, uint size, ulong count, ulong share) {
  FOR_EACH_ITEM(block, count, share) {
    uint mark = marks[block], to = offsets[block];
    while (mark != 0) {
      const uint k = clz(mark);
      starts[to++] = (uint)(32 * block) + k;
      mark &= ~(1u << (31 - k));
    }
    if (block == 0) starts[number] = size;
  }
}

// hashes[i]: all but the lowest `shift` bits. status[0]: 1 when a phrase is longer than `longest`, and has no hash
// then.
ITEM_KERNEL void phrase_hash(__global const ulong* text, __global const uint* separators, ulong size,
                             __global const uint* starts, uint seed, uint longest, uint shift, __global ulong* hashes,
                             __global uint* phrases, __global uint* status, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const uint kind = phrase_kind(separators, size, starts, i), length = phrase_length(starts, i, kind),
               begin = starts[i];
    ulong hash = ((ulong)length << 1 | (kind != PHRASE_AT_TRIGGER)) + seed;
    if (length > longest) {
      atomic_or(&status[0], 1u);
    } else {
      for (uint k = 0; k < length; k += TEXT_WINDOW) {
        hash = (hash ^ phrase_window(text, (ulong)begin + k, length - k)) * 0x9e3779b97f4a7c15ul;
        hash ^= hash >> 32;
      }
    }
    hash *= 0xd6e8feb86659fd93ul;
    hashes[i] = (hash ^ hash >> 32) >> shift;
    phrases[i] = (uint)i;
  }
}

static inline bool phrase_equal(__global const ulong* text, __global const uint* separators, ulong size,
                                __global const uint* starts, uint a, uint b) {
  const uint kind_a = phrase_kind(separators, size, starts, a), kind_b = phrase_kind(separators, size, starts, b);
  const uint length = phrase_length(starts, a, kind_a);
  if ((kind_a == PHRASE_AT_TRIGGER) != (kind_b == PHRASE_AT_TRIGGER) || length != phrase_length(starts, b, kind_b))
    return false;
  for (uint k = 0; k < length; k += TEXT_WINDOW)
    if (phrase_window(text, (ulong)starts[a] + k, length - k) != phrase_window(text, (ulong)starts[b] + k, length - k))
      return false;
  return true;
}

// In the order of hashes: news[k]: 1 if the k-th phrase differs from the one before; lengths[k]: its size in the
// dictionary, 0 if it does not differ. status[1]: 1 if different phrases have the same hash.
ITEM_KERNEL void phrase_compare(__global const ulong* text, __global const uint* separators, ulong size,
                                __global const uint* starts, __global const ulong* hashes, __global const uint* phrases,
                                __global uint* news, __global uint* lengths, __global uint* status, ulong count,
                                ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    const uint i = phrases[k];
    const bool differs = k == 0 || hashes[k] != hashes[k - 1];
    if (!differs && !phrase_equal(text, separators, size, starts, phrases[k - 1], i)) atomic_or(&status[1], 1u);
    news[k] = differs;
    lengths[k] = differs ? phrase_length(starts, i, phrase_kind(separators, size, starts, i)) + 1 : 0;
  }
}

// numbers[k]: different phrases up to the k-th; places[k]: the sum of the lengths before it. entries[i]: the number of
// phrase i's text in the dictionary; firsts[e]: a phrase whose text is entry e, begins[e]: where it begins there.
ITEM_KERNEL void phrase_enter(__global const uint* phrases, __global const uint* numbers, __global const uint* places,
                              __global uint* entries, __global uint* firsts, __global uint* begins, ulong count,
                              ulong share) {
  FOR_EACH_ITEM(k, count, share) {
    const uint number = numbers[k];
    if (k == 0 || numbers[k - 1] != number) {
      firsts[number - 1] = phrases[k];
      begins[number - 1] = places[k];
    }
    entries[phrases[k]] = number - 1;
  }
}
