// P-values and thresholds of one matrix, by both methods.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/pwm/background.hpp"
#include "genocl/pwm/p_value.hpp"
#include "pwm/halves.hpp"
#include "pwm/scores.hpp"

namespace genocl::pwm {

/// Maximum number of sums of a half for which words are counted; beyond, tables bound P.
inline constexpr double max_half_sums = 1 << 24;
/// Bins of these tables.
inline constexpr std::uint64_t table_bins = std::uint64_t{1} << 21;

/// Bounds of the average of two probabilities.
PValue average_of(const PValue& a, const PValue& b);

std::vector<PValue> certified_p_values(const Device& device, const ScoreMatrix& matrix, std::span<const double> scores,
                                       const Background& background);
/// Whether certified_thresholds() of these P lists words on the host and leaves the device alone.
bool are_rare(std::span<const double> ps);
std::vector<Threshold> certified_thresholds(const Device& device, const ScoreMatrix& matrix, std::span<const double> ps,
                                            const Background& background, bool paper_convention);
/// For the average of the probabilities under both backgrounds.
std::vector<Threshold> certified_average_thresholds(const Device& device, const ScoreMatrix& matrix,
                                                    std::span<const double> ps, const Background& first,
                                                    const Background& second, bool paper_convention);
Distribution certified_distribution(const ScoreMatrix& matrix, const Background& background, unsigned edges);

/// `bucket`: cl/pwm/published/bucket.cl, and bucket_weighted.cl for a background that is not uniform. Requires order 0.
Distribution bucket_distribution(const Device& device, const ScoreMatrix& matrix, const Background& background,
                                 unsigned slices, unsigned buckets, bool serialised = false);
PValue bucket_p_value(const Distribution& distribution, double score);
/// By the edges of the distribution and its own P (its lower bound), as in the paper. `backgrounds`: those over which
/// the distribution is averaged.
Threshold bucket_threshold(const Distribution& distribution, const ScoreMatrix& matrix,
                           std::span<const Background> backgrounds, double p, bool paper_convention);

/// The backgrounds over which probabilities are averaged: one, or those of both strands if they differ.
inline std::vector<Background> backgrounds_of(const PValueOptions& options) {
  if (options.strands == Strands::forward) return {options.background};
  const Background other = options.background.reverse_complement();
  if (options.strands == Strands::reverse) return {other};
  if (other == options.background) return {other};
  return {options.background, other};
}

/// Bounds for words too long to be counted: the sums of both halves on a grid.
///
/// The integer of a column is rounded down to a multiple of 2^step. The grid sum F of a word satisfies F * 2^step <=
/// Q <= F * 2^step + length * (2^step - 1). Half tables Q_L(l) and Tail_R(r) give P(F >= f) as the sum over l of
/// Q_L(l) * Tail_R(f - l): their convolution is never formed.
class ScoreTables {
 public:
  /// @param bins  for the whole range, over all states of the model
  ScoreTables(const FixedPoint& fixed, const Background& background, std::uint64_t bins);

  /// P(score >= score) within proved bounds. O(bins).
  PValue p_value(double score) const;
  /// Of any F that certainly, and that possibly, belongs to a word of Q >= q.
  PValue at_least(std::int64_t sure, std::int64_t maybe) const;
  /// The smallest multiple of 2^step with an upper bound of P at most p (paper: the largest with a lower bound at
  /// least p), as Q. FixedPoint::impossible if none.
  std::int64_t quantile(double p, bool paper) const;
  /// Maximum of (Q of the score of a word) - (Q of its bin).
  std::int64_t spread() const { return static_cast<std::int64_t>(fixed_.columns.size()) << step_; }
  std::int64_t width() const { return std::int64_t{1} << step_; }

 private:
  double at_least(std::int64_t grid_sum) const;

  const FixedPoint& fixed_;
  unsigned step_ = 0;
  std::int64_t left_first_ = 0, right_first_ = 0;  ///< F of the first bins
  std::vector<std::vector<double>> left_, tail_;   ///< [state]
  double error_ = 0;                               ///< relative, of at_least()
};

/// P of the best word and all with its score, by the columns' maxima: within rounding.
double best_word_probability(const FixedPoint& fixed, const Background& background);

}  // namespace genocl::pwm
