// The score of every place as in naive.cl, with the matrix in local memory instead of the text.
#include "pwm/published/places.clh"

// Numbers of a column: A, C, G, T, and of a letter that is no base.
#define COLUMN 5
#define LONGEST 128

PLACE_KERNEL void naive_matrix(PLACE_PARAMETERS, __global const uchar* letters) {
  LOCAL_TABLE(local_columns, LONGEST * COLUMN);
  FOR_EACH_TARGET(target) {
    const uint length = lengths[target];
    const float threshold = thresholds[target];
    TABLE_OF(columns, target, local_columns, length * COLUMN);
    FOR_EACH_PLACE(place, length) {
      float score = 0;
      for (uint i = 0; i < length; i++) score += columns[i * COLUMN + LETTER(letters[place + i])];
      if (score >= threshold) KEEP(target, place);
    }
  }
}
