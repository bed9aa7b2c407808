// `naive`: every place's whole score.
#include "pwm/find/place_finder.hpp"
#include "pwm/motif/float_scores.hpp"

namespace genocl::pwm {

std::unique_ptr<Finder> make_naive_finder(const Device& device, std::span<const Target> targets) {
  PlaceTables tables;
  for (const Target& target : targets) {
    const FloatScores scores(target);
    tables.add(target, float_below(scores.threshold));
    // As cl/pwm/find/naive.cl has a column.
    for (const std::array<double, 4>& column : scores.columns) {
      for (const double score : column) tables.tables.push_back(static_cast<float>(score));
      tables.tables.push_back(FloatScores::forbidden);
    }
  }
  return std::make_unique<PlaceFinder>(device, "naive", tables, false);
}

}  // namespace genocl::pwm
