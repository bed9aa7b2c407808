#include "pwm/tails/listed_thresholds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pwm/tails/deficit_table.hpp"
#include "pwm/tails/top_words.hpp"

namespace genocl::pwm {
namespace {

constexpr std::size_t most_words = std::size_t{1} << 16;
/// More words than this, as the table has it, are not tried: it may overrate them.
constexpr double hopeless = 1.5 * static_cast<double>(most_words);

/// No value where words are missing.
std::optional<Threshold> threshold_in(const TopWords& words, std::size_t length, double p, bool paper) {
  const double count = words.counted ? std::ldexp(p, 2 * static_cast<int>(length)) : p;
  Threshold threshold;
  const auto set = [&](std::size_t i) {
    threshold.score = words.score[i];
    threshold.p = words.p_value(words.weight[i], length);
  };
  const auto place = [&](auto found) { return static_cast<std::size_t>(found - words.weight.begin()); };
  if (paper) {
    // What differs from p by rounding only counts as p.
    const double wanted = words.counted ? std::ceil(count) : count * (1 - words.error);
    const std::size_t i = place(std::ranges::lower_bound(words.weight, wanted));
    if (i < words.weight.size()) {
      set(i);
    } else {
      if (!words.all) return std::nullopt;
      threshold.score = -std::numeric_limits<double>::infinity();
      threshold.p = {.low = 1, .high = 1, .exact = true, .words = std::nullopt};
      if (words.counted && length <= 31) threshold.p.words = std::uint64_t{1} << (2 * length);
    }
    return threshold;
  }
  const double wanted = words.counted ? std::floor(count) : count * (1 + words.error);
  const std::size_t i = place(std::ranges::upper_bound(words.weight, wanted));
  if (i == words.weight.size() && !words.all) return std::nullopt;
  threshold.none = i == 0;
  set(i == 0 ? 0 : i - 1);
  return threshold;
}

}  // namespace

std::optional<std::vector<Threshold>> listed_thresholds(const ScoreMatrix& matrix, std::span<const double> ps,
                                                        std::span<const Background> backgrounds,
                                                        bool paper_convention) {
  std::vector<Threshold> thresholds;
  if (ps.empty()) return thresholds;
  const FixedPoint fixed = fixed_point(matrix);
  const ReachingDepth reaching = depth_reaching(fixed, backgrounds, std::ranges::max(ps));
  const bool counted = backgrounds.size() == 1 && backgrounds[0].order() == 0 && backgrounds[0].uniform();
  if (counted && std::ldexp(reaching.low, 2 * static_cast<int>(matrix.length())) > hopeless) return std::nullopt;
  const std::optional<TopWords> words = top_words(matrix, fixed, backgrounds, reaching.depth, most_words);
  if (!words || words->score.empty()) return std::nullopt;
  for (const double p : ps) {
    const std::optional<Threshold> one = threshold_in(*words, matrix.length(), p, paper_convention);
    if (!one) return std::nullopt;
    thresholds.push_back(*one);
  }
  return thresholds;
}

}  // namespace genocl::pwm
