// The published naive scan (Giraud and Varre): the score of every place, a sum of one number for each column. A group
// copies a part of the text to local memory; each of its items scores one place there. The matrix is in global memory.
#include "pwm/published/places.clh"

// Numbers of a column: A, C, G, T, and of a letter that is no base.
#define COLUMN 5
#define LONGEST 128

// The letters in local memory are 0 to 4.
#ifdef ONLY_CPU
#define TEXT_POINTER __global const uchar*
#define COLUMN_OF(letter) LETTER(letter)
#else
#define TEXT_POINTER __local const uchar*
#define COLUMN_OF(letter) (letter)
#endif

INLINED float score_at(__global const float* columns, TEXT_POINTER word, uint length) {
  float score = 0;
  for (uint i = 0; i < length; i++) score += columns[i * COLUMN + COLUMN_OF(word[i])];
  return score;
}

PLACE_KERNEL void naive(PLACE_PARAMETERS, __global const uchar* letters) {
#ifdef ONLY_CPU
  FOR_EACH_TARGET(target) {
    const uint length = lengths[target];
    __global const float* columns = tables + table_begin[target];
    FOR_EACH_PLACE(place, length)
    if (score_at(columns, letters + place, length) >= thresholds[target]) KEEP(target, place);
  }
#else
  __local uchar text[GROUP_SIZE + LONGEST];
  const uint item = get_local_id(0), first = first_place(own_begin, own_end, tile);
  const uint last = first + min(tile, own_end - first);
  for (uint begin = first; begin < last; begin += GROUP_SIZE) {
    barrier(CLK_LOCAL_MEM_FENCE);  // the part before is in use
    for (uint i = item; i < GROUP_SIZE + LONGEST; i += GROUP_SIZE)
      text[i] = i < size - begin ? (uchar)LETTER(letters[begin + i]) : 4;
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_EACH_TARGET(target) {
      const uint length = lengths[target], place = begin + item;
      if (place >= last_place(first, own_end, tile, size, length)) continue;
      const float score = score_at(tables + table_begin[target], text + item, length);
      if (score >= thresholds[target]) KEEP(target, place);
    }
  }
#endif
}
