// Scores as integers, so that sums of halves of a word can be added, sorted and compared exactly in any order.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "genocl/pwm/score_matrix.hpp"
#include "pwm/device_state.hpp"

namespace genocl::pwm {

/// column[i][x] = score(i, x) * 2^shift, rounded. The sum Q of a word's integers is within `doubt` of its score (the
/// sum in double from the first column to the last) * 2^shift. `doubt` is 0 where all scores are multiples of a power
/// of two so coarse that no sum is ever rounded: then Q is the score.
struct FixedPoint {
  /// Of minus infinity.
  static constexpr std::int64_t impossible = INT64_MIN;

  std::vector<std::array<std::int64_t, 4>> columns;
  int shift = 0;
  std::int64_t doubt = 0;

  /// Smallest Q of a word that surely scores at least `score`, and the smallest that may.
  std::int64_t surely_at_least(double score) const;
  std::int64_t maybe_at_least(double score) const;
  /// What Q stands for: the score itself where doubt is 0.
  double score(std::int64_t q) const;
  /// Sums of the columns' extremes, impossible letters left out.
  std::int64_t lowest() const, highest() const;
};

/// Throws InputError for a column of minus infinities only, and for scores that add up to infinity.
FixedPoint fixed_point(const ScoreMatrix& matrix);

// The scores of a target in floats, for finders whose candidates are scored again.

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
