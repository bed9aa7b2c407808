#include "genocl/sequence/interval.hpp"

#include <algorithm>

namespace genocl {

std::vector<Interval> merged(std::vector<Interval> intervals) {
  std::erase_if(intervals, [](const Interval& one) { return one.empty(); });
  std::ranges::sort(intervals);
  std::size_t count = 0;  // of the joined intervals, at the front
  for (const Interval& next : intervals) {
    if (count > 0 && next.begin <= intervals[count - 1].end)
      intervals[count - 1].end = std::max(intervals[count - 1].end, next.end);
    else
      intervals[count++] = next;
  }
  intervals.resize(count);
  return intervals;
}

}  // namespace genocl
