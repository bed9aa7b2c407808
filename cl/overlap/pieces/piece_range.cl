// Which suffixes lie between two others: a piece of the array is all suffixes of a range.
#include "overlap/pieces/pieces.clh"

// intervals[i]: how many of the splitters, which ascend, are not larger than the suffix at first + i.
ITEM_KERNEL void piece_intervals(__global const ulong* text, __global const uint* breaks, ulong size,
                                 __global const uint* cover, __global const uint* ranks,
                                 __global const ulong* splitter_keys, __global const PIECE_POSITION* splitters,
                                 uint splitter_count, ulong first, __global uint* intervals, ulong count, ulong share) {
  FOR_EACH_ITEM(i, count, share) {
    const ulong place = first + i, key = piece_key(text, breaks, size, place);
    uint begin = 0, end = splitter_count;
    while (begin < end) {
      const uint middle = (begin + end) / 2;
      if (piece_reaches(text, breaks, size, cover, ranks, place, key, piece_place(splitters[middle]),
                        splitter_keys[middle]))
        begin = middle + 1;
      else
        end = middle;
    }
    intervals[i] = begin;
  }
}

// marks[b]: which of the 32 places from first + 32 b on have suffixes that are not smaller than `lower`, where bit 0 of
// `bounds` is set, and smaller than `upper`, where bit 1 is; bit k of a mark is place k. counts[b]: how many.
ITEM_KERNEL void piece_mark(__global const ulong* text, __global const uint* breaks, ulong size,
                            __global const uint* cover, __global const uint* ranks, ulong lower_key,
                            PIECE_POSITION lower, ulong upper_key, PIECE_POSITION upper, uint bounds, ulong first,
                            __global uint* marks, __global uint* counts, ulong count, ulong share) {
  FOR_EACH_ITEM(block, count, share) {
    const ulong begin = first + 32 * block;
    const uint places = (uint)min((ulong)32, size - begin);
    uint mark = 0;
    for (uint k = 0; k < places; k++) {
      const ulong place = begin + k, key = piece_key(text, breaks, size, place);
      const bool from = (bounds & 1) == 0 ||
                        piece_reaches(text, breaks, size, cover, ranks, place, key, piece_place(lower), lower_key);
      const bool below = (bounds & 2) == 0 ||
                         !piece_reaches(text, breaks, size, cover, ranks, place, key, piece_place(upper), upper_key);
      mark |= (uint)(from && below) << k;
    }
    marks[block] = mark;
    counts[block] = popcount(mark);
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
