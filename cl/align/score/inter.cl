// The published inter-task kernel (Pham et al., swGPUCluster, section IV): one pair per work-item, 32-bit scores, and
// the profile of the query in local memory. A work-item holds QUERY_ROWS letters of the query in registers and
// processes its whole subject. Then it continues with the next letters of the query; global memory stores H and F of
// the last row in between.
#include "common/types.clh"

#ifndef QUERY_ROWS
#error "QUERY_ROWS comes from the host"
#endif
#ifndef LETTERS
#error "LETTERS comes from the host"
#endif
#define ROW_WORDS (QUERY_ROWS / 4)

// letters: words of four subject letters, followed by pads. profile[(strip * LETTERS + letter) * ROW_WORDS + word]:
// four scores each. borders[column * count + item]. Processes subjects first .. first + count - 1, of similar lengths.
GROUP_KERNEL void inter(__global const uint* letters, __global const uint* begin, __global const uint* length,
                        __global const uint* profile, __global int2* borders, __global int* scores, uint first,
                        uint count, uint strips, ulong scores_begin, int gap_first, int gap_extend) {
  __local uint rows[LETTERS * ROW_WORDS];
  const uint item = (uint)get_global_id(0), local_item = (uint)get_local_id(0);
  const uint subject = first + min(item, count - 1);
  __global const uint* words = letters + begin[subject] / 4;
  const uint blocks = item < count ? (length[subject] + 3) / 4 : 0;
  int best = 0;
  for (uint strip = 0; strip < strips; strip++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = local_item; i < LETTERS * ROW_WORDS; i += GROUP_SIZE)
      rows[i] = profile[(ulong)strip * (LETTERS * ROW_WORDS) + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    int h[QUERY_ROWS], e[QUERY_ROWS];
#pragma unroll
    for (uint k = 0; k < QUERY_ROWS; k++) {
      h[k] = 0;
      e[k] = -gap_first;
    }
    int above = 0;
    for (uint block = 0; block < blocks; block++) {
      uint word = words[block];
      for (uint b = 0; b < 4; b++, word >>= 8) {
        __local const uint* row = rows + (word & 255) * ROW_WORDS;
        __global int2* border = borders + (ulong)(block * 4 + b) * count + item;
        const int2 from_above = strip > 0 ? *border : (int2)(0, -gap_first);
        int diagonal = above, f = from_above.y;
        above = from_above.x;
#pragma unroll
        for (uint w = 0; w < ROW_WORDS; w++) {
          const char4 four = as_char4(row[w]);
          const int of_row[4] = {four.s0, four.s1, four.s2, four.s3};
#pragma unroll
          for (uint i = 0; i < 4; i++) {
            const uint k = 4 * w + i;
            const int value = max(max(diagonal + of_row[i], e[k]), max(f, 0));
            diagonal = h[k];
            h[k] = value;
            best = max(best, value);
            e[k] = max(e[k] - gap_extend, value - gap_first);
            f = max(f - gap_extend, value - gap_first);
          }
        }
        if (strip + 1 < strips) *border = (int2)(h[QUERY_ROWS - 1], f);
      }
    }
  }
  if (item < count) scores[scores_begin + subject] = best;
}
