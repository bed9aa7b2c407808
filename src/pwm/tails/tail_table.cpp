#include "genocl/pwm/tail_table.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <mutex>
#include <optional>

#include "genocl/error.hpp"
#include "pwm/p_value/strand_backgrounds.hpp"
#include "pwm/tails/deficit_table.hpp"
#include "pwm/tails/top_words.hpp"
#include "runtime/parallel.hpp"

namespace genocl::pwm {
namespace {

constexpr std::size_t most_words = std::size_t{1} << 15;
/// Of the best words, which a table of bounds has one by one: they are so few that bounds would be far apart.
constexpr double best_words = 4096;
/// Places of a table of bounds. Between two of them lie as many cells as there are columns, by which the letters'
/// rounding moves a word at most: finer cells would not help without more places.
constexpr std::uint64_t places = std::uint64_t{1} << 15;
/// Of a table while it is made.
constexpr std::uint64_t most_cells = std::uint64_t{1} << 21;

/// A DeficitTable with its bounds at some deficits only.
class Bounds {
 public:
  Bounds(const FixedPoint& fixed, const Background& background, std::int64_t depth) {
    const DeficitTable all(fixed, background, depth, std::min(most_cells, places * fixed.columns.size()));
    while (static_cast<std::uint64_t>(depth >> step_) >= places) ++step_;
    const std::int64_t count = (depth >> step_) + 2;
    for (std::int64_t i = 0; i < count; ++i) {
      low_.push_back(all.low(std::min(i << step_, depth)));
      high_.push_back(all.high(std::min(i << step_, depth)));
    }
  }
  /// Of P(deficit <= so much).
  double low(std::int64_t deficit) const {
    return deficit < 0 ? 0 : low_[std::min(static_cast<std::size_t>(deficit >> step_), low_.size() - 1)];
  }
  double high(std::int64_t deficit) const {
    return deficit < 0 ? 0 : high_[std::min(static_cast<std::size_t>(((deficit - 1) >> step_) + 1), high_.size() - 1)];
  }
  /// The least deficit where P may be `p`.
  std::int64_t reaching(double p) const {
    return static_cast<std::int64_t>(std::ranges::lower_bound(high_, p) - high_.begin()) << step_;
  }
  std::uint64_t bytes() const { return (low_.size() + high_.size()) * sizeof(double); }

 private:
  unsigned step_ = 0;
  std::vector<double> low_, high_;
};

}  // namespace

struct TailTable::State {
  std::size_t length = 0;
  double threshold = 0;
  FixedPoint fixed;
  std::int64_t depth = -1;
  TopWords words;              ///< all of them, or the best
  std::vector<Bounds> bounds;  ///< of each background; none where all words are there

  void make(const ScoreMatrix& matrix, std::span<const Background> backgrounds);

  PValue of_words(double score) const;
  PValue of_bounds(double score) const;
};

void TailTable::State::make(const ScoreMatrix& matrix, std::span<const Background> backgrounds) {
  depth = std::isinf(threshold) && threshold < 0
              ? largest_deficit(fixed)
              : std::min(largest_deficit(fixed), fixed.highest() - fixed.maybe_at_least(threshold));
  // Words that may score as much as the threshold are in it, and those that its doubt reaches.
  if (std::optional<TopWords> all = top_words(matrix, fixed, backgrounds, depth, most_words)) {
    words = std::move(*all);
    return;
  }
  for (const Background& background : backgrounds) bounds.emplace_back(fixed, background, depth);
  std::int64_t top = depth;
  const double p = std::ldexp(best_words, -2 * static_cast<int>(length));
  for (const Bounds& one : bounds) top = std::min(top, one.reaching(p));
  for (; top > 0; top /= 2)
    if (std::optional<TopWords> best = top_words(matrix, fixed, backgrounds, top, most_words)) {
      words = std::move(*best);
      return;
    }
}

PValue TailTable::State::of_words(double score) const {
  // Up to the last one that scores so much.
  const auto behind = std::ranges::upper_bound(words.score, score, std::greater<>()) - words.score.begin();
  return words.p_value(behind == 0 ? 0 : words.weight[static_cast<std::size_t>(behind) - 1], length);
}

PValue TailTable::State::of_bounds(double score) const {
  const std::int64_t highest = fixed.highest();
  PValue p{.low = 0, .high = 0};
  for (const Bounds& one : bounds) {
    p.low += one.low(highest - fixed.surely_at_least(score)) / static_cast<double>(bounds.size());
    p.high += one.high(highest - fixed.maybe_at_least(score)) / static_cast<double>(bounds.size());
  }
  return p;
}

TailTable::TailTable(const ScoreMatrix& matrix, double threshold, const POptions& options) {
  if (options.method != PMethod::certified) throw InputError("a table of P-values has them by the method certified");
  auto state = std::make_shared<State>();
  state->length = matrix.length();
  state->threshold = threshold;
  if (!std::isnan(threshold)) {
    state->fixed = fixed_point(matrix);
    state->make(matrix, backgrounds_of(options));
  }
  state_ = std::move(state);
}

PValue TailTable::operator()(double score) const {
  const State& state = *state_;
  if (std::isnan(state.threshold) || std::isnan(score)) return {};
  if (score < state.threshold) return {.low = (*this)(state.threshold).low, .high = 1};
  const bool among_words = state.bounds.empty() || (!state.words.score.empty() && score >= state.words.score.back());
  return among_words ? state.of_words(score) : state.of_bounds(score);
}

bool TailTable::exact() const noexcept { return state_->bounds.empty() && !std::isnan(state_->threshold); }

std::uint64_t TailTable::bytes() const noexcept {
  std::uint64_t bytes = sizeof(State) + 2 * state_->words.score.size() * sizeof(double);
  for (const Bounds& one : state_->bounds) bytes += one.bytes();
  return bytes;
}

std::vector<TailTable> tail_tables(std::span<const ScoreMatrix> matrices, std::span<const double> thresholds,
                                   const POptions& options) {
  if (matrices.size() != thresholds.size())
    throw InputError(std::to_string(matrices.size()) + " matrices and " + std::to_string(thresholds.size()) +
                     " thresholds; expected as many of both");
  std::vector<std::optional<TailTable>> made(matrices.size());
  std::uint64_t done = 0;
  std::mutex mutex;
  runtime::parallel_for(matrices.size(), runtime::threads_for(matrices.size(), 1, 64), [&](std::size_t i) {
    made[i].emplace(matrices[i], thresholds[i], options);
    if (!options.progress) return;
    const std::lock_guard lock(mutex);
    ++done;
    if (!options.progress({static_cast<double>(done) / static_cast<double>(made.size()), done, made.size()}))
      throw Cancelled();
  });
  std::vector<TailTable> tables;
  for (std::optional<TailTable>& one : made) tables.push_back(std::move(*one));
  return tables;
}

}  // namespace genocl::pwm
