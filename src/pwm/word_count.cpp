#include "pwm/word_count.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <tuple>
#include <type_traits>
#include <utility>

#include "pwm/halves.hpp"

namespace genocl::pwm {
namespace {

template <class Weight>
void add_up_equal_scores(std::vector<ScoreGroup<Weight>>& groups) {
  add_up_equal(groups, [](const ScoreGroup<Weight>& group) { return -group.score; });
}

/// Fewer scores are looked up separately.
constexpr std::size_t min_for_list = 4;
/// Maximum number of pairs of sums in one list.
constexpr std::uint64_t max_listed_pairs = std::uint64_t{1} << 18;

bool holds(const std::vector<std::int64_t>& sums, std::int64_t first, std::int64_t last) {
  const auto at = std::lower_bound(sums.begin(), sums.end(), first);
  return at != sums.end() && *at <= last;
}

}  // namespace

template <class Weight>
WordCount<Weight>::WordCount(const ScoreMatrix& matrix, const FixedPoint& fixed, const Background& background,
                             const Device* device, std::size_t min_on_device)
    : matrix_(matrix), fixed_(fixed), model_(background, matrix.length()), least_(fixed.lowest()) {
  const Cut cut = best_cut(fixed, model_.order());
  if constexpr (std::is_same_v<Weight, std::uint64_t>) {
    if (device != nullptr && cut.sums >= static_cast<double>(min_on_device)) {
      on_device_.emplace(*device, fixed, cut.at);
      halves_ = on_device_->download();
    }
  }
  if (!on_device_) halves_ = half_words(fixed, model_, cut.at);
  take_samples();
}

template <class Weight>
WordCount<Weight>::WordCount(const ScoreMatrix& matrix, const FixedPoint& fixed, const Background& background,
                             std::int64_t least)
    : matrix_(matrix), fixed_(fixed), model_(background, matrix.length()), least_(std::max(least, fixed.lowest())) {
  halves_ = half_words(fixed, model_, best_cut(fixed, model_.order()).at, least_);
  take_samples();
}

template <class Weight>
void WordCount<Weight>::take_samples() {
  const std::size_t states = halves_.tail.size();
  for (std::size_t state = 0; state < states; ++state)
    largest_ = std::max({largest_, halves_.prefix.back()[state].sum.size(), halves_.tail[state].size()});
  for (std::size_t stride = largest_ / 128; stride >= 16; stride /= 8) {
    std::vector<Sample>& samples = samples_.emplace_back(states);
    for (std::size_t state = 0; state < states; ++state) {
      Sample& sample = samples[state];
      const HalfList<Weight>& left = halves_.prefix.back()[state];
      for (std::size_t i = 0; i < left.sum.size(); i += stride) {
        const std::size_t end = std::min(i + stride, left.sum.size());
        sample.first.push_back(left.sum[i]);
        sample.last.push_back(left.sum[end - 1]);
        Weight weight = 0;
        for (std::size_t k = i; k < end; ++k) weight += left.weight[k];
        sample.weight.push_back(weight);
      }
      const std::vector<std::int64_t>& right = halves_.suffix.front()[state].sum;
      for (std::size_t i = 0; i < right.size(); i += stride) {
        sample.end.push_back(right[i]);
        sample.tail.push_back(halves_.tail[state][i]);
      }
      sample.tail.push_back(Weight{0});
    }
  }
}

template <class Weight>
double WordCount<Weight>::relative_error() const {
  if constexpr (!std::is_floating_point_v<Weight>) return 0;
  std::size_t terms = 8 * halves_.length + 64;  // products, and merges of equal sums
  for (const auto& list : halves_.prefix.back()) terms += list.sum.size();
  for (const auto& list : halves_.suffix.front()) terms += list.sum.size();
  return static_cast<double>(terms) * std::numeric_limits<double>::epsilon() / 2;
}

template <class Weight>
Weight WordCount<Weight>::sum_at_least(std::int64_t q) const {
  return counts(std::span(&q, 1))[0].weight;
}

template <class Weight>
std::vector<TailCount<Weight>> WordCount<Weight>::counts(std::span<const std::int64_t> q) const {
  std::vector<TailCount<Weight>> results;
  if constexpr (std::is_same_v<Weight, std::uint64_t>) {
    if (on_device_) {
      for (const DeviceHalves::Count& count : on_device_->at_least(q)) results.push_back({count.words, count.pairs});
      return results;
    }
  }
  for (const std::int64_t one : q) results.push_back(count(one));
  return results;
}

template <class Weight>
TailCount<Weight> WordCount<Weight>::count(std::int64_t q) const {
  TailCount<Weight> result;
  for (std::size_t state = 0; state < halves_.tail.size(); ++state) {
    const HalfList<Weight>& left = halves_.prefix.back()[state];
    const std::vector<std::int64_t>& right = halves_.suffix.front()[state].sum;
    const std::vector<Weight>& tail = halves_.tail[state];
    walk(left.sum, right, q, [&](std::size_t i, std::size_t j) {
      result.weight += left.weight[i] * tail[j];
      result.pairs += right.size() - j;
    });
  }
  return result;
}

// Beginnings of a block are bounded by its first and last sum, ends by the next and the previous boundary.
template <class Weight>
typename WordCount<Weight>::Bounds WordCount<Weight>::bounds_at_least(std::int64_t q,
                                                                      const std::vector<Sample>& samples) const {
  Bounds bounds{0, 0};
  for (const Sample& sample : samples) {
    walk(sample.first, sample.end, q,
         [&](std::size_t i, std::size_t j) { bounds.low += sample.weight[i] * sample.tail[j]; });
    walk(sample.last, sample.end, q,
         [&](std::size_t i, std::size_t j) { bounds.high += sample.weight[i] * sample.tail[j > 0 ? j - 1 : 0]; });
  }
  return bounds;
}

template <class Weight>
std::vector<std::pair<std::int64_t, Weight>> WordCount<Weight>::sums_between(std::int64_t first,
                                                                             std::int64_t last) const {
  std::vector<std::pair<std::int64_t, Weight>> sums;
  for (std::size_t state = 0; state < halves_.tail.size(); ++state) {
    const HalfList<Weight>&left = halves_.prefix.back()[state], &right = halves_.suffix.front()[state];
    walk(left.sum, right.sum, first, [&](std::size_t i, std::size_t j) {
      for (std::size_t k = j; k < right.sum.size() && left.sum[i] + right.sum[k] <= last; ++k)
        sums.emplace_back(left.sum[i] + right.sum[k], left.weight[i] * right.weight[k]);
    });
  }
  return sums;
}

template <class Weight>
std::int64_t WordCount<Weight>::next_above(std::int64_t q) const {
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  for (std::size_t state = 0; state < halves_.tail.size(); ++state) {
    const std::vector<std::int64_t>&left = halves_.prefix.back()[state].sum, &right = halves_.suffix.front()[state].sum;
    walk(left, right, q + 1, [&](std::size_t i, std::size_t j) {
      if (j < right.size()) best = std::min(best, left[i] + right[j]);
    });
  }
  return best == std::numeric_limits<std::int64_t>::max() ? FixedPoint::impossible : best;
}

template <class Weight>
Quantile<Weight> WordCount<Weight>::quantile(Weight weight, bool more) const {
  const auto reached = [&](Weight sum) { return more ? sum > weight : sum >= weight; };
  std::int64_t low = least_, high = fixed_.highest() + 1;
  if (!reached(sum_at_least(low))) return {.q = FixedPoint::impossible, .around = {}};
  if (reached(Weight{0})) return {.q = fixed_.highest(), .around = {}, .beyond_from = fixed_.highest() + 1};
  // sum_at_least(low) is sufficient, sum_at_least(high) is not. First with a few of the sums, then with more.
  for (const std::vector<Sample>& samples : samples_) {
    std::int64_t a = low, b = high;
    for (unsigned step = 0; step < 8 && b - a > 1; ++step) {
      const std::int64_t middle = a + (b - a) / 2;
      (reached(bounds_at_least(middle, samples).low) ? a : b) = middle;
    }
    low = a;
    b = high;
    for (unsigned step = 0; step < 8 && b - a > 1; ++step) {
      const std::int64_t middle = a + (b - a) / 2;
      (reached(bounds_at_least(middle, samples).high) ? a : b) = middle;
    }
    high = b;
  }
  // Then with all sums: P is nearly linear in such a short interval, so two positions on both sides of the expected
  // quantile leave little between them; the middle is tried in case it is not linear.
  const std::int64_t ends[] = {low, high};
  std::vector<TailCount<Weight>> at_ends = counts(ends);
  while (high - low > 1 && at_ends[0].pairs - at_ends[1].pairs > std::max<std::size_t>(1024, largest_ / 8)) {
    const auto above = static_cast<double>(at_ends[0].weight) - static_cast<double>(weight);
    const auto between = static_cast<double>(at_ends[0].weight) - static_cast<double>(at_ends[1].weight);
    const double part = std::clamp(above / between, 0.0, 1.0), width = static_cast<double>(high - low);
    std::vector<std::int64_t> places;
    for (const double place : {part - 1.0 / 64, part + 1.0 / 64})
      if (place > 0 && place < 1) places.push_back(low + static_cast<std::int64_t>(place * width));
    if (high - low < 4096) places = {low + (high - low) / 2};
    const std::int64_t from = low, to = high;
    const std::vector<TailCount<Weight>> at_places = counts(places);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i] <= low || places[i] >= high) continue;
      const bool enough = reached(at_places[i].weight);
      (enough ? low : high) = places[i];
      at_ends[enough ? 0 : 1] = at_places[i];
    }
    if ((high - low) / 2 >= (to - from) / 4 && high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      const TailCount<Weight> at_middle = counts(std::span(&middle, 1))[0];
      const bool enough = reached(at_middle.weight);
      (enough ? low : high) = middle;
      at_ends[enough ? 0 : 1] = at_middle;
    }
  }
  Quantile<Weight> found{.q = low, .around = sums_between(low, high - 1), .beyond_from = high};
  found.beyond = at_ends[1].weight;
  std::vector<std::pair<std::int64_t, Weight>>& sums = found.around;
  std::sort(sums.begin(), sums.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  Weight sum = found.beyond;
  for (const auto& [q, w] : sums) {
    sum += w;
    found.q = q;  // the last one, if weights rounded in another order miss it narrowly
    if (reached(sum)) break;
  }
  return found;
}

