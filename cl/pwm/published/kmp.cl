// The KMP-like filter (Liefooghe, Touzet and Varre 2009; tried on GPUs by Giraud and Varre): a place is left as in
// lookahead.cl, and the column at which it is left decides how many of the next places cannot be hits. An item goes
// through consecutive places.
#include "pwm/published/places.clh"

// Numbers of a column: A, C, G, T, of a letter that is no base, the least sum with which to go on after it, and the
// shift if the sum is lower. Behind the last column: the shift after a candidate.
#define COLUMN 7
#define LEAST 5
#define SHIFT 6
#define LONGEST 128

PLACE_KERNEL void kmp(PLACE_PARAMETERS, __global const uchar* letters) {
  (void)thresholds;
  LOCAL_TABLE(local_columns, LONGEST * COLUMN + 1);
  FOR_EACH_TARGET(target) {
    const uint length = lengths[target];
    TABLE_OF(columns, target, local_columns, length * COLUMN + 1);
    const uint first = first_place(own_begin, own_end, tile);
    const uint last = last_place(first, own_end, tile, size, length);
#ifdef ONLY_CPU
    uint place = first;
    const uint end = last;
#else
    const uint share = (tile + GROUP_SIZE - 1) / GROUP_SIZE;
    uint place = first + (uint)get_local_id(0) * share;
    const uint end = min(place + share, last);
#endif
    while (place < end) {
      float score = 0;
      uint i = 0;
      bool may_reach = true;
      for (; i < length && may_reach; i++) {
        score += columns[i * COLUMN + LETTER(letters[place + i])];
        may_reach = score >= columns[i * COLUMN + LEAST];
      }
      if (may_reach) KEEP(target, place);
      place += (uint)columns[may_reach ? length * COLUMN : (i - 1) * COLUMN + SHIFT];
    }
  }
}
