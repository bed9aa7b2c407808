// Tails of score distributions: tables of deficits, and the best words.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "genocl/pwm/background.hpp"
#include "genocl/pwm/p_value.hpp"
#include "genocl/pwm/score_matrix.hpp"
#include "pwm/scores.hpp"

namespace genocl::pwm {

/// What a letter's integer is below the column's largest is its deficit. A word's is the sum of its letters': by so
/// much it is below the best word. On a grid of 2^step, each letter's deficit is rounded down; a word's is then between
/// its sum of these, F * 2^step, and F * 2^step + slack.
class DeficitTable {
 public:
  /// Of deficits up to `depth`, on a grid as fine as `cells` allow. O(columns * 4 * cells), times the letters' states
  /// of a Markov background.
  DeficitTable(const FixedPoint& fixed, const Background& background, std::int64_t depth, std::uint64_t cells);

  /// Bounds of P(deficit <= so much), proved, up to `depth`.
  double low(std::int64_t deficit) const { return at_most((deficit - slack_) >> step_) * (1 - error_); }
  double high(std::int64_t deficit) const;
  std::int64_t width() const { return std::int64_t{1} << step_; }
  std::int64_t depth() const { return depth_; }
  std::int64_t slack() const { return slack_; }

 private:
  double at_most(std::int64_t cell) const {
    return cell < 0 ? 0 : sum_[std::min(static_cast<std::size_t>(cell), sum_.size() - 1)];
  }

  std::int64_t depth_ = 0, slack_ = 0;
  unsigned step_ = 0;
  std::vector<double> sum_;  ///< [F]: of words up to it
  double error_ = 0;         ///< relative
};

/// Highest less lowest sum.
std::int64_t largest_deficit(const FixedPoint& fixed);

/// Some deficit, not much larger than needed, up to which words are surely more probable than p, by the mean of the
/// backgrounds' probabilities; the largest deficit where none is.
struct ReachingDepth {
  std::int64_t depth = 0;
  double low = 0;  ///< a bound of their probability
};
ReachingDepth depth_reaching(const FixedPoint& fixed, std::span<const Background> backgrounds, double p);

// The best words of a matrix, one by one.

/// All words down to some score.
struct TopWords {
  std::vector<double> score;   ///< the highest first, each once
  std::vector<double> weight;  ///< of all words that score at least so much
  bool counted = false;        ///< a weight is a count of words; else a probability
  bool all = false;            ///< no word is left out
  double error = 0;            ///< relative, of a weight

  /// Of words of so many letters that weigh so much.
  PValue p_value(double of_weight, std::size_t length) const;
};

/// Words whose deficit (DeficitTable) is at most `depth`, as far as these are all that score so much: scores are sums
/// in double, and may differ in order. A weight is a count under a uniform background, else the mean of the words'
/// probabilities under the backgrounds. No value for more than `most` words. O(words * columns) at worst, most often a
/// few times the words, and their sorting.
std::optional<TopWords> top_words(const ScoreMatrix& matrix, const FixedPoint& fixed,
                                  std::span<const Background> backgrounds, std::int64_t depth, std::size_t most);

// Thresholds that few words reach: by a list of these words.

/// What thresholds() has by the method certified, for the mean of the probabilities under the backgrounds. No value
/// where more than 2^16 words are as probable as the largest of `ps` together. O(words * columns) on one thread.
std::optional<std::vector<Threshold>> listed_thresholds(const ScoreMatrix& matrix, std::span<const double> ps,
                                                        std::span<const Background> backgrounds, bool paper_convention);

}  // namespace genocl::pwm
