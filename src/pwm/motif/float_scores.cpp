// The scores of a target in floats.
#include "pwm/motif/float_scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace genocl::pwm {

float float_below(double value) {
  const auto nearest = static_cast<float>(value);
  return static_cast<double>(nearest) <= value ? nearest
                                               : std::nextafter(nearest, -std::numeric_limits<float>::infinity());
}

FloatScores::FloatScores(const Target& target) {
  const ScoreMatrix& matrix = *target.scores;
  double largest = 0;
  for (const std::array<double, 4>& column : matrix.columns())
    for (const double score : column)
      if (std::isfinite(score)) largest = std::max(largest, std::abs(score));
  int exponent = 0;
  std::frexp(largest, &exponent);

  double sum = 0;
  for (const std::array<double, 4>& column : matrix.columns()) {
    double in_column = 0;
    std::array<double, 4>& scaled = columns.emplace_back();
    for (std::size_t letter = 0; letter < 4; ++letter) {
      scaled[letter] = std::isfinite(column[letter]) ? std::ldexp(column[letter], -exponent) : double{forbidden};
      if (std::isfinite(column[letter])) in_column = std::max(in_column, std::abs(scaled[letter]));
    }
    sum += in_column;
  }
  if (!(target.threshold <= target.highest())) {
    threshold = nowhere;
  } else if (target.threshold == -std::numeric_limits<double>::infinity()) {
    threshold = everywhere;
  } else {
    const double slack = static_cast<double>(columns.size()) * sum * 0x1p-23;
    threshold = std::max(-2.0 * ScoreMatrix::longest, std::ldexp(target.threshold, -exponent) - slack);
  }
}

}  // namespace genocl::pwm