template <class Weight>
Weight WordCount<Weight>::sum_at_least(const Quantile<Weight>& near, std::int64_t q) const {
  if (q > near.beyond_from) return sum_at_least(q);
  Weight sum = near.beyond;
  for (const auto& [one, weight] : near.around) {
    if (one < q) break;
    sum += weight;
  }
  return sum;
}

template <class Weight>
std::int64_t WordCount<Weight>::next_above(const Quantile<Weight>& near, std::int64_t q) const {
  std::int64_t above = FixedPoint::impossible;
  for (const auto& [one, weight] : near.around) {
    if (one <= q) break;
    above = one;
  }
  return above != FixedPoint::impossible ? above : next_above(std::max(q, near.beyond_from - 1));
}

// The sums of beginnings, at each length, that lead to the given ones. Letter by letter from the last: a sum is
// included if the level below contains its rest.
template <class Weight>
typename WordCount<Weight>::Beginnings WordCount<Weight>::beginnings_of(std::vector<Beginning> last) const {
  Beginnings levels(halves_.cut + 1);
  levels[halves_.cut] = std::move(last);
  for (std::size_t i = halves_.cut; i > 0; --i) {
    std::vector<Beginning>& shorter = levels[i - 1];
    for (const Beginning& beginning : levels[i]) {
      for (std::size_t before = 0; before < model_.states(i - 1); ++before) {
        for (unsigned x = 0; x < 4; ++x) {
          const std::int64_t add = fixed_.columns[i - 1][x];
          if (add == FixedPoint::impossible || model_.next(i - 1, before, x) != beginning.first) continue;
          const std::int64_t q = beginning.second - add;
          if (holds(halves_.prefix[i - 1][before].sum, q, q)) shorter.emplace_back(before, q);
        }
      }
    }
    std::sort(shorter.begin(), shorter.end());
    shorter.erase(std::unique(shorter.begin(), shorter.end()), shorter.end());
  }
  return levels;
}

