// Thresholds that few words reach: by a list of these words.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "genocl/pwm/p_value.hpp"

namespace genocl::pwm {

/// What thresholds() has by the method certified, for the mean of the probabilities under the backgrounds. No value
/// where more than 2^16 words are as probable as the largest of `ps` together. O(words * columns) on one thread.
std::optional<std::vector<Threshold>> listed_thresholds(const ScoreMatrix& matrix, std::span<const double> ps,
                                                        std::span<const Background> backgrounds, bool paper_convention);

}  // namespace genocl::pwm
