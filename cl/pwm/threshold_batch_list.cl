// The words around a quantile.
#include "pwm/threshold_batch.clh"

// Words first <= Q < end of a job; src/pwm/threshold_batch.hpp has the same.
typedef struct {
  ulong job;
  long first, end;
  ulong at, size;  // their place in the list
} ThresholdList;

// Group g has lists[g]. listed[0 .. taken[g]) of its place: pairs of half words, in no order. taken[g] is 0 at first.
GROUP_KERNEL void list_words(__global const long* sum, __global const uint* word, __global const ThresholdJob* jobs,
                             __global const ThresholdList* lists, volatile __global uint* taken,
                             __global uint2* listed) {
  const uint group = (uint)get_group_id(0);
  const ThresholdList list = lists[group];
  const ThresholdJob job = jobs[list.job];
  __global const long *left = sum + job.left, *right = sum + job.right;
  const uint left_size = (uint)job.left_size, right_size = (uint)job.right_size;
  Staircase at;
  begin_staircase(left, left_size, right, right_size, list.first, (uint)get_local_id(0), GROUP_SIZE, &at);
  for (uint step = 0; step < at.steps; step++) {
    if (takes_end(&at, left, left_size, right, right_size, list.first)) {
      at.taken++;
    } else {
      for (uint j = right_size - at.taken; j < right_size && left[at.i] + right[j] < list.end; j++) {
        const uint place = atomic_inc(taken + group);
        if (place < list.size) listed[list.at + place] = (uint2)(word[job.left + at.i], word[job.right + j]);
      }
      at.i++;
    }
  }
}
