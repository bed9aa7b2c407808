#include "pwm/scan/score_tables.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace genocl::pwm {
namespace {

std::int64_t ceil_shift(std::int64_t value, unsigned bits) { return -(-value >> bits); }

struct Range {
  std::int64_t first = 0, last = 0;
};

/// Of the grid sums of columns [begin, end).
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
  // F * 2^step >= sure, so Q is; and where Q >= maybe, F * 2^step >= maybe - spread.
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

}  // namespace genocl::pwm