// Scores are summed as defined, from the first letter on; words of the same state, Q and score so far are merged.
// Only those that some ending brings into the range are continued.
template <class Weight>
std::vector<ScoreGroup<Weight>> WordCount<Weight>::scores_between(std::int64_t first, std::int64_t last) const {
  std::vector<ScoreGroup<Weight>> groups;
  if (fixed_.doubt == 0) {
    for (const auto& [q, weight] : sums_between(first, last)) groups.push_back({fixed_.score(q), weight});
    add_up_equal_scores(groups);
    return groups;
  }
  std::vector<Beginning> beginnings;
  for (std::size_t state = 0; state < halves_.tail.size(); ++state) {
    const std::vector<std::int64_t>&left = halves_.prefix.back()[state].sum, &right = halves_.suffix.front()[state].sum;
    walk(left, right, first, [&](std::size_t i, std::size_t j) {
      if (j < right.size() && left[i] + right[j] <= last) beginnings.emplace_back(state, left[i]);
    });
  }
  beginnings.erase(std::unique(beginnings.begin(), beginnings.end()), beginnings.end());
  const Beginnings levels = beginnings_of(std::move(beginnings));

  struct Partial {
    Beginning beginning;
    double score;
    Weight weight;
  };
  const auto key = [](const Partial& p) { return std::tie(p.beginning, p.score); };
  std::vector<Partial> partials;
  if (!levels[0].empty()) partials.push_back({{0, 0}, 0.0, Weight{1}});
  for (std::size_t i = 0; i < halves_.length; ++i) {
    const auto leads_on = [&](const Beginning& next) {
      if (i < halves_.cut) return std::binary_search(levels[i + 1].begin(), levels[i + 1].end(), next);
      return holds(halves_.suffix[i + 1 - halves_.cut][next.first].sum, first - next.second, last - next.second);
    };
    std::vector<Partial> longer;
    for (const Partial& partial : partials) {
      const auto [state, q] = partial.beginning;
      for (unsigned x = 0; x < 4; ++x) {
        if (fixed_.columns[i][x] == FixedPoint::impossible) continue;
        const Beginning next{model_.next(i, state, x), q + fixed_.columns[i][x]};
        if (!leads_on(next)) continue;
        longer.push_back(
            {next, partial.score + matrix_(i, static_cast<Code>(x)), partial.weight * model_.factor(i, state, x)});
      }
    }
    add_up_equal(longer, key);
    partials = std::move(longer);
  }
  for (const Partial& partial : partials) groups.push_back({partial.score, partial.weight});
  add_up_equal_scores(groups);
  return groups;
}

