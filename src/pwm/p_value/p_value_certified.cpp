#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include "genocl/error.hpp"
#include "pwm/p_value/many_tails.hpp"
#include "pwm/p_value/p_value.hpp"
#include "pwm/p_value/word_count.hpp"
#include "pwm/scan/score_tables.hpp"

namespace genocl::pwm {
namespace {

/// Up to this length the products of counts stay below 2^62.
constexpr std::size_t longest_counted = 31;

bool counts_words(const ScoreMatrix& matrix, const Background& background) {
  return background.order() == 0 && background.uniform() && matrix.length() <= longest_counted;
}

/// `relative_error`: of the weight.
template <class Weight>
PValue exact_p_value(double relative_error, std::size_t length, Weight weight) {
  PValue p;
  p.exact = true;
  if constexpr (std::is_floating_point_v<Weight>) {
    p.low = std::min(1.0, weight * (1 - relative_error));
    p.high = std::min(1.0, weight * (1 + relative_error));
  } else {
    // A count above 2^53 is rounded.
    p.low = p.high = std::ldexp(static_cast<double>(weight), -2 * static_cast<int>(length));
    p.words = weight;
  }
  return p;
}

PValue certain(const ScoreMatrix& matrix, bool counted) {
  PValue p{.low = 1, .high = 1, .exact = true, .words = std::nullopt};
  if (counted) p.words = std::uint64_t{1} << (2 * matrix.length());
  return p;
}

/// The smallest attainable score of which P <= p, or the largest of which P >= p.
template <class Weight>
Threshold exact_threshold(const WordCount<Weight>& words, const ScoreMatrix& matrix, double p, bool paper) {
  const FixedPoint& fixed = words.fixed();
  Weight wanted{};
  if constexpr (std::is_floating_point_v<Weight>) {
    // What differs from p by rounding only counts as p.
    wanted = p * (paper ? 1 - words.relative_error() : 1 + words.relative_error());
  } else {
    const double count = std::ldexp(p, 2 * static_cast<int>(matrix.length()));  // exact
    wanted = static_cast<std::uint64_t>(paper ? std::ceil(count) : std::floor(count));
  }
  Threshold threshold;
  const auto set = [&](double score, Weight weight) {
    threshold.score = score;
    threshold.p = exact_p_value(words.relative_error(), matrix.length(), weight);
  };
  // By Q first: words around the one where it is reached are then put in the order of their scores. Q may misplace a
  // word by `doubt`, so all that is within twice that of it is looked at.
  const Quantile<Weight> quantile = words.quantile(wanted, !paper);
  const std::int64_t at = quantile.q;
  if (at == FixedPoint::impossible) {
    if (paper) {  // even the lowest score of a word without impossible letters is not probable enough
      threshold.score = -std::numeric_limits<double>::infinity();
      threshold.p = certain(matrix, !std::is_floating_point_v<Weight>);
      return threshold;
    }
    const std::vector<ScoreGroup<Weight>> lowest =
        words.scores_between(fixed.lowest(), fixed.lowest() + 2 * fixed.doubt);
    set(lowest.back().score, words.total());
    return threshold;
  }
  // The largest score of which P is too large (paper: large enough) is at most at + doubt, so its groups are complete;
  // the next one above may need words further up to be looked at.
  const std::int64_t above = paper ? FixedPoint::impossible : words.next_above(quantile, at);
  std::int64_t last = (above != FixedPoint::impossible ? above : at) + 2 * fixed.doubt;
  for (;;) {
    const std::vector<ScoreGroup<Weight>> groups = words.scores_between(at - 2 * fixed.doubt, last);
    Weight sum = words.sum_at_least(quantile, last + 1);
    std::size_t i = 0;
    for (; i + 1 < groups.size(); ++i) {
      const Weight with = sum + groups[i].weight;
      if (paper ? with >= wanted : with > wanted) break;
      sum = with;
    }
    if (paper) {
      set(groups[i].score, sum + groups[i].weight);
      return threshold;
    }
    const std::int64_t needed = i > 0 ? fixed.surely_at_least(groups[i - 1].score) : words.next_above(quantile, last);
    if (i == 0 && needed == FixedPoint::impossible) {
      threshold.none = true;
      set(groups.front().score, groups.front().weight);
      return threshold;
    }
    if (i > 0 && needed <= last + 1) {
      set(groups[i - 1].score, sum);
      return threshold;
    }
    last = needed + 2 * fixed.doubt;
  }
}

/// For fewer different scores each is looked up by itself, on the device.
constexpr std::size_t least_at_once = 4;

template <class Weight>
std::vector<PValue> exact_p_values(const Device& device, const ScoreMatrix& matrix, const FixedPoint& fixed,
                                   std::span<const double> scores, const Background& background) {
  std::vector<double> distinct(scores.begin(), scores.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const bool everything = !distinct.empty() && distinct.front() == -std::numeric_limits<double>::infinity();
  if (everything) distinct.erase(distinct.begin());
  std::optional<ManyTails<Weight>> tails;
  if (distinct.size() >= least_at_once)
    tails = many_tails(matrix, fixed, WordModel<Weight>(background, matrix.length()), distinct);
  if (!tails) {
    const WordCount<Weight> words(matrix, fixed, background, &device);
    tails = ManyTails<Weight>{words.at_least(distinct), words.relative_error()};
  }
  std::vector<PValue> values;
  for (const double score : scores) {
    if (score == -std::numeric_limits<double>::infinity()) {
      values.push_back(certain(matrix, !std::is_floating_point_v<Weight>));
      continue;
    }
    const auto at = std::lower_bound(distinct.begin(), distinct.end(), score) - distinct.begin();
    values.push_back(
        exact_p_value(tails->relative_error, matrix.length(), tails->weight[static_cast<std::size_t>(at)]));
  }
  return values;
}

template <class Weight>
std::vector<Threshold> exact_thresholds(const Device& device, const ScoreMatrix& matrix, const FixedPoint& fixed,
                                        std::span<const double> ps, const Background& background, bool paper) {
  const WordCount<Weight> words(matrix, fixed, background, &device);
  std::vector<Threshold> results;
  for (const double p : ps) results.push_back(exact_threshold(words, matrix, p, paper));
  return results;
}

/// Proved, but no more: an attainable score next to it cannot be told.
Threshold bounded_threshold(const ScoreTables& tables, const FixedPoint& fixed, const Background& background, double p,
                            bool paper) {
  Threshold threshold;
  const double best = best_word_probability(fixed, background);
  const std::int64_t q = tables.quantile(p, paper);
  // The best word is attained: of a score above all that are certified.
  const bool top = q == FixedPoint::impossible;
  if (top && paper) {
    threshold.score = -std::numeric_limits<double>::infinity();
    threshold.p = {.low = 1, .high = 1, .exact = true, .words = std::nullopt};
    return threshold;
  }
  threshold.none = !paper && best > p * (1 + 1e-12);
  threshold.score = fixed.score(top || threshold.none ? fixed.highest() - fixed.doubt : q);
  threshold.p = tables.p_value(threshold.score);
  return threshold;
}

}  // namespace

std::vector<PValue> certified_p_values(const Device& device, const ScoreMatrix& matrix, std::span<const double> scores,
                                       const Background& background) {
  const FixedPoint fixed = fixed_point(matrix);
  if (best_cut(fixed, background.order()).sums <= most_half_sums)
    return counts_words(matrix, background) ? exact_p_values<std::uint64_t>(device, matrix, fixed, scores, background)
                                            : exact_p_values<double>(device, matrix, fixed, scores, background);
  const ScoreTables tables(fixed, background, table_bins);
  std::vector<PValue> values;
  for (const double score : scores)
    values.push_back(score == -std::numeric_limits<double>::infinity() ? certain(matrix, false)
                                                                       : tables.p_value(score));
  return values;
}

std::vector<Threshold> certified_thresholds(const Device& device, const ScoreMatrix& matrix, std::span<const double> ps,
                                            const Background& background, bool paper_convention) {
  const FixedPoint fixed = fixed_point(matrix);
  if (best_cut(fixed, background.order()).sums <= most_half_sums)
    return counts_words(matrix, background)
               ? exact_thresholds<std::uint64_t>(device, matrix, fixed, ps, background, paper_convention)
               : exact_thresholds<double>(device, matrix, fixed, ps, background, paper_convention);
  const ScoreTables tables(fixed, background, table_bins);
  std::vector<Threshold> results;
  for (const double p : ps) results.push_back(bounded_threshold(tables, fixed, background, p, paper_convention));
  return results;
}

Distribution certified_distribution(const ScoreMatrix& matrix, const Background& background, unsigned edges) {
  const FixedPoint fixed = fixed_point(matrix);
  const ScoreTables tables(fixed, background, std::uint64_t{1} << 14);
  Distribution distribution;
  const double lowest = fixed.score(fixed.lowest()), highest = fixed.score(fixed.highest());
  for (unsigned i = 0; i < edges; ++i) {
    const double edge = edges == 1 ? lowest : lowest + (highest - lowest) * i / (edges - 1);
    const PValue p = tables.p_value(edge);
    distribution.edge.push_back(edge);
    distribution.low.push_back(p.low);
    distribution.high.push_back(p.high);
  }
  distribution.error = fixed.score(tables.spread() + 2 * fixed.doubt);
  return distribution;
}

}  // namespace genocl::pwm
