// The best words of a matrix, one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "genocl/pwm/background.hpp"
#include "genocl/pwm/p_value.hpp"
#include "genocl/pwm/score_matrix.hpp"
#include "pwm/motif/fixed_point.hpp"

namespace genocl::pwm {

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

}  // namespace genocl::pwm