template <class Weight>
Weight WordCount<Weight>::at_least(double score) const {
  const std::int64_t sure = fixed_.surely_at_least(score);
  Weight sum = sum_at_least(sure);
  if (fixed_.doubt == 0) return sum;
  for (const ScoreGroup<Weight>& group : scores_between(fixed_.maybe_at_least(score), sure - 1))
    if (group.score >= score) sum += group.weight;
  return sum;
}

template <class Weight>
std::vector<Weight> WordCount<Weight>::at_least(std::span<const double> scores) const {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  // The highest scores whose words all fit a list.
  const auto fits = [&](std::size_t i) {
    const std::int64_t q = fixed_.maybe_at_least(scores[order[i]]);
    return counts(std::span(&q, 1))[0].pairs <= max_listed_pairs;
  };
  std::size_t listed = 0;
  for (std::size_t end = scores.size() < min_for_list ? 0 : scores.size(); listed < end;) {
    const std::size_t middle = listed + (end - listed) / 2;
    if (fits(middle))
      listed = middle + 1;
    else
      end = middle;
  }
  std::vector<Weight> weights(scores.size(), Weight{0});
  if (listed > 0) {
    const std::int64_t lowest = fixed_.maybe_at_least(scores[order[listed - 1]]);
    const std::vector<ScoreGroup<Weight>> groups = scores_between(lowest, fixed_.highest());
    Weight sum = 0;
    auto group = groups.begin();
    for (std::size_t i = 0; i < listed; ++i) {
      for (; group != groups.end() && group->score >= scores[order[i]]; ++group) sum += group->weight;
      weights[order[i]] = sum;
    }
  }
  for (std::size_t i = listed; i < scores.size(); ++i) {
    const bool again = i > listed && scores[order[i]] == scores[order[i - 1]];
    weights[order[i]] = again ? weights[order[i - 1]] : at_least(scores[order[i]]);
  }
  return weights;
}

template class WordCount<std::uint64_t>;
template class WordCount<double>;

namespace {

/// Cost of making an end, in look-ups of a pair of a beginning and a score.
constexpr double lookups_per_end = 5;
/// Number of ends beyond which they are not increased: there are at most four times as many, of 16 or 24 bytes, and
/// twice that while they are made.
constexpr std::size_t max_ends = std::size_t{1} << 22;
/// Number of ends that are searched at a time: their sums stay in the second-level cache.
constexpr std::size_t block_ends = std::size_t{1} << 15;
/// Maximum number of pairs of halves near the scores that are computed one by one, and of words of different scores
/// kept.
constexpr std::uint64_t max_near = std::uint64_t{1} << 26;
constexpr std::size_t max_near_kept = std::size_t{1} << 20;

/// Scores that Q does not separate: words with Q >= beyond reach all of them, those with Q < first none.
struct ScoreWindow {
  std::int64_t first, beyond;
  std::size_t scores_end;  ///< one past its last score; the first one is the end of the window before
};

std::vector<ScoreWindow> score_windows(const FixedPoint& fixed, std::span<const double> scores) {
  std::vector<ScoreWindow> windows;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const ScoreWindow one{fixed.maybe_at_least(scores[i]), fixed.surely_at_least(scores[i]), i + 1};
    if (!windows.empty() && (one.first < windows.back().beyond || one.beyond == windows.back().beyond)) {
      windows.back().beyond = one.beyond;
      windows.back().scores_end = i + 1;
    } else {
      windows.push_back(one);
    }
  }
  return windows;
}

