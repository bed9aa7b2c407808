// The look-ahead scan (Wu et al. 2000, as Giraud and Varre have it): a place is left as soon as the best letters in all
// columns that are left would not take it to the threshold.
#include "pwm/published/places.clh"

// Numbers of a column: A, C, G, T, of a letter that is no base, and the least sum with which to go on after it: behind
// the last column, the threshold.
#define COLUMN 6
#define LEAST 5
#define LONGEST 128

PLACE_KERNEL void lookahead(PLACE_PARAMETERS, __global const uchar* letters) {
  (void)thresholds;
  LOCAL_TABLE(local_columns, LONGEST * COLUMN);
  FOR_EACH_TARGET(target) {
    const uint length = lengths[target];
    TABLE_OF(columns, target, local_columns, length * COLUMN);
    FOR_EACH_PLACE(place, length) {
      float score = 0;
      bool may_reach = true;
      for (uint i = 0; i < length && may_reach; i++) {
        score += columns[i * COLUMN + LETTER(letters[place + i])];
        may_reach = score >= columns[i * COLUMN + LEAST];
      }
      if (may_reach) KEEP(target, place);
    }
  }
}
