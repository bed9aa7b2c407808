// Scores as integers: sums of halves of a word are added, sorted and compared exactly in any order.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "genocl/pwm/score_matrix.hpp"
#include "pwm/device_state.hpp"

namespace genocl::pwm {

/// column[i][x] = score(i, x) * 2^shift, rounded. The sum Q of a word's integers is within `doubt` of score *
/// 2^shift, where the score is the sum in double from the first column to the last. `doubt` is 0 if all scores are
/// multiples of a power of two so coarse that no sum is rounded: then Q is the score.
struct FixedPoint {
  /// The integer of minus infinity.
  static constexpr std::int64_t impossible = INT64_MIN;

  std::vector<std::array<std::int64_t, 4>> columns;
  int shift = 0;
  std::int64_t doubt = 0;

  /// Smallest Q of a word that certainly scores at least `score`, and smallest Q of one that may.
  std::int64_t surely_at_least(double score) const;
  std::int64_t maybe_at_least(double score) const;
  /// The score of Q; exact if doubt is 0.
  double score(std::int64_t q) const;
  /// Sums of the columns' extremes, without impossible letters.
  std::int64_t lowest() const, highest() const;
};

/// @throws InputError for a column of minus infinities only, and for scores that sum to infinity
FixedPoint fixed_point(const ScoreMatrix& matrix);

/// Scores of a target in floats, for finders whose candidates are rescored: multiplied by a power of two, so that
/// each finite one is below 1 in size, and a threshold lowered so that the float sum of no hit is below it, in any
/// order of columns.
///
/// Proof. Let A be the sum over the columns of the largest finite |score|, u = 2^-24, m columns, and take a hit. The
/// double sum of its scores is >= the threshold, so its exact sum is >= the threshold - m 2^-53 A. As floats its
/// scores are off by u A in total, and each of the m - 1 additions of floats is off by u times a partial sum, in any
/// order: at most u A (1 + m u). The total is less than m u A (1 + m u) + m 2^-53 A. The slack, 2 m u A, is nearly
/// twice that; the rest exceeds the rounding of the doubles here. Numbers so small that a device flushes them to 0
/// (2^-126, where A is at least 1/2) are below it. Only factors of powers of two remain, so nothing overflows.
struct FloatScores {
  /// Replaces minus infinity and the score of letters that are no bases: sums of the others are within +-128, so one
  /// is below every threshold except `everywhere`.
  static constexpr float forbidden = -1000;
  static constexpr float everywhere = -1e6F, nowhere = 1e6F;

  explicit FloatScores(const Target& target);

  std::vector<std::array<double, 4>> columns;
  /// Lowered by the slack; `everywhere` and `nowhere` if scores do not matter.
  double threshold;
};

/// The largest float that is not above `value`.
float float_below(double value);

}  // namespace genocl::pwm
