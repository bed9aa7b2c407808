// The quantiles of many matrices by meeting in the middle: a group for each matrix and P-value.
#include "pwm/threshold_batch.clh"

// What a search has found; src/pwm/threshold_batch.hpp has the same.
typedef struct {
  long low;         // a word's Q; the words of at least so much are enough,
  ulong low_words;  // so many,
  long high;        // and those of at least so much are not
  long next;        // smallest Q of a word that is certainly above, LONG_MAX if none
  long first, end;  // words to be looked at
  ulong beyond;     // words of at least `end`
  ulong pairs;      // of words to be looked at
  ulong rounds;     // it took; 0: more than there were
} ThresholdFound;

// Words of at least q, the pairs that they are, and the lowest of them.
typedef struct {
  ulong words, pairs;
  long next;
} Tail;

// The next counts.
#define SEARCH 0
#define ABOVE 1
#define END 2
#define FIRST 3
#define COMPLETE 4

// Fewer pairs than that are left for the host.
#define FEW_PAIRS 64

typedef struct {
  ThresholdFound found;
  ulong low_pairs, high_words, high_pairs;
  long q;
  uint phase, round;
} Search;

// Words that tie except for rounding are not separated by Q: the host considers words within twice the doubt in any
// case.
INLINED bool is_narrow(const ThresholdJob* job, const Search* search) {
  const ulong width = (ulong)search->found.high - (ulong)search->found.low;
  return width <= 1 + 4 * (ulong)job->doubt || (job->doubt != 0 && search->low_pairs - search->high_pairs <= FEW_PAIRS);
}

// Strictly between low and high, which are more than 1 apart. The number of words is nearly a straight line in a short
// piece, and its logarithm in a long one: two places on both sides of where it should be, then, in case that it was
// not, the middle.
INLINED long place_between(const ThresholdJob* job, const Search* search) {
  const ulong width = (ulong)search->found.high - (ulong)search->found.low;
  ulong step = width / 2;
  if (search->round % 3 != 2 && width > 1024) {
    const ulong low = search->found.low_words, high = search->high_words, wanted = job->wanted;
    float part;
    if (low / 2 < high)
      part = (float)(low - wanted) / (float)(low - high);
    else
      part = (log2((float)low) - log2((float)wanted)) / (log2((float)low) - log2(max(0.5f, (float)high)));
    part += search->round % 3 == 0 ? -1.0f / 128 : 1.0f / 128;
    part = clamp(part, 1.0f / 512, 511.0f / 512);
    step = (width >> 10) * (ulong)(part * 1024.0f) +
           (ulong)((float)(width >> 10) * (part * 1024.0f - floor(part * 1024.0f)));
  }
  return search->found.low + (long)clamp(step, (ulong)1, width - 1);
}

INLINED void look_between(const ThresholdJob* job, Search* search) {
  if (is_narrow(job, search)) {
    // Surely above: of a score that is above that of every word of less than high.
    search->phase = ABOVE;
    search->q = search->found.high + 2 * job->doubt;
  } else {
    search->q = place_between(job, search);
  }
}

INLINED void begin_search(const ThresholdJob* job, Search* search) {
  search->found.low = job->lowest;
  search->found.low_words = job->words;
  search->found.high = job->highest + 1;
  search->found.next = LONG_MAX;
  search->found.first = 0;
  search->found.end = 0;
  search->found.beyond = 0;
  search->found.pairs = 0;
  search->found.rounds = 0;
  search->low_pairs = job->pairs;
  search->high_words = 0;
  search->high_pairs = 0;
  search->round = 0;
  search->phase = SEARCH;
  look_between(job, search);
}

// `tail`: the count for search->q.
INLINED void go_on(const ThresholdJob* job, Search* search, const Tail* tail) {
  search->round++;
  if (search->phase == SEARCH) {
    if (tail->words >= job->wanted) {
      search->found.low = tail->next;  // no word is in between
      search->found.low_words = tail->words;
      search->low_pairs = tail->pairs;
    } else {
      search->found.high = search->q;
      search->high_words = tail->words;
      search->high_pairs = tail->pairs;
    }
    look_between(job, search);
  } else if (search->phase == FIRST) {
    search->found.first = search->q;
    search->found.pairs = tail->pairs - search->found.pairs;
    search->found.rounds = search->round;
    search->phase = COMPLETE;
  } else if (search->phase != COMPLETE) {
    if (search->phase == ABOVE) search->found.next = tail->next;
    search->found.end = search->q;
    search->found.beyond = tail->words;
    search->found.pairs = tail->pairs;
    if (search->phase == ABOVE && job->with_next != 0 && tail->next != LONG_MAX) {
      // All words of a score that is not above that of one of Q = next.
      search->phase = END;
      search->q = tail->next + 2 * job->doubt + 1;
    } else {
      search->phase = FIRST;
      search->q = search->found.low - 2 * job->doubt;
    }
  }
}

// `sum`, `weight`: of all half words; before[i]: the weights of the first i. Group g has job first_job + g. All go
// through as many rounds, for the barriers' sake.
GROUP_KERNEL void search_words(__global const long* sum, __global const uint* weight, __global const ulong* before,
                               __global const ThresholdJob* jobs, uint first_job, uint rounds,
                               __global ThresholdFound* found) {
  __local ulong words[GROUP_SIZE], pairs[GROUP_SIZE];
  __local long next[GROUP_SIZE];
  const uint item = (uint)get_local_id(0);
  const uint number = first_job + (uint)get_group_id(0);
  const ThresholdJob job = jobs[number];
  __global const long *left = sum + job.left, *right = sum + job.right;
  __global const uint* left_weight = weight + job.left;
  const uint left_size = (uint)job.left_size, right_size = (uint)job.right_size;
  // The weight of the last `taken` ends is all - ends[-taken].
  __global const ulong* ends = before + job.right + job.right_size;
  const ulong all = *ends;
  Search search;
  begin_search(&job, &search);

  for (uint round = 0; round < rounds; round++) {
    Tail own;
    own.words = 0;
    own.pairs = 0;
    own.next = LONG_MAX;
    if (search.phase != COMPLETE) {
      Staircase at;
      begin_staircase(left, left_size, right, right_size, search.q, item, GROUP_SIZE, &at);
      for (uint step = 0; step < at.steps; step++) {
        if (takes_end(&at, left, left_size, right, right_size, search.q)) {
          at.taken++;
        } else {
          own.words += left_weight[at.i] * (all - *(ends - at.taken));
          own.pairs += at.taken;
          own.next = min(own.next, left[at.i] + right[right_size - at.taken]);
          at.i++;
        }
      }
    }
    words[item] = own.words;
    pairs[item] = own.pairs;
    next[item] = own.next;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_size = GROUP_SIZE / 2; half_size > 0; half_size /= 2) {
      if (item < half_size) {
        words[item] += words[item + half_size];
        pairs[item] += pairs[item + half_size];
        next[item] = min(next[item], next[item + half_size]);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    Tail tail;
    tail.words = words[0];
    tail.pairs = pairs[0];
    tail.next = next[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    go_on(&job, &search, &tail);
  }
  if (item == 0) found[number] = search.found;
}
