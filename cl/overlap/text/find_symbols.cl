// The bytes that occur in a text, whose number gives the bits of a symbol.
#include "common/types.clh"

// Byte k of a word, the lowest first.
#define BYTE_OF(word, k) ((uchar)((word) >> (8 * (k))))

static inline void found_byte(ulong* found, uint byte) {
  const ulong bit = 1ul << (byte & 63);
  found[0] |= byte >> 6 == 0 ? bit : 0;
  found[1] |= byte >> 6 == 1 ? bit : 0;
  found[2] |= byte >> 6 == 2 ? bit : 0;
  found[3] |= byte >> 6 == 3 ? bit : 0;
}

#ifndef ONLY_GPU
// Sets bit b % 32 of present[b / 32] for each byte b that occurs. Pieces that consist of the four `usual` bytes are
// fast.
#define PIECE 2048
WORKER_KERNEL void find_symbols(__global const uchar* bytes, uint usual, __global uint* present, ulong size,
                                ulong share) {
  const ulong begin = WORKER_FIRST(size, share), end = WORKER_LAST(size, share);
  ulong found[4] = {0, 0, 0, 0};
  const char16 zero = (char16)0;
  const uchar16 usual_0 = (uchar16)BYTE_OF(usual, 0), usual_1 = (uchar16)BYTE_OF(usual, 1);
  const uchar16 usual_2 = (uchar16)BYTE_OF(usual, 2), usual_3 = (uchar16)BYTE_OF(usual, 3);
  char16 seen_0 = zero, seen_1 = zero, seen_2 = zero, seen_3 = zero;
  for (ulong piece = begin; piece < end; piece += PIECE) {
    ulong2 others = (ulong2)(~0ul);
    if (piece + PIECE <= end) {
      __global const uchar16* vectors = (__global const uchar16*)(bytes + piece);
      char16 all_usual = ~zero;
      for (uint k = 0; k < PIECE / 16; k++) {
        const uchar16 vector = vectors[k];
        const char16 is_0 = vector == usual_0, is_1 = vector == usual_1, is_2 = vector == usual_2,
                     is_3 = vector == usual_3;
        seen_0 |= is_0;
        seen_1 |= is_1;
        seen_2 |= is_2;
        seen_3 |= is_3;
        all_usual &= is_0 | is_1 | is_2 | is_3;
      }
      others = as_ulong2(~all_usual);
    }
    if ((others.x | others.y) != 0)
      for (ulong k = piece; k < min(end, piece + PIECE); k++) found_byte(found, bytes[k]);
  }
  const ulong2 any_0 = as_ulong2(seen_0), any_1 = as_ulong2(seen_1), any_2 = as_ulong2(seen_2),
               any_3 = as_ulong2(seen_3);
  if ((any_0.x | any_0.y) != 0) found_byte(found, BYTE_OF(usual, 0));
  if ((any_1.x | any_1.y) != 0) found_byte(found, BYTE_OF(usual, 1));
  if ((any_2.x | any_2.y) != 0) found_byte(found, BYTE_OF(usual, 2));
  if ((any_3.x | any_3.y) != 0) found_byte(found, BYTE_OF(usual, 3));
  for (uint k = 0; k < 4; k++) {
    if ((uint)found[k] != 0) atomic_or(&present[2 * k], (uint)found[k]);
    if (found[k] >> 32 != 0) atomic_or(&present[2 * k + 1], (uint)(found[k] >> 32));
  }
}
#endif

#ifndef ONLY_CPU
// The same for GPUs; an item reads 16 bytes at a time.
GROUP_KERNEL void find_symbols_gpu(__global const uchar* bytes, __global uint* present, ulong size) {
  __local uint own[8];
  const uint item = get_local_id(0);
  if (item < 8) own[item] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  ulong found[4] = {0, 0, 0, 0};
  for (ulong i = 16 * get_global_id(0); i < size; i += 16 * get_global_size(0)) {
    if (i + 16 <= size) {
      const uint4 words = *(__global const uint4*)(bytes + i);
      for (uint k = 0; k < 4; k++) {
        found_byte(found, BYTE_OF(words.x, k));
        found_byte(found, BYTE_OF(words.y, k));
        found_byte(found, BYTE_OF(words.z, k));
        found_byte(found, BYTE_OF(words.w, k));
      }
    } else {
      for (ulong k = i; k < size; k++) found_byte(found, bytes[k]);
    }
  }
  for (uint k = 0; k < 4; k++) {
    if ((uint)found[k] != 0) atomic_or(&own[2 * k], (uint)found[k]);
    if (found[k] >> 32 != 0) atomic_or(&own[2 * k + 1], (uint)(found[k] >> 32));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < 8 && own[item] != 0) atomic_or(&present[item], own[item]);
}
#endif
