#include "pwm/tails/top_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "pwm/halves/word_model.hpp"
#include "pwm/tails/deficit_table.hpp"

namespace genocl::pwm {
namespace {

/// Goes through the words letter by letter from the first on, so that a score grows as ScoreMatrix::score() has it. As
/// no letter's deficit is below 0, no beginning is tried that does not become a word.
template <std::size_t Models>
class Walk {
 public:
  Walk(const ScoreMatrix& matrix, const FixedPoint& fixed, std::span<const WordModel<double>> models,
       std::int64_t depth, std::size_t most)
      : models_(models), depth_(depth), most_(most), columns_(fixed.columns.size()) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::int64_t best = *std::ranges::max_element(fixed.columns[i]);
      std::vector<Letter>& letters = columns_[i];
      for (unsigned x = 0; x < 4; ++x)
        if (fixed.columns[i][x] != FixedPoint::impossible)
          letters.push_back({best - fixed.columns[i][x], matrix(i, static_cast<Code>(x)), x});
      std::ranges::stable_sort(letters, {}, &Letter::deficit);
    }
  }

  bool run() {
    if constexpr (Models == 0) {
      return extend(0, 0, 0.0, {}, {});
    } else {
      std::array<double, Models> one{};
      one.fill(1.0);
      return extend(0, 0, 0.0, {}, one);
    }
  }

  std::vector<double> score, weight;  ///< no weights where words are counted

 private:
  struct Letter {
    std::int64_t deficit = 0;
    double score = 0;
    unsigned code = 0;
  };
  using States = std::array<std::size_t, Models>;
  using Weights = std::array<double, Models>;

  bool extend(std::size_t i, std::int64_t deficit, double sum, const States& states, const Weights& weights) {
    if (i == columns_.size()) {
      if (score.size() == most_) return false;
      score.push_back(sum);
      if constexpr (Models > 0)
        weight.push_back(std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(Models));
      return true;
    }
    for (const Letter& letter : columns_[i]) {
      if (deficit + letter.deficit > depth_) break;
      States next{};
      Weights heavier{};
      for (std::size_t m = 0; m < Models; ++m) {
        next[m] = models_[m].next(i, states[m], letter.code);
        heavier[m] = weights[m] * models_[m].factor(i, states[m], letter.code);
      }
      if (!extend(i + 1, deficit + letter.deficit, sum + letter.score, next, heavier)) return false;
    }
    return true;
  }

  std::span<const WordModel<double>> models_;
  std::int64_t depth_;
  std::size_t most_;
  std::vector<std::vector<Letter>> columns_;
};

/// Weights of words as those of all that score as much or more.
void add_up(TopWords& top, std::vector<double> scores, std::vector<double> weights) {
  if (weights.empty()) {
    std::ranges::sort(scores, std::greater<>());
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (top.score.empty() || top.score.back() != scores[i]) {
        top.score.push_back(scores[i]);
        top.weight.push_back(0);
      }
      top.weight.back() = static_cast<double>(i + 1);
    }
    return;
  }
  std::vector<std::pair<double, double>> words(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) words[i] = {scores[i], weights[i]};
  std::ranges::sort(words, [](const auto& a, const auto& b) { return a.first > b.first; });
  double sum = 0;
  for (const auto& [score, weight] : words) {
    sum += weight;
    if (top.score.empty() || top.score.back() != score) {
      top.score.push_back(score);
      top.weight.push_back(0);
    }
    top.weight.back() = sum;
  }
}

template <std::size_t Models>
bool collect(TopWords& top, const ScoreMatrix& matrix, const FixedPoint& fixed,
             std::span<const WordModel<double>> models, std::int64_t depth, std::size_t most) {
  Walk<Models> walk(matrix, fixed, models, depth, most);
  if (!walk.run()) return false;
  const std::size_t terms = 12 * matrix.length() + walk.score.size() + 16;
  if (Models > 0) top.error = static_cast<double>(terms) * std::numeric_limits<double>::epsilon();
  add_up(top, std::move(walk.score), std::move(walk.weight));
  return true;
}

}  // namespace

PValue TopWords::p_value(double of_weight, std::size_t length) const {
  PValue p{.low = of_weight * (1 - error), .high = of_weight * (1 + error), .exact = true, .words = std::nullopt};
  if (counted) {
    p.low = p.high = std::ldexp(of_weight, -2 * static_cast<int>(length));
    // Up to this length all words can be counted.
    if (length <= 31) p.words = static_cast<std::uint64_t>(of_weight);
  }
  p.high = std::min(1.0, p.high);
  return p;
}

std::optional<TopWords> top_words(const ScoreMatrix& matrix, const FixedPoint& fixed,
                                  std::span<const Background> backgrounds, std::int64_t depth, std::size_t most) {
  TopWords top;
  top.counted = std::ranges::all_of(backgrounds, [](const Background& b) { return b.order() == 0 && b.uniform(); });
  std::vector<WordModel<double>> models;
  if (!top.counted)
    for (const Background& background : backgrounds) models.emplace_back(background, matrix.length());
  const bool collected = models.empty()       ? collect<0>(top, matrix, fixed, models, depth, most)
                         : models.size() == 1 ? collect<1>(top, matrix, fixed, models, depth, most)
                                              : collect<2>(top, matrix, fixed, models, depth, most);
  if (!collected) return std::nullopt;
  top.all = depth >= largest_deficit(fixed);
  if (top.all) return top;
  // A word that was left out may score as much as one whose integers are close to the bound.
  const std::int64_t bound = fixed.highest() - depth;
  while (!top.score.empty() && fixed.maybe_at_least(top.score.back()) < bound) {
    top.score.pop_back();
    top.weight.pop_back();
  }
  return top;
}

}  // namespace genocl::pwm
