// How much words at or above each of many scores weigh, in one pass over the halves of the words that reach the lowest.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "genocl/pwm/score_matrix.hpp"
#include "pwm/halves/word_model.hpp"
#include "pwm/motif/fixed_point.hpp"

namespace genocl::pwm {

template <class Weight>
struct ManyTails {
  std::vector<Weight> weight;  ///< [score]
  double relative_error = 0;   ///< of each; 0 for counts
};

/// Weights of the words that score at least scores[i], which ascend, each once. The same as WordCount::at_least(), but
/// for double rounded in another order. With N words that reach the lowest score and K scores O(sqrt(N * K)) where half
/// words that are of no such word can be told well; at most 4^(length / 2) * K. Nothing where so many words tie, or
/// nearly, with the scores that they cannot be looked at one by one.
template <class Weight>
std::optional<ManyTails<Weight>> many_tails(const ScoreMatrix& matrix, const FixedPoint& fixed,
                                            const WordModel<Weight>& model, std::span<const double> scores);

}  // namespace genocl::pwm
