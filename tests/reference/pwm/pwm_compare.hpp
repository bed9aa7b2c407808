// Two matrices side by side, every word of their union.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "genocl/pwm/background.hpp"
#include "genocl/pwm/score_matrix.hpp"

namespace genocl_reference {

struct PwmOverlap {
  std::uint64_t both_words = 0, first_words = 0, second_words = 0;  ///< first, second: with a hit of this one alone
  double both = 0, first = 0, second = 0;
};

/// The second one begins `shift` after the first; with `reverse` the reverse complement of what stands there is scored.
/// 4^union steps.
inline PwmOverlap overlap(const genocl::pwm::ScoreMatrix& a, double threshold_a, const genocl::pwm::ScoreMatrix& b,
                          double threshold_b, int shift, const genocl::pwm::Background& background,
                          bool reverse = false) {
  const auto m = static_cast<int>(a.length()), n = static_cast<int>(b.length());
  const int begin = std::min(0, shift), end = std::max(m, shift + n);
  const auto letters = static_cast<std::size_t>(end - begin);
  std::vector<genocl::Code> word(letters), turned(b.length());
  PwmOverlap result;
  for (std::uint64_t w = 0; w < std::uint64_t{1} << (2 * letters); ++w) {
    double p = 1;
    for (std::size_t i = 0; i < letters; ++i) {
      word[i] = static_cast<genocl::Code>(w >> (2 * i) & 3);
      p *= background.frequencies()[word[i]];
    }
    const std::span<const genocl::Code> all(word);
    const bool in_a = a.score(all.subspan(static_cast<std::size_t>(-begin), a.length())) >= threshold_a;
    const auto of_b = all.subspan(static_cast<std::size_t>(shift - begin), b.length());
    for (std::size_t i = 0; i < of_b.size(); ++i) turned[i] = static_cast<genocl::Code>(3 - of_b[of_b.size() - 1 - i]);
    const bool in_b = b.score(reverse ? std::span<const genocl::Code>(turned) : of_b) >= threshold_b;
    if (in_a && in_b) ++result.both_words, result.both += p;
    if (in_a && !in_b) ++result.first_words, result.first += p;
    if (!in_a && in_b) ++result.second_words, result.second += p;
  }
  return result;
}

}  // namespace genocl_reference
