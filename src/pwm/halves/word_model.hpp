// What words weigh, letter by letter.
#pragma once

#include <algorithm>
#include <cstddef>

#include "genocl/pwm/background.hpp"

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

}  // namespace genocl::pwm
