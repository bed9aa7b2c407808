// Certified P-values and thresholds: exact by counted words, or bounded by tables.

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <type_traits>

#include "genocl/error.hpp"
#include "pwm/halves.hpp"
#include "pwm/p_value.hpp"
#include "pwm/tail_table.hpp"
#include "pwm/word_count.hpp"

namespace genocl::pwm {
namespace {

std::int64_t ceil_shift(std::int64_t value, unsigned bits) { return -(-value >> bits); }

struct Range {
  std::int64_t first = 0, last = 0;
};

/// Range of the grid sums of columns [begin, end).
Range range(const FixedPoint& fixed, unsigned step, std::size_t begin, std::size_t end) {
  Range r;
  for (std::size_t i = begin; i < end; ++i) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = std::numeric_limits<std::int64_t>::min();
    for (const std::int64_t q : fixed.columns[i]) {
      if (q == FixedPoint::impossible) continue;
      least = std::min(least, q >> step);
      most = std::max(most, q >> step);
    }
    r.first += least;
    r.last += most;
  }
  return r;
}

}  // namespace

ScoreTables::ScoreTables(const FixedPoint& fixed, const Background& background, std::uint64_t bins) : fixed_(fixed) {
  const std::size_t length = fixed.columns.size();
  const WordModel<double> model(background, length);
  const std::size_t cut = std::max<std::size_t>(std::min<std::size_t>(model.order(), length), length / 2);
  const auto span = static_cast<std::uint64_t>(fixed.highest() - fixed.lowest());
  while ((span >> step_) * model.states(length) > bins) ++step_;

  const Range left = range(fixed, step_, 0, cut), right = range(fixed, step_, cut, length);
  left_first_ = left.first;
  right_first_ = right.first;
  const auto add = [](std::vector<double>& to, const std::vector<double>& from, std::int64_t by, double factor) {
    for (std::size_t i = 0; i < from.size(); ++i)
      if (from[i] != 0) to[i + static_cast<std::size_t>(by)] += from[i] * factor;
  };
  left_ = {{1.0}};
  for (std::size_t i = 0; i < cut; ++i) {
    const Range own = range(fixed, step_, i, i + 1);
    const std::size_t size = left_[0].size() + static_cast<std::size_t>(own.last - own.first);
    std::vector<std::vector<double>> next(model.states(i + 1), std::vector<double>(size));
    for (std::size_t state = 0; state < left_.size(); ++state)
      for (unsigned x = 0; x < 4; ++x)
        if (const std::int64_t q = fixed.columns[i][x]; q != FixedPoint::impossible)
          add(next[model.next(i, state, x)], left_[state], (q >> step_) - own.first, model.factor(i, state, x));
    left_ = std::move(next);
  }
  tail_.assign(model.states(length), {1.0});
  for (std::size_t i = length; i-- > cut;) {
    const Range own = range(fixed, step_, i, i + 1);
    const std::size_t size = tail_[0].size() + static_cast<std::size_t>(own.last - own.first);
    std::vector<std::vector<double>> next(model.states(i), std::vector<double>(size));
    for (std::size_t state = 0; state < next.size(); ++state)
      for (unsigned x = 0; x < 4; ++x)
        if (const std::int64_t q = fixed.columns[i][x]; q != FixedPoint::impossible)
          add(next[state], tail_[model.next(i, state, x)], (q >> step_) - own.first, model.factor(i, state, x));
    tail_ = std::move(next);
  }
  for (std::vector<double>& tail : tail_)
    for (std::size_t i = tail.size() - 1; i-- > 0;) tail[i] += tail[i + 1];
  const std::size_t terms = 8 * length + tail_[0].size() + left_[0].size() * left_.size();
  error_ = static_cast<double>(terms) * std::numeric_limits<double>::epsilon() / 2;
}

double ScoreTables::at_least(std::int64_t grid_sum) const {
  double sum = 0;
  for (std::size_t state = 0; state < left_.size(); ++state) {
    const std::vector<double>&left = left_[state], &tail = tail_[state];
    const auto size = static_cast<std::int64_t>(tail.size());
    for (std::size_t i = 0; i < left.size(); ++i) {
      const std::int64_t rest = grid_sum - left_first_ - static_cast<std::int64_t>(i) - right_first_;
      if (rest < size) sum += left[i] * tail[static_cast<std::size_t>(std::max<std::int64_t>(rest, 0))];
    }
  }
  return sum;
}

