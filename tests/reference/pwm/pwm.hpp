// Position weight matrices as plainly as can be: every place, every word.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/pwm/background.hpp"
#include "genocl/pwm/score_matrix.hpp"

namespace genocl_reference {

struct PwmHit {
  std::uint64_t position;
  bool reverse;
  double score;
};

/// By position, forward first. The reverse strand's word is turned, the matrix is not.
inline std::vector<PwmHit> scan(const genocl::pwm::ScoreMatrix& matrix, double threshold,
                                std::span<const genocl::Code> text) {
  std::vector<PwmHit> hits;
  std::vector<genocl::Code> turned(matrix.length());
  for (std::size_t i = 0; i + matrix.length() <= text.size(); ++i) {
    const auto word = text.subspan(i, matrix.length());
    bool bases = true;
    for (const genocl::Code letter : word) bases = bases && letter < 4;
    if (!bases) continue;
    for (std::size_t k = 0; k < word.size(); ++k) turned[k] = static_cast<genocl::Code>(3 - word[word.size() - 1 - k]);
    for (const bool is_reverse : {false, true}) {
      const double score = matrix.score(is_reverse ? std::span<const genocl::Code>(turned) : word);
      if (score >= threshold) hits.push_back({i, is_reverse, score});
    }
  }
  return hits;
}

/// Calls `use(word, score, probability)` for all 4^length words.
template <class Use>
void every_word(const genocl::pwm::ScoreMatrix& matrix, const genocl::pwm::Background& background, Use&& use) {
  const std::size_t m = matrix.length();
  std::vector<genocl::Code> word(m);
  for (std::uint64_t w = 0; w < std::uint64_t{1} << (2 * m); ++w) {
    for (std::size_t i = 0; i < m; ++i) word[i] = static_cast<genocl::Code>(w >> (2 * i) & 3);
    double p = 1;
    const unsigned order = background.order();
    for (std::size_t i = 0; i < m; ++i) {
      if (i + 1 < order) continue;
      if (order != 0 && i + 1 == order) {
        std::uint32_t start = 0;
        for (unsigned k = 0; k < order; ++k) start = start * 4 + word[k];
        p *= background.start(start);
        continue;
      }
      std::uint32_t before = 0;
      for (unsigned k = 0; k < order; ++k) before = before * 4 + word[i - order + k];
      p *= background.conditional(before, word[i]);
    }
    use(std::span<const genocl::Code>(word), matrix.score(word), p);
  }
}

}  // namespace genocl_reference
