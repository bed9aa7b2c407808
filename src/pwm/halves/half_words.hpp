// Words cut in two: the sums of all beginnings and of all ends, sorted, equal ones merged.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "pwm/halves/half_list.hpp"
#include "pwm/halves/word_model.hpp"
#include "pwm/motif/fixed_point.hpp"

namespace genocl::pwm {

inline constexpr std::int64_t every_word = std::numeric_limits<std::int64_t>::min() / 4;

/// prefix[i][state]: of the first i letters, 0 <= i <= cut, by the state after them. suffix[i - cut][state]: of the
/// letters from i on, cut <= i <= length, by the state before them. All levels are kept: a word of a given sum is found
/// letter by letter by asking whether the rest of it is in the level below.
template <class Weight>
struct HalfWords {
  std::size_t length = 0, cut = 0;
  std::vector<std::vector<HalfList<Weight>>> prefix, suffix;
  /// [state]: as suffix[0], tail[i] = the weights from i on; one more than there are sums.
  std::vector<std::vector<Weight>> tail;
};

/// Halves that cannot be completed to a word of Q >= least are left out.
template <class Weight>
HalfWords<Weight> half_words(const FixedPoint& matrix, const WordModel<Weight>& model, std::size_t cut,
                             std::int64_t least = every_word);

}  // namespace genocl::pwm
