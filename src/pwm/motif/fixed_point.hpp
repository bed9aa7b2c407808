// Scores as integers, so that sums of halves of a word can be added, sorted and compared exactly in any order.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "genocl/pwm/score_matrix.hpp"

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

}  // namespace genocl::pwm