/// The words of a window with one score.
template <class Weight>
struct NearWord {
  std::size_t window;
  double score;
  Weight weight;
};

/// Finds the first sum of a range that is at least a bound: positions by the highest bits of the sums, a few sums for
/// each.
class PlaceTable {
 public:
  PlaceTable(const std::int64_t* sums, std::size_t size) : sums_(sums), size_(size), least_(sums[0]) {
    const auto range = static_cast<std::uint64_t>(sums[size - 1] - least_);
    const std::size_t places = std::bit_ceil(size / 2 + 1);
    while (range >> shift_ >= places) ++shift_;
    begin_.resize((range >> shift_) + 2);
    std::size_t i = 0;
    for (std::size_t place = 0; place + 1 < begin_.size(); ++place) {
      begin_[place] = static_cast<std::uint32_t>(i);
      while (i < size && static_cast<std::uint64_t>(sums[i] - least_) >> shift_ == place) ++i;
    }
    begin_.back() = static_cast<std::uint32_t>(size);
  }
  std::size_t find(std::int64_t bound) const {
    if (bound <= least_) return 0;
    const std::uint64_t place = static_cast<std::uint64_t>(bound - least_) >> shift_;
    if (place + 1 >= begin_.size()) return size_;
    const std::int64_t *from = sums_ + begin_[place], *to = sums_ + begin_[place + 1];
    if (to - from > 16) {
      from = std::lower_bound(from, to, bound);
    } else {
      while (from < to && *from < bound) ++from;
    }
    return static_cast<std::size_t>(from - sums_);
  }

 private:
  const std::int64_t* sums_;
  std::size_t size_;
  std::int64_t least_;
  unsigned shift_ = 0;
  std::vector<std::uint32_t> begin_;
};

template <class Weight>
class Lookup {
 public:
  Lookup(const ScoreMatrix& matrix, const TopHalves<Weight>& halves, std::span<const ScoreWindow> windows)
      : matrix_(matrix), halves_(halves), windows_(windows), beyond_(windows.size(), Weight{0}) {}

  /// False if windows contain too many words.
  bool run() {
    for (std::size_t state = 0; state < halves_.left.size(); ++state)
      if (!halves_.left[state].sum.empty() && !halves_.right[state].sum.empty() && !run(state)) return false;
    add_up_near();
    return true;
  }
  /// [window]: weight of the words beyond it.
  const std::vector<Weight>& beyond() const { return beyond_; }
  /// By window, descending by score.
  const std::vector<NearWord<Weight>>& near() const { return near_; }
  /// Number of pairs of halves that they are made of.
  std::uint64_t near_pairs() const { return near_pairs_; }

 private:
  bool run(std::size_t state);
  bool take_near(std::size_t window, const HalfList<Weight>& left, std::size_t i, const HalfList<Weight>& right,
                 std::size_t j);
  void add_up_near();
  double score(std::uint64_t left, std::uint64_t right) const;

  const ScoreMatrix& matrix_;
  const TopHalves<Weight>& halves_;
  std::span<const ScoreWindow> windows_;
  std::vector<Weight> beyond_;
  std::vector<NearWord<Weight>> near_;
  std::uint64_t near_pairs_ = 0;
};

template <class Weight>
double Lookup<Weight>::score(std::uint64_t left, std::uint64_t right) const {
  double sum = 0;
  for_each_letter(halves_.length, halves_.cut, left, right,
                  [&](std::size_t column, Code letter) { sum += matrix_(column, letter); });
  return sum;
}

template <class Weight>
void Lookup<Weight>::add_up_near() {
  add_up_equal(near_, [](const NearWord<Weight>& word) { return std::pair(word.window, -word.score); });
}

