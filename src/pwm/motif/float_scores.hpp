// The scores of a target in floats, for finders whose candidates are scored again.
#pragma once

#include <array>
#include <vector>

#include "pwm/on_device.hpp"

namespace genocl::pwm {

/// Scores times a power of two, so that each finite one is below 1 in size, and a threshold so much lower that the
/// float sum of no hit is below it, in whatever order its columns are added.
///
/// Why the threshold's float is a floor. Let A be the sum over the columns of the largest finite |score|, u = 2^-24, m
/// columns, and take a hit: the double sum of its scores is >= the threshold, its exact sum then >= the threshold -
/// m 2^-53 A. As floats its scores are off by u A in total, and each of the m - 1 additions of floats is off by u times
/// a partial sum, whatever the order: u A (1 + m u) at most. Together less than m u A (1 + m u) + m 2^-53 A, of which
/// the slack, 2 m u A, is nearly twice; the rest is more than the doubles here are off by. Numbers so small that a
/// device takes them for 0 (2^-126, where A is at least 1/2) drown in it. All factors but powers of two are gone:
/// nothing here overflows.
struct FloatScores {
  /// In place of minus infinity and for what is no base: sums of the others are within +-128, so one is enough to end
  /// up below every threshold but `everywhere`.
  static constexpr float forbidden = -1000;
  static constexpr float everywhere = -1e6F, nowhere = 1e6F;

  explicit FloatScores(const Target& target);

  std::vector<std::array<double, 4>> columns;
  /// Lowered by the slack; `everywhere` and `nowhere` where scores have no say.
  double threshold;
};

/// The largest float that is not above `value`.
float float_below(double value);

}  // namespace genocl::pwm
