// Tails of score distributions: tables of deficits, and the best words.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "genocl/pwm/background.hpp"
#include "genocl/pwm/p_value.hpp"
#include "genocl/pwm/score_matrix.hpp"
#include "pwm/scores.hpp"

namespace genocl::pwm {

/// The deficit of a letter is the largest integer of its column minus its own; the deficit of a word is the sum over
/// its letters: its distance from the best word. On a grid of 2^step, the deficit of each letter is rounded down;
/// that of a word is then between its grid sum, F * 2^step, and F * 2^step + slack.
class DeficitTable {
 public:
  /// Arrays that one table after another uses: new memory for each costs more time than the sums. Not thread-safe.
  using Memory = std::vector<std::vector<double>>;

  /// Deficits up to `depth`, on a grid as fine as `cells` allow. O(columns * 4 * cells), times the states of a Markov
  /// background.
  ///
  /// @param memory  arrays to use before new ones; afterwards, those that the table does not keep
  DeficitTable(const FixedPoint& fixed, const Background& background, std::int64_t depth, std::uint64_t cells,
               Memory& memory);
  /// Adds the table's array to `memory`. The table has no values afterwards.
  void release(Memory& memory) && { memory.push_back(std::move(sum_)); }

  /// Proved bounds of P(deficit <= `deficit`), up to `depth`.
  double low(std::int64_t deficit) const { return at_most((deficit - slack_) >> step_) * (1 - error_); }
  double high(std::int64_t deficit) const;
  std::int64_t width() const { return std::int64_t{1} << step_; }
  std::int64_t depth() const { return depth_; }
  std::int64_t slack() const { return slack_; }

 private:
  double at_most(std::int64_t cell) const {
    return cell < 0 ? 0 : sum_[begin_ + std::min(static_cast<std::size_t>(cell), size_ - 1)];
  }

  std::int64_t depth_ = 0, slack_ = 0;
  unsigned step_ = 0;
  std::size_t begin_ = 0, size_ = 0;
  std::vector<double> sum_;  ///< [begin_ + F]: probability of words up to it, F < size_
  double error_ = 0;         ///< relative
};

/// Highest minus lowest sum.
std::int64_t largest_deficit(const FixedPoint& fixed);

/// A deficit, not much larger than necessary, up to which words are certainly more probable than p, by the mean over
/// the backgrounds; the largest deficit if none.
struct ReachingDepth {
  std::int64_t depth = 0;
  double low = 0;  ///< lower bound of their probability
};
ReachingDepth depth_reaching(const FixedPoint& fixed, std::span<const Background> backgrounds, double p);

/// All words down to some score.
struct TopWords {
  std::vector<double> score;   ///< descending, unique
  std::vector<double> weight;  ///< of all words with at least this score
  bool counted = false;        ///< weights are counts of words; otherwise probabilities
  bool all = false;            ///< no word is missing
  double error = 0;            ///< relative error of a weight

  /// P-value of a weight, for words of this length.
  PValue p_value(double of_weight, std::size_t length) const;
};

/// Words with a deficit (DeficitTable) of at most `depth`, as far as these are all words of their scores: scores are
/// sums in double, and may be ordered differently. Weights are counts under a uniform background, otherwise the mean
/// of the probabilities under the backgrounds. Empty for more than `most` words. O(words * columns) worst case,
/// usually a few times the words, plus sorting.
std::optional<TopWords> top_words(const ScoreMatrix& matrix, const FixedPoint& fixed,
                                  std::span<const Background> backgrounds, std::int64_t depth, std::size_t most);

/// Thresholds as thresholds() by the method certified, for the mean of the probabilities under the backgrounds, by a
/// list of words. Empty if more than 2^16 words are together as probable as the largest of `ps`. O(words * columns)
/// on one thread.
std::optional<std::vector<Threshold>> listed_thresholds(const ScoreMatrix& matrix, std::span<const double> ps,
                                                        std::span<const Background> backgrounds, bool paper_convention);

}  // namespace genocl::pwm
