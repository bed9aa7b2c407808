// Selects the best scores of each query. A radix selection finds the top-th best score, eight bits at a time from the
// highest; a compaction collects the scores that are not lower. scores[query * count + subject], all nonnegative.
#include "common/items.clh"

#ifndef DIGITS
#error "DIGITS comes from the host"
#endif
// Scores that a worker or a group counts at a time, and scores of a work-item in the compaction.
#ifndef JOB_SCORES
#error "JOB_SCORES comes from the host"
#endif
#ifndef ITEM_SCORES
#error "ITEM_SCORES comes from the host"
#endif

// Returns whether the bits of a score above `shift` + 8 equal the known prefix.
static inline bool agrees(uint score, uint prefix, uint shift) { return shift == 24 || score >> (shift + 8) == prefix; }

// Adds the digit counts of matching scores to histogram[query][digit]. jobs_of_query: number of jobs for a query. Most
// scores are small with upper digits of 0, which are counted separately.
#ifndef ONLY_GPU
WORKER_KERNEL void count_digits_cpu(__global const uint* scores, __global const uint* prefix, uint count,
                                    uint jobs_of_query, ulong jobs, uint shift, __global uint* histogram, ulong share) {
  for (ulong job = WORKER_FIRST(jobs, share); job < WORKER_LAST(jobs, share); job++) {
    const uint query = (uint)(job / jobs_of_query), first = (uint)(job % jobs_of_query) * JOB_SCORES;
    const uint last = min(count - first, (uint)JOB_SCORES) + first, known = prefix[query];
    __global const uint* const own = scores + (ulong)query * count;
    uint digits[DIGITS];
    for (uint digit = 0; digit < DIGITS; digit++) digits[digit] = 0;
    uint zeros = 0;
    for (uint i = first; i < last; i++) {
      const uint score = own[i], digit = score >> shift & (DIGITS - 1);
      if (!agrees(score, known, shift)) continue;
      if (digit == 0)
        zeros++;
      else
        digits[digit]++;
    }
    digits[0] = zeros;
    for (uint digit = 0; digit < DIGITS; digit++)
      if (digits[digit] != 0) atomic_add(histogram + (ulong)query * DIGITS + digit, digits[digit]);
  }
}
#endif

#ifndef ONLY_CPU
// Each group processes one job.
GROUP_KERNEL void count_digits_gpu(__global const uint* scores, __global const uint* prefix, uint count,
                                   uint jobs_of_query, uint shift, __global uint* histogram) {
  __local uint digits[DIGITS];
  const ulong job = get_group_id(0);
  const uint query = (uint)(job / jobs_of_query), first = (uint)(job % jobs_of_query) * JOB_SCORES;
  const uint last = min(count - first, (uint)JOB_SCORES) + first, known = prefix[query];
  __global const uint* const own = scores + (ulong)query * count;
  for (uint digit = get_local_id(0); digit < DIGITS; digit += GROUP_SIZE) digits[digit] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint zeros = 0;
  for (uint i = first + get_local_id(0); i < last; i += GROUP_SIZE) {
    const uint score = own[i], digit = score >> shift & (DIGITS - 1);
    if (!agrees(score, known, shift)) continue;
    if (digit == 0)
      zeros++;
    else
      atomic_inc(digits + digit);
  }
  if (zeros != 0) atomic_add(digits, zeros);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint digit = get_local_id(0); digit < DIGITS; digit += GROUP_SIZE)
    if (digits[digit] != 0) atomic_add(histogram + (ulong)query * DIGITS + digit, digits[digit]);
}
#endif

// Appends the next digit to the prefix, such that at least `wanted` scores match it or are higher. Clears the
// histogram.
ITEM_KERNEL void pick_digit(__global uint* histogram, __global uint* prefix, __global uint* wanted, uint queries,
                            ulong share) {
  FOR_EACH_ITEM(query, queries, share) {
    __global uint* const digits = histogram + query * DIGITS;
    uint left = wanted[query], picked = 0;
    bool found = false;
    for (uint digit = DIGITS; digit-- > 0;) {
      const uint here = digits[digit];
      digits[digit] = 0;
      if (found) continue;
      found = here >= left;
      picked = digit;
      if (!found) left -= here;
    }
    prefix[query] = prefix[query] << 8 | picked;
    wanted[query] = left;
  }
}

// chosen[item]: number of the item's scores that are at least the complete prefix and the cutoff of the query.
ITEM_KERNEL void count_chosen(__global const int* scores, __global const uint* prefix, __global const int* cutoff,
                              uint count, uint items_of_query, ulong items, __global uint* chosen, ulong share) {
  FOR_EACH_ITEM(item, items, share) {
    const uint query = (uint)(item / items_of_query), first = (uint)(item % items_of_query) * ITEM_SCORES;
    const uint size = min(count - first, (uint)ITEM_SCORES);
    __global const int* const own = scores + (ulong)query * count + first;
    const int least = max((int)prefix[query], cutoff[query]);
    uint sum = 0;
    for (uint i = 0; i < size; i++) sum += own[i] >= least ? 1 : 0;
    chosen[item] = sum;
  }
}

// candidates: subject and score, sorted by query and subject. begin[query]: the first candidate of the query.
ITEM_KERNEL void write_chosen(__global const int* scores, __global const uint* prefix, __global const int* cutoff,
                              uint count, uint items_of_query, ulong items, __global const ulong* offset,
                              __global int2* candidates, __global ulong* begin, ulong share) {
  FOR_EACH_ITEM(item, items, share) {
    const uint query = (uint)(item / items_of_query), first = (uint)(item % items_of_query) * ITEM_SCORES;
    const uint size = min(count - first, (uint)ITEM_SCORES);
    __global const int* const own = scores + (ulong)query * count + first;
    const int least = max((int)prefix[query], cutoff[query]);
    ulong to = offset[item];
    if (first == 0) begin[query] = to;
    if (offset[item + 1] == to) continue;
    for (uint i = 0; i < size; i++)
      if (own[i] >= least) candidates[to++] = (int2)((int)(first + i), own[i]);
  }
}