PValue ScoreTables::at_least(std::int64_t sure, std::int64_t maybe) const {
  PValue p;
  // F * 2^step >= sure implies Q >= sure; and Q >= maybe implies F * 2^step >= maybe - spread.
  p.low = at_least(ceil_shift(sure, step_)) * (1 - error_);
  const std::int64_t largest_gap = static_cast<std::int64_t>(fixed_.columns.size()) * (width() - 1);
  p.high = std::min(1.0, at_least(ceil_shift(maybe - largest_gap, step_)) * (1 + error_));
  return p;
}

PValue ScoreTables::p_value(double score) const {
  return at_least(fixed_.surely_at_least(score), fixed_.maybe_at_least(score));
}

std::int64_t ScoreTables::quantile(double p, bool paper) const {
  std::int64_t low = fixed_.lowest() >> step_, high = (fixed_.highest() >> step_) + 2;
  const auto bounds = [&](std::int64_t f) {
    return at_least((f << step_) + fixed_.doubt, (f << step_) - fixed_.doubt);
  };
  // low: too probable (paper: probable enough), high: not.
  const auto probable = [&](std::int64_t f) { return paper ? bounds(f).low >= p : bounds(f).high > p; };
  if (!probable(low)) return paper ? FixedPoint::impossible : low << step_;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (probable(middle) ? low : high) = middle;
  }
  const std::int64_t found = paper ? low : high;
  return found << step_ > fixed_.highest() ? FixedPoint::impossible : found << step_;
}

double best_word_probability(const FixedPoint& fixed, const Background& background) {
  const std::size_t length = fixed.columns.size();
  const WordModel<double> model(background, length);
  std::vector<double> p = {1.0};
  for (std::size_t i = 0; i < length; ++i) {
    const std::int64_t best = *std::max_element(fixed.columns[i].begin(), fixed.columns[i].end());
    std::vector<double> next(model.states(i + 1));
    for (std::size_t state = 0; state < p.size(); ++state)
      for (unsigned x = 0; x < 4; ++x)
        if (fixed.columns[i][x] == best) next[model.next(i, state, x)] += p[state] * model.factor(i, state, x);
    p = std::move(next);
  }
  double sum = 0;
  for (const double one : p) sum += one;
  return sum;
}

