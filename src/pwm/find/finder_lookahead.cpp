// `lookahead`: a place is left as soon as the threshold is out of reach.
#include <algorithm>

#include "pwm/find/place_finder.hpp"
#include "pwm/motif/float_scores.hpp"

namespace genocl::pwm {

std::unique_ptr<Finder> make_lookahead_finder(const Device& device, std::span<const Target> targets) {
  PlaceTables tables;
  for (const Target& target : targets) {
    const FloatScores scores(target);
    tables.add(target, float_below(scores.threshold));
    const std::size_t length = scores.columns.size();
    // After a column a hit has at least the threshold less the best of all columns behind it, and its float sum is off
    // by no more there than at the end. At the ends of the range scores have no say; a column without any finite score
    // leaves only those.
    std::vector<double> least(length, scores.threshold);
    if (scores.threshold != FloatScores::everywhere && scores.threshold != FloatScores::nowhere)
      for (std::size_t i = length - 1; i > 0; --i)
        least[i - 1] = least[i] - *std::max_element(scores.columns[i].begin(), scores.columns[i].end());
    // As cl/pwm/find/lookahead.cl has a column.
    for (std::size_t i = 0; i < length; ++i) {
      for (const double score : scores.columns[i]) tables.tables.push_back(static_cast<float>(score));
      tables.tables.push_back(FloatScores::forbidden);
      tables.tables.push_back(float_below(least[i]));
    }
  }
  return std::make_unique<PlaceFinder>(device, "lookahead", tables, false);
}

}  // namespace genocl::pwm