template <class Weight>
bool Lookup<Weight>::take_near(std::size_t window, const HalfList<Weight>& left, std::size_t i,
                               const HalfList<Weight>& right, std::size_t j) {
  if (++near_pairs_ > max_near) return false;
  if (near_.size() == max_near_kept) {
    add_up_near();
    if (near_.size() > max_near_kept / 2) return false;
  }
  near_.push_back({window, score(left.letters[i], right.letters[j]), left.weight_of(i) * right.weight_of(j)});
  return true;
}

// For each beginning, the windows in ascending order need ends of increasing sums. All beginnings continue, one block
// of ends after the other, from their current window.
template <class Weight>
bool Lookup<Weight>::run(std::size_t state) {
  const HalfList<Weight>&left = halves_.left[state], &right = halves_.right[state];
  const std::size_t ends = right.sum.size();
  std::vector<Weight> tail;  // [i]: sum of the weights from i on; a count of ends if all are 1
  if (!right.weight.empty()) {
    tail.assign(ends + 1, Weight{0});
    for (std::size_t i = ends; i-- > 0;) tail[i] = tail[i + 1] + right.weight[i];
  }
  std::vector<std::uint32_t> next_window(left.sum.size(), 0);
  for (std::size_t begin = 0; begin < ends; begin += block_ends) {
    const std::size_t end = std::min(ends, begin + block_ends);
    const PlaceTable places(right.sum.data() + begin, end - begin);
    const std::int64_t largest = right.sum[end - 1];
    for (std::size_t i = left.sum.size(); i-- > 0;) {
      const std::int64_t sum = left.sum[i];
      const Weight weight = left.weight_of(i);
      std::size_t w = next_window[i];
      for (; w < windows_.size(); ++w) {
        const std::int64_t rest = windows_[w].beyond - sum;
        if (rest > largest && end < ends) break;
        const std::int64_t least = windows_[w].first - sum;
        if (least > right.sum[ends - 1]) {  // as are those above
          w = windows_.size();
          break;
        }
        const std::size_t at = begin + places.find(rest);
        beyond_[w] += weight * (tail.empty() ? static_cast<Weight>(ends - at) : tail[at]);
        for (std::size_t j = at; j > 0 && right.sum[j - 1] >= least; --j)
          if (!take_near(w, left, i, right, j - 1)) return false;
      }
      next_window[i] = static_cast<std::uint32_t>(w);
    }
  }
  return true;
}

}  // namespace

template <class Weight>
std::optional<ManyTails<Weight>> many_tails(const ScoreMatrix& matrix, const FixedPoint& fixed,
                                            const WordModel<Weight>& model, std::span<const double> scores) {
  ManyTails<Weight> result;
  if (scores.empty()) return result;
  if (matrix.length() > 2 * max_half_letters) return std::nullopt;
  const std::vector<ScoreWindow> windows = score_windows(fixed, scores);
  const TopHalves<Weight> halves(matrix, fixed, model, windows.front().first,
                                 static_cast<double>(windows.size()) / lookups_per_end, max_ends);
  Lookup<Weight> lookup(matrix, halves, windows);
  if (!lookup.run()) return std::nullopt;
  const std::vector<Weight>& beyond = lookup.beyond();
  const std::vector<NearWord<Weight>>& near = lookup.near();
  result.weight.resize(scores.size());
  auto word = near.begin();
  std::size_t first_score = 0;
  for (std::size_t w = 0; w < windows.size(); ++w) {
    Weight sum = beyond[w];
    for (std::size_t i = windows[w].scores_end; i-- > first_score;) {
      for (; word != near.end() && word->window == w && word->score >= scores[i]; ++word) sum += word->weight;
      result.weight[i] = sum;
    }
    while (word != near.end() && word->window == w) ++word;
    first_score = windows[w].scores_end;
  }
  if constexpr (std::is_floating_point_v<Weight>) {
    const std::uint64_t terms = 8 * halves.length + 64 + halves.beginnings() + halves.ends() + lookup.near_pairs();
    result.relative_error = static_cast<double>(terms) * std::numeric_limits<double>::epsilon() / 2;
  }
  return result;
}

template std::optional<ManyTails<std::uint64_t>> many_tails(const ScoreMatrix&, const FixedPoint&,
                                                            const WordModel<std::uint64_t>&, std::span<const double>);
template std::optional<ManyTails<double>> many_tails(const ScoreMatrix&, const FixedPoint&, const WordModel<double>&,
                                                     std::span<const double>);

}  // namespace genocl::pwm
