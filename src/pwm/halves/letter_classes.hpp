// The letters of a column, those that add the same as one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "pwm/motif/fixed_point.hpp"

namespace genocl::pwm {

struct LetterClasses {
  struct Class {
    std::int64_t add = 0;
    std::uint32_t letter = 0, times = 1;
  };
  std::array<Class, 4> classes{};
  std::uint32_t count = 1;
};

/// Letters of one score are a class, which has the Q of all of them and the name of the first. Those that never occur
/// are in none.
template <class Score>
LetterClasses letter_classes(const std::array<Score, 4>& score, const std::array<std::int64_t, 4>& q) {
  LetterClasses letters;
  letters.count = 0;
  for (std::uint32_t x = 0; x < 4; ++x) {
    if (q[x] == FixedPoint::impossible) continue;
    const auto end = letters.classes.begin() + letters.count;
    const auto same = std::find_if(letters.classes.begin(), end,
                                   [&](const LetterClasses::Class& other) { return score[other.letter] == score[x]; });
    if (same != end)
      ++same->times;
    else
      letters.classes[letters.count++] = {q[x], x, 1};
  }
  return letters;
}

}  // namespace genocl::pwm
