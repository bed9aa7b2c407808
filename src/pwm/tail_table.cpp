// Tails of score distributions: the best words, thresholds and P-values.

#include "pwm/tail_table.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/pwm/tail_table.hpp"
#include "pwm/halves.hpp"
#include "pwm/p_value.hpp"
#include "runtime/parallel.hpp"

namespace genocl::pwm {

namespace {

/// Enumerates words letter by letter from the first on, so that a score is the sum of ScoreMatrix::score(). No
/// deficit of a letter is below 0: every beginning that is tried becomes a word.
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

  std::vector<double> score, weight;  ///< no weights if words are counted

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

/// Sorts descending, by radix: several times as fast as by comparison for the thousands of scores of a motif.
void sort_scores(std::vector<double>& scores) {
  constexpr std::size_t few = 512, digit_bits = 11, digits = std::size_t{1} << digit_bits;
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  if (scores.size() < few) {
    std::ranges::sort(scores, std::greater<>());
    return;
  }
  std::vector<std::uint64_t> keys(scores.size()), sorted(scores.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(scores[i]);
    keys[i] = (bits & sign) != 0 ? bits : ~(bits | sign);  // ascending for descending scores
  }
  for (unsigned shift = 0; shift < 64; shift += digit_bits) {
    const auto digit = [shift](std::uint64_t key) { return static_cast<std::size_t>(key >> shift) % digits; };
    std::array<std::uint32_t, digits + 1> place{};
    for (const std::uint64_t key : keys) ++place[digit(key) + 1];
    if (std::ranges::find(place, keys.size()) != place.end()) continue;  // all keys have one digit
    std::partial_sum(place.begin(), place.end(), place.begin());
    for (const std::uint64_t key : keys) sorted[place[digit(key)]++] = key;
    keys.swap(sorted);
  }
  for (std::size_t i = 0; i < keys.size(); ++i)
    scores[i] = std::bit_cast<double>((keys[i] & sign) != 0 ? keys[i] : ~keys[i] & ~sign);
}

/// Accumulates weights: of all words with at least the score.
void add_up(TopWords& top, std::vector<double> scores, std::vector<double> weights) {
  if (weights.empty()) {
    sort_scores(scores);
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

namespace {

constexpr std::size_t max_threshold_words = std::size_t{1} << 16;
/// More words than this, estimated by the table, are not tried; the estimate may be too high.
constexpr double hopeless = 1.5 * static_cast<double>(max_threshold_words);

/// Empty if words are missing.
std::optional<Threshold> threshold_in(const TopWords& words, std::size_t length, double p, bool paper) {
  const double count = words.counted ? std::ldexp(p, 2 * static_cast<int>(length)) : p;
  Threshold threshold;
  const auto set = [&](std::size_t i) {
    threshold.score = words.score[i];
    threshold.p = words.p_value(words.weight[i], length);
  };
  const auto place = [&](auto found) { return static_cast<std::size_t>(found - words.weight.begin()); };
  if (paper) {
    // A difference by rounding only counts as equal to p.
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
  const std::optional<TopWords> words = top_words(matrix, fixed, backgrounds, reaching.depth, max_threshold_words);
  if (!words || words->score.empty()) return std::nullopt;
  for (const double p : ps) {
    const std::optional<Threshold> one = threshold_in(*words, matrix.length(), p, paper_convention);
    if (!one) return std::nullopt;
    thresholds.push_back(*one);
  }
  return thresholds;
}

namespace {

constexpr std::size_t max_table_words = std::size_t{1} << 15;
/// Number of best words that a table of bounds contains one by one: bounds for so rare words would be far from each
/// other.
constexpr double best_words = 4096;
/// Bins of a table of bounds. Each contains as many cells as there are columns, the maximum shift of a word by the
/// letters' rounding: finer cells would not help without more bins.
constexpr std::uint64_t places = std::uint64_t{1} << 15;
/// Maximum number of cells of a table during construction.
constexpr std::uint64_t max_cells = std::uint64_t{1} << 21;

void prefetch_line([[maybe_unused]] const void* address) {
#ifdef __GNUC__
  __builtin_prefetch(address);
#endif
}

/// A DeficitTable with its bounds at some deficits only.
class Bounds {
 public:
  Bounds(const FixedPoint& fixed, const Background& background, std::int64_t depth, DeficitTable::Memory& memory) {
    DeficitTable all(fixed, background, depth, std::min(max_cells, places * fixed.columns.size()), memory);
    while (static_cast<std::uint64_t>(depth >> step_) >= places) ++step_;
    const std::int64_t count = (depth >> step_) + 2;
    low_.reserve(static_cast<std::size_t>(count));
    high_.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
      low_.push_back(all.low(std::min(i << step_, depth)));
      high_.push_back(all.high(std::min(i << step_, depth)));
    }
    std::move(all).release(memory);
  }
  /// Bounds of P(deficit <= `deficit`).
  double low(std::int64_t deficit) const {
    return deficit < 0 ? 0 : low_[std::min(static_cast<std::size_t>(deficit >> step_), low_.size() - 1)];
  }
  double high(std::int64_t deficit) const {
    return deficit < 0 ? 0 : high_[std::min(static_cast<std::size_t>(((deficit - 1) >> step_) + 1), high_.size() - 1)];
  }
  /// The smallest deficit at which P may be `p`.
  std::int64_t reaching(double p) const {
    return static_cast<std::int64_t>(std::ranges::lower_bound(high_, p) - high_.begin()) << step_;
  }
  void prefetch(std::int64_t low_deficit, std::int64_t high_deficit) const {
    if (low_deficit >= 0)
      prefetch_line(&low_[std::min(static_cast<std::size_t>(low_deficit >> step_), low_.size() - 1)]);
    if (high_deficit >= 0)
      prefetch_line(&high_[std::min(static_cast<std::size_t>(((high_deficit - 1) >> step_) + 1), high_.size() - 1)]);
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
  double best_word = 0, lowest_word = 0;  ///< first and last score of `words`
  FixedPoint fixed;
  std::int64_t highest = 0;  ///< of `fixed`
  std::int64_t depth = -1;
  TopWords words;              ///< all words, or the best
  std::vector<Bounds> bounds;  ///< of each background; empty if `words` has all words

  /// For scores that fall into equal parts of the range of `words`: the first word of each part, and the end.
  std::vector<std::uint32_t> first_of_part;
  double parts_per_score = 0;

  void make(const ScoreMatrix& matrix, std::span<const Background> backgrounds, DeficitTable::Memory& memory);
  void divide_words();

  bool among_words(double score) const { return bounds.empty() || (!words.score.empty() && score >= lowest_word); }
  std::size_t part(double score) const;
  PValue of_words(double score) const;
  PValue of_bounds(double score) const;
};

void TailTable::State::make(const ScoreMatrix& matrix, std::span<const Background> backgrounds,
                            DeficitTable::Memory& memory) {
  depth = std::isinf(threshold) && threshold < 0
              ? largest_deficit(fixed)
              : std::min(largest_deficit(fixed), fixed.highest() - fixed.maybe_at_least(threshold));
  // Includes words that may score as much as the threshold, and those within its doubt.
  if (std::optional<TopWords> all = top_words(matrix, fixed, backgrounds, depth, max_table_words)) {
    words = std::move(*all);
    return;
  }
  for (const Background& background : backgrounds) bounds.emplace_back(fixed, background, depth, memory);
  std::int64_t top = depth;
  const double p = std::ldexp(best_words, -2 * static_cast<int>(length));
  for (const Bounds& one : bounds) top = std::min(top, one.reaching(p));
  for (; top > 0; top /= 2)
    if (std::optional<TopWords> best = top_words(matrix, fixed, backgrounds, top, max_table_words)) {
      words = std::move(*best);
      return;
    }
}

namespace {

/// The part of a score below `best`, the best word. Monotonic: a lower score has the same or a later part.
std::size_t part_of(double best, double score, double parts_per_score, std::size_t parts) {
  const double part = (best - score) * parts_per_score;
  return part < static_cast<double>(parts) ? static_cast<std::size_t>(std::max(0.0, part)) : parts - 1;
}

}  // namespace

void TailTable::State::divide_words() {
  if (words.score.empty()) return;
  best_word = words.score.front();
  lowest_word = words.score.back();
  constexpr std::size_t words_per_part = 4, min_words = 64;
  const double range = best_word - lowest_word;
  if (words.score.size() < min_words) return;
  if (!std::isfinite(range) || !std::isfinite(1 / range)) return;
  const std::size_t parts = words.score.size() / words_per_part;
  parts_per_score = static_cast<double>(parts) / range;
  first_of_part.assign(parts + 1, 0);
  for (const double score : words.score) ++first_of_part[part_of(best_word, score, parts_per_score, parts) + 1];
  std::partial_sum(first_of_part.begin(), first_of_part.end(), first_of_part.begin());
}

std::size_t TailTable::State::part(double score) const {
  return part_of(best_word, score, parts_per_score, first_of_part.size() - 1);
}

PValue TailTable::State::of_words(double score) const {
  auto first = words.score.begin(), last = words.score.end();
  if (!first_of_part.empty()) {
    const std::size_t of_score = part(score);
    last = first + first_of_part[of_score + 1];
    first += first_of_part[of_score];
  }
  // Up to the last one with that score.
  const auto behind = std::ranges::upper_bound(first, last, score, std::greater<>()) - words.score.begin();
  return words.p_value(behind == 0 ? 0 : words.weight[static_cast<std::size_t>(behind) - 1], length);
}

PValue TailTable::State::of_bounds(double score) const {
  PValue p{.low = 0, .high = 0};
  for (const Bounds& one : bounds) {
    p.low += one.low(highest - fixed.surely_at_least(score)) / static_cast<double>(bounds.size());
    p.high += one.high(highest - fixed.maybe_at_least(score)) / static_cast<double>(bounds.size());
  }
  return p;
}

TailTable::TailTable(const ScoreMatrix& matrix, double threshold, const PValueOptions& options,
                     std::vector<std::vector<double>>& memory) {
  if (options.method != PValueMethod::certified)
    throw InputError("a table of P-values has them by the method certified");
  auto state = std::make_shared<State>();
  state->length = matrix.length();
  state->threshold = threshold;
  if (!std::isnan(threshold)) {
    state->fixed = fixed_point(matrix);
    state->highest = state->fixed.highest();
    state->make(matrix, backgrounds_of(options), memory);
    state->divide_words();
  }
  state_ = std::move(state);
}

TailTable::TailTable(const ScoreMatrix& matrix, double threshold, const PValueOptions& options) {
  DeficitTable::Memory memory;
  *this = TailTable(matrix, threshold, options, memory);
}

PValue TailTable::operator()(double score) const {
  const State& state = *state_;
  if (std::isnan(state.threshold) || std::isnan(score)) return {};
  if (score < state.threshold) return {.low = (*this)(state.threshold).low, .high = 1};
  return state.among_words(score) ? state.of_words(score) : state.of_bounds(score);
}

void TailTable::prefetch() const {
  constexpr std::size_t line = 64;
  const auto* const bytes = reinterpret_cast<const char*>(state_.get());
  for (std::size_t i = 0; i < sizeof(State); i += line) prefetch_line(bytes + i);
}

void TailTable::prefetch_place(double score) const {
  const State& state = *state_;
  if (!(score >= state.threshold)) return;
  if (!state.among_words(score)) {
    for (const Bounds& one : state.bounds)
      one.prefetch(state.highest - state.fixed.surely_at_least(score),
                   state.highest - state.fixed.maybe_at_least(score));
  } else if (!state.first_of_part.empty()) {
    prefetch_line(&state.first_of_part[state.part(score)]);
  }
}

void TailTable::prefetch_words(double score) const {
  const State& state = *state_;
  if (!state.among_words(score) || state.first_of_part.empty()) return;
  const std::size_t part = state.part(score);
  const std::size_t middle = (state.first_of_part[part] + state.first_of_part[part + 1]) / 2;
  if (middle >= state.words.score.size()) return;
  prefetch_line(&state.words.score[middle]);
  prefetch_line(&state.words.weight[middle]);
}

bool TailTable::exact() const noexcept { return state_->bounds.empty() && !std::isnan(state_->threshold); }

std::uint64_t TailTable::bytes() const noexcept {
  std::uint64_t bytes = sizeof(State) + 2 * state_->words.score.size() * sizeof(double) +
                        state_->first_of_part.size() * sizeof(std::uint32_t);
  for (const Bounds& one : state_->bounds) bytes += one.bytes();
  return bytes;
}

std::vector<TailTable> tail_tables(std::span<const ScoreMatrix> matrices, std::span<const double> thresholds,
                                   const PValueOptions& options) {
  if (matrices.size() != thresholds.size())
    throw InputError(std::to_string(matrices.size()) + " matrices and " + std::to_string(thresholds.size()) +
                     " thresholds; expected as many of both");
  std::vector<std::optional<TailTable>> made(matrices.size());
  std::uint64_t done = 0;
  std::mutex mutex;
  std::vector<DeficitTable::Memory> spare;  // each is of one thread at a time
  const auto exchange_memory = [&](DeficitTable::Memory& memory, bool take) {
    const std::lock_guard lock(mutex);
    if (!take) {
      spare.push_back(std::move(memory));
    } else if (!spare.empty()) {
      memory = std::move(spare.back());
      spare.pop_back();
    }
  };
  runtime::parallel_for(matrices.size(), runtime::threads_for(matrices.size(), 1, 64), [&](std::size_t i) {
    DeficitTable::Memory memory;
    exchange_memory(memory, true);
    made[i].emplace(TailTable(matrices[i], thresholds[i], options, memory));
    exchange_memory(memory, false);
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
