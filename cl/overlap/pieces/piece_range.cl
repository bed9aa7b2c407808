// Which suffixes lie between two others: a piece of the array is all suffixes of a range.
#include "overlap/pieces/pieces.clh"

// A block is 32 places. Whether all its keys go on: neither a separator nor the end is in any of them.
static inline bool block_goes_on(__global const uint* separators, ulong size, ulong block) {
#if TEXT_SEPARATORS
  if ((separators[block] | separators[block + 1]) != 0) return false;
#else
  (void)separators;
#endif
  return 32 * block + 32 + KEY_SYMBOLS <= size;
}

// Keys of windows that go on.
#define KEY_OF_WINDOW(window) \
  ((window) >> (64 - KEY_SYMBOLS * TEXT_BITS) << (KEY_RUN_BITS + 1) | (ulong)(KEY_SYMBOLS << 1))

// Where a suffix with `key` is among the splitters: how many of them are not larger.
static inline uint interval_of(__global const ulong* text, __global const uint* separators, ulong size,
                               __global const uint* cover, __global const uint* ranks,
                               __global const ulong* splitter_keys, __global const PIECE_POSITION* splitters,
                               uint splitter_count, ulong place, ulong key) {
  uint begin = 0, end = splitter_count;
  while (begin < end) {
    const uint middle = (begin + end) / 2;
    if (piece_reaches(text, separators, size, cover, ranks, place, key, piece_place(splitters[middle]),
                      splitter_keys[middle]))
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

// intervals[i]: of the suffix at first + i.
ITEM_KERNEL void piece_intervals(__global const ulong* text, __global const uint* separators, ulong size,
                                 __global const uint* cover, __global const uint* ranks,
                                 __global const ulong* splitter_keys, __global const PIECE_POSITION* splitters,
                                 uint splitter_count, ulong first, __global uint* intervals, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share)
  intervals[i] = interval_of(text, separators, size, cover, ranks, splitter_keys, splitters, splitter_count, first + i,
                             piece_key(text, separators, size, first + i));
}

// marks[b]: which places of block first / 32 + b have suffixes that are not smaller than `lower`, where bit 0 of
// `bounds` is set, and smaller than `upper`, where bit 1 is; bit k of a mark is place k. counts[b]: how many.
ITEM_KERNEL void piece_mark(__global const ulong* text, __global const uint* separators, ulong size,
                            __global const uint* cover, __global const uint* ranks, ulong lower_key,
                            PIECE_POSITION lower, ulong upper_key, PIECE_POSITION upper, uint bounds, ulong first,
                            __global uint* marks, __global uint* counts, ulong count, ulong share) {
  const bool has_lower = (bounds & 1) != 0, has_upper = (bounds & 2) != 0;
  // A key strictly between these two is in the range.
  const ulong above = has_lower ? lower_key : 0, below = has_upper ? upper_key : ~0ul;
  FOR_EACH_ITEM(b, count, share) {
    const ulong block = first / 32 + b, begin = 32 * block;
    uint mark = 0, undecided = 0;
    if (block_goes_on(separators, size, block)) {
      for (uint w = 0; w < TEXT_BITS / 2; w++) {
        const ulong word = text[block * (TEXT_BITS / 2) + w], next = text[block * (TEXT_BITS / 2) + w + 1];
        uint inside = 0, same = 0;
        for (uint k = 0; k < TEXT_WINDOW; k++) {
          const ulong key = KEY_OF_WINDOW(word << k * TEXT_BITS | next >> 1 >> (63 - k * TEXT_BITS));
          inside |= (uint)(key > above && key < below) << k;
          same |= (uint)(key == above || key == below) << k;
        }
        mark |= inside << w * TEXT_WINDOW;
        undecided |= same << w * TEXT_WINDOW;
      }
    } else {
      const ulong left = size - begin;
      undecided = left >= 32 ? ~0u : (1u << left) - 1;
    }
    for (uint k = 0; undecided >> k != 0; k++) {
      if ((undecided >> k & 1) == 0) continue;
      const ulong place = begin + k, key = piece_key(text, separators, size, place);
      const bool from =
          !has_lower || piece_reaches(text, separators, size, cover, ranks, place, key, piece_place(lower), lower_key);
      const bool to =
          !has_upper || !piece_reaches(text, separators, size, cover, ranks, place, key, piece_place(upper), upper_key);
      mark |= (uint)(from && to) << k;
      if (k == 31) break;
    }
    marks[b] = mark;
    counts[b] = popcount(mark);
  }
}

// positions[before ...]: the marked ones. offsets[b]: how many blocks 0 to b - 1 have.
ITEM_KERNEL void piece_collect(__global const uint* marks, __global const uint* offsets, ulong first, ulong before,
                               __global PIECE_POSITION* positions, ulong count, ulong share) {
  FOR_EACH_ITEM(block, count, share) {
    ulong to = before + offsets[block];
    for (uint mark = marks[block], k = 0; mark != 0; mark >>= 1, k++)
      if (mark & 1) positions[to++] = piece_position(first + 32 * block + k);
  }
}
