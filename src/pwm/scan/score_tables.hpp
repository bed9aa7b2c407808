// Bounds for words too long to be counted: the sums of both halves on a grid.
#pragma once

#include <cstdint>
#include <vector>

#include "genocl/pwm/background.hpp"
#include "genocl/pwm/p_value.hpp"
#include "pwm/halves/word_model.hpp"
#include "pwm/motif/fixed_point.hpp"

namespace genocl::pwm {

/// A column's integer is rounded down to a multiple of 2^step: a word's grid sum F has
/// F * 2^step <= Q <= F * 2^step + length * (2^step - 1). Half tables Q_L(l) and Tail_R(r) answer for P(F >= f), the
/// sum over l of Q_L(l) * Tail_R(f - l): their convolution is never formed.
class ScoreTables {
 public:
  /// `bins`: of the whole range, for all states of the model together.
  ScoreTables(const FixedPoint& fixed, const Background& background, std::uint64_t bins);

  /// P(score >= score), each bound proved: O(bins).
  PValue p_value(double score) const;
  /// Of any F that surely, and that maybe, belongs to a word of Q >= q.
  PValue at_least(std::int64_t sure, std::int64_t maybe) const;
  /// The smallest multiple of 2^step with an upper bound of P at most p (paper: the largest with a lower bound at least
  /// p), as Q. FixedPoint::impossible where none is.
  std::int64_t quantile(double p, bool paper) const;
  /// Largest (Q of the words' score) - (Q of their place in the tables).
  std::int64_t spread() const { return static_cast<std::int64_t>(fixed_.columns.size()) << step_; }
  std::int64_t width() const { return std::int64_t{1} << step_; }

 private:
  double at_least(std::int64_t grid_sum) const;

  const FixedPoint& fixed_;
  unsigned step_ = 0;
  std::int64_t left_first_ = 0, right_first_ = 0;  ///< F of the tables' first places
  std::vector<std::vector<double>> left_, tail_;   ///< [state]
  double error_ = 0;                               ///< relative, of at_least()
};

/// P of the best word and all that score as much, by columns' maxima: within rounding.
double best_word_probability(const FixedPoint& fixed, const Background& background);

}  // namespace genocl::pwm
