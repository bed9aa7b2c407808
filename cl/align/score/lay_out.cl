// Converts the concatenated sequences of a database chunk to the layouts of the scoring kernels
// (src/align/device_state.hpp). Codes become classes, and pads fill the gaps between sequences.
#include "common/items.clh"
#include "common/lower_bound.clh"

#ifndef LANES
#error "LANES comes from the host"
#endif

// blocks: number of 16-letter blocks of the result. margin: pads before the first sequence. offset[s]: position of
// sequence s in codes.
ITEM_KERNEL void lay_out_plain(__global const uchar* codes, __global const uint* offset, __global const uint* begin,
                               __global const uint* length, __global const uchar* class_of, __global uint4* letters,
                               uint count, uint blocks, uint pad, uint margin, ulong share) {
  FOR_EACH_ITEM(block, blocks, share) {
    const uint first = (uint)block * 16;
    uint words[4];
    const uint s = first < margin ? 0 : last_not_above_uint(begin, count, first);
    const uint size = length[s], from = offset[s], start = begin[s];
    for (uint w = 0; w < 4; w++) {
      uint word = 0;
      for (uint b = 0; b < 4; b++) {
        const uint place = first + 4 * w + b - start;  // wraps around to a large value before the first sequence
        const uint letter = place < size ? class_of[codes[from + place] & 31] : pad;
        word |= letter << (8 * b);
      }
      words[w] = word;
    }
    letters[block] = (uint4)(words[0], words[1], words[2], words[3]);
  }
}

// columns: sum over all groups. begin[g]: first column of group g; groups + 1 entries.
ITEM_KERNEL void lay_out_interleaved(__global const uchar* codes, __global const uint* offset,
                                     __global const uint* begin, __global const uint* length,
                                     __global const uchar* class_of, __global uchar* letters, uint count, uint groups,
                                     uint columns, uint pad, ulong share) {
  FOR_EACH_ITEM(column, columns, share) {
    const uint g = last_not_above_uint(begin, groups, (uint)column);
    const uint place = (uint)column - begin[g];
    for (uint lane = 0; lane < LANES; lane++) {
      const uint s = g * LANES + lane;
      uint letter = pad;
      if (s < count && place < length[s]) letter = class_of[codes[offset[s] + place] & 31];
      letters[(ulong)column * LANES + lane] = (uchar)letter;
    }
  }
}
