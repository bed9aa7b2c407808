// Words cut in two: the sums of all beginnings and of all ends, sorted, equal ones merged.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "genocl/pwm/background.hpp"
#include "pwm/motif/fixed_point.hpp"

namespace genocl::pwm {

/// What a word weighs: 1 each (then weights are counts), or its probability under a background. The state after some
/// letters is the last `order` of them, the latest in the lowest two bits; all of them while there are fewer.
template <class Weight>
class WordModel {
 public:
  WordModel(const Background& background, std::size_t length);

  unsigned order() const noexcept { return order_; }
  std::size_t states(std::size_t letters) const noexcept {
    return std::size_t{1} << (2 * std::min<std::size_t>(letters, order_));
  }
  std::size_t next(std::size_t letters, std::size_t state, unsigned letter) const noexcept {
    return (state * 4 + letter) & (states(letters + 1) - 1);
  }
  /// What the letter after `letters` others multiplies a word's weight with.
  Weight factor(std::size_t letters, std::size_t state, unsigned letter) const;

 private:
  Background background_;
  unsigned order_ = 0;
  std::size_t length_ = 0;
};

/// Ascending, each sum once.
template <class Weight>
struct SortedSums {
  std::vector<std::int64_t> sum;
  std::vector<Weight> weight;
};

/// prefix[i][state]: of the first i letters, 0 <= i <= cut, by the state after them. suffix[i - cut][state]: of the
/// letters from i on, cut <= i <= length, by the state before them. All levels are kept: a word of a given sum is found
/// letter by letter by asking whether the rest of it is in the level below.
template <class Weight>
struct HalfWords {
  std::size_t length = 0, cut = 0;
  std::vector<std::vector<SortedSums<Weight>>> prefix, suffix;
  /// [state]: as suffix[0], tail[i] = the weights from i on; one more than there are sums.
  std::vector<std::vector<Weight>> tail;
};

/// Where to cut so that the longer of both lists is shortest, and at most how many sums it will have.
struct Cut {
  std::size_t at = 0;
  double sums = 0;
};
Cut best_cut(const FixedPoint& matrix, unsigned order);

template <class Weight>
HalfWords<Weight> half_words(const FixedPoint& matrix, const WordModel<Weight>& model, std::size_t cut);

}  // namespace genocl::pwm