namespace {

/// Up to this length the products of counts stay below 2^62.
constexpr std::size_t longest_counted = 31;

bool counts_words(const ScoreMatrix& matrix, const Background& background) {
  return background.order() == 0 && background.uniform() && matrix.length() <= longest_counted;
}

/// @param relative_error  of the weight
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

/// The smallest attainable score with P <= p, or (paper) the largest with P >= p.
template <class Weight, class Words>
Threshold exact_threshold(const Words& words, const ScoreMatrix& matrix, double p, bool paper) {
  const FixedPoint& fixed = words.fixed();
  Weight wanted{};
  if constexpr (std::is_floating_point_v<Weight>) {
    // A difference by rounding only counts as equal to p.
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
  // By Q first; then words around the quantile are sorted by score. Q may misplace a word by `doubt`, so all words
  // within twice that are considered.
  const auto quantile = words.quantile(wanted, !paper);
  const std::int64_t at = quantile.q;
  if (at == FixedPoint::impossible) {
    if (paper) {  // even the lowest score of a word without impossible letters is too rare
      threshold.score = -std::numeric_limits<double>::infinity();
      threshold.p = certain(matrix, !std::is_floating_point_v<Weight>);
      return threshold;
    }
    const std::vector<ScoreGroup<Weight>> lowest =
        words.scores_between(fixed.lowest(), fixed.lowest() + 2 * fixed.doubt);
    set(lowest.back().score, words.total());
    return threshold;
  }
  // The largest score with P too large (paper: large enough) is at most at + doubt, so its groups are complete; the
  // next one above may need words further up.
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

/// The words of one matrix under two backgrounds, each with the average of its probabilities: the interface of a
/// WordCount for exact_threshold().
class AverageCount {
 public:
  AverageCount(const WordCount<double>& first, const WordCount<double>& second) : first_(first), second_(second) {}

  struct Quantile {
    std::int64_t q = FixedPoint::impossible;
  };
  const FixedPoint& fixed() const { return first_.fixed(); }
  double relative_error() const {
    return std::max(first_.relative_error(), second_.relative_error()) + std::numeric_limits<double>::epsilon();
  }
  double total() const { return average(first_.total(), second_.total()); }
  double sum_at_least(std::int64_t q) const { return average(first_.sum_at_least(q), second_.sum_at_least(q)); }
  double sum_at_least(const Quantile& /*near*/, std::int64_t q) const { return sum_at_least(q); }
  std::int64_t next_above(const Quantile& /*near*/, std::int64_t q) const { return first_.next_above(q); }
  std::vector<ScoreGroup<double>> scores_between(std::int64_t first, std::int64_t last) const;
  /// The average is reached between the quantiles of both backgrounds.
  Quantile quantile(double weight, bool more) const;

 private:
  static double average(double a, double b) { return (a + b) / 2; }

  const WordCount<double>&first_, &second_;
};

std::vector<ScoreGroup<double>> AverageCount::scores_between(std::int64_t first, std::int64_t last) const {
  std::map<double, double, std::greater<>> weights;
  for (const WordCount<double>* const words : {&first_, &second_})
    for (const ScoreGroup<double>& group : words->scores_between(first, last)) weights[group.score] += group.weight / 2;
  std::vector<ScoreGroup<double>> groups;
  for (const auto& [score, weight] : weights) groups.push_back({score, weight});
  return groups;
}

AverageCount::Quantile AverageCount::quantile(double weight, bool more) const {
  const auto reached = [&](std::int64_t q) {
    const double sum = sum_at_least(q);
    return more ? sum > weight : sum >= weight;
  };
  std::int64_t low = fixed().lowest(), high = fixed().highest() + 1;
  if (!reached(low)) return {};
  const std::int64_t a = first_.quantile(weight, more).q, b = second_.quantile(weight, more).q;
  if (a != FixedPoint::impossible && b != FixedPoint::impossible) {
    if (reached(std::min(a, b))) low = std::min(a, b);
    if (!reached(std::max(a, b) + 1)) high = std::max(a, b) + 1;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (reached(middle) ? low : high) = middle;
  }
  return {low};
}

/// Fewer different scores are looked up separately, on the device.
constexpr std::size_t min_at_once = 4;

template <class Weight>
std::vector<PValue> exact_p_values(const Device& device, const ScoreMatrix& matrix, const FixedPoint& fixed,
                                   std::span<const double> scores, const Background& background) {
  std::vector<double> distinct(scores.begin(), scores.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const bool everything = !distinct.empty() && distinct.front() == -std::numeric_limits<double>::infinity();
  if (everything) distinct.erase(distinct.begin());
  std::optional<ManyTails<Weight>> tails;
  if (distinct.size() >= min_at_once)
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

/// Up to this P, lists of the relevant halves alone, on the host, are faster than all halves on a device.
constexpr double rare = 0.02;

}  // namespace

bool are_rare(std::span<const double> ps) { return !ps.empty() && std::ranges::max(ps) <= rare; }

namespace {

/// Lowest Q of words that matter for thresholds: exact_threshold() considers words slightly below the result. All
/// words if they are not rare.
std::int64_t min_for(const FixedPoint& fixed, std::span<const Background> backgrounds, std::span<const double> ps) {
  if (!are_rare(ps)) return every_word;
  return fixed.highest() - depth_reaching(fixed, backgrounds, std::ranges::max(ps)).depth - 4 * fixed.doubt;
}

template <class Weight>
std::vector<Threshold> exact_thresholds(const Device& device, const ScoreMatrix& matrix, const FixedPoint& fixed,
                                        std::span<const double> ps, const Background& background, bool paper) {
  const std::int64_t least = min_for(fixed, std::span(&background, 1), ps);
  const WordCount<Weight> words = least == every_word ? WordCount<Weight>(matrix, fixed, background, &device)
                                                      : WordCount<Weight>(matrix, fixed, background, least);
  std::vector<Threshold> results;
  for (const double p : ps) results.push_back(exact_threshold<Weight>(words, matrix, p, paper));
  return results;
}

/// Tables of one matrix under two backgrounds: the average of their probabilities.
class AverageTables {
 public:
  AverageTables(const FixedPoint& fixed, const ScoreTables& first, const ScoreTables& second)
      : fixed_(fixed), first_(first), second_(second) {}

  PValue p_value(double score) const { return average_of(first_.p_value(score), second_.p_value(score)); }
  /// As ScoreTables::quantile().
  std::int64_t quantile(double p, bool paper) const;

 private:
  const FixedPoint& fixed_;
  const ScoreTables &first_, &second_;
};

std::int64_t AverageTables::quantile(double p, bool paper) const {
  const std::int64_t width = std::max(first_.width(), second_.width());
  const auto probable = [&](std::int64_t place) {
    const PValue bounds = p_value(fixed_.score(place * width));
    return paper ? bounds.low >= p : bounds.high > p;
  };
  std::int64_t low = fixed_.lowest() / width - 1, high = fixed_.highest() / width + 2;
  if (!probable(low)) return paper ? FixedPoint::impossible : low * width;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (probable(middle) ? low : high) = middle;
  }
  const std::int64_t found = (paper ? low : high) * width;
  return found > fixed_.highest() ? FixedPoint::impossible : found;
}

/// A certified threshold; the nearest attainable score is unknown.
///
/// @param best  the probability of the best word
template <class Tables>
Threshold bounded_threshold(const Tables& tables, const FixedPoint& fixed, double best, double p, bool paper) {
  Threshold threshold;
  const std::int64_t q = tables.quantile(p, paper);
  // The best word is attained: its score is above all certified ones.
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

PValue average_of(const PValue& a, const PValue& b) {
  return {
      .low = (a.low + b.low) / 2, .high = (a.high + b.high) / 2, .exact = a.exact && b.exact, .words = std::nullopt};
}

std::vector<PValue> certified_p_values(const Device& device, const ScoreMatrix& matrix, std::span<const double> scores,
                                       const Background& background) {
  const FixedPoint fixed = fixed_point(matrix);
  if (best_cut(fixed, background.order()).sums <= max_half_sums)
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
  if (best_cut(fixed, background.order()).sums <= max_half_sums)
    return counts_words(matrix, background)
               ? exact_thresholds<std::uint64_t>(device, matrix, fixed, ps, background, paper_convention)
               : exact_thresholds<double>(device, matrix, fixed, ps, background, paper_convention);
  const ScoreTables tables(fixed, background, table_bins);
  std::vector<Threshold> results;
  const double best = best_word_probability(fixed, background);
  for (const double p : ps) results.push_back(bounded_threshold(tables, fixed, best, p, paper_convention));
  return results;
}

std::vector<Threshold> certified_average_thresholds(const Device& device, const ScoreMatrix& matrix,
                                                    std::span<const double> ps, const Background& first,
                                                    const Background& second, bool paper_convention) {
  const FixedPoint fixed = fixed_point(matrix);
  std::vector<Threshold> results;
  if (best_cut(fixed, first.order()).sums <= max_half_sums) {
    // Words may be rarer under one background than under both together: all are considered.
    const WordCount<double> of_first(matrix, fixed, first, &device), of_second(matrix, fixed, second, &device);
    const AverageCount words(of_first, of_second);
    for (const double p : ps) results.push_back(exact_threshold<double>(words, matrix, p, paper_convention));
    return results;
  }
  const ScoreTables of_first(fixed, first, table_bins), of_second(fixed, second, table_bins);
  const AverageTables tables(fixed, of_first, of_second);
  const double best = (best_word_probability(fixed, first) + best_word_probability(fixed, second)) / 2;
  for (const double p : ps) results.push_back(bounded_threshold(tables, fixed, best, p, paper_convention));
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
