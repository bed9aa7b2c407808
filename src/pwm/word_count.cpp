#include "pwm/word_count.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace genocl::pwm {
namespace {

template <class Weight>
void add_up_equal_scores(std::vector<ScoreGroup<Weight>>& groups) {
  std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  std::size_t n = 0;
  for (const ScoreGroup<Weight>& group : groups) {
    if (n != 0 && groups[n - 1].score == group.score)
      groups[n - 1].weight += group.weight;
    else
      groups[n++] = group;
  }
  groups.resize(n);
}

bool holds(const std::vector<std::int64_t>& sums, std::int64_t first, std::int64_t last) {
  const auto at = std::lower_bound(sums.begin(), sums.end(), first);
  return at != sums.end() && *at <= last;
}

}  // namespace

template <class Weight>
WordCount<Weight>::WordCount(const ScoreMatrix& matrix, const FixedPoint& fixed, const Background& background)
    : matrix_(matrix),
      fixed_(fixed),
      model_(background, matrix.length()),
      halves_(half_words(fixed, model_, best_cut(fixed, model_.order()).at)) {
  for (const SortedSums<Weight>& list : halves_.prefix.back()) {
    std::vector<Weight> sums(1, Weight{0});
    for (const Weight weight : list.weight) sums.push_back(sums.back() + weight);
    before_.push_back(std::move(sums));
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
Weight WordCount<Weight>::total() const {
  return at_least(fixed_.lowest());
}

// Two pointers: the larger the beginning, the smaller the ends that suffice.
template <class Weight>
Weight WordCount<Weight>::at_least(std::int64_t q) const {
  Weight sum = 0;
  for (std::size_t state = 0; state < before_.size(); ++state) {
    const SortedSums<Weight>& left = halves_.prefix.back()[state];
    const std::vector<std::int64_t>& right = halves_.suffix.front()[state].sum;
    const std::vector<Weight>& tail = halves_.tail[state];
    std::size_t j = right.size();
    for (std::size_t i = 0; i < left.sum.size(); ++i) {
      const std::int64_t rest = q - left.sum[i];
      while (j > 0 && right[j - 1] >= rest) --j;
      sum += left.weight[i] * tail[j];
    }
  }
  return sum;
}

template <class Weight>
std::uint64_t WordCount<Weight>::pairs_at_least(std::int64_t q) const {
  std::uint64_t pairs = 0;
  for (std::size_t state = 0; state < before_.size(); ++state) {
    const std::vector<std::int64_t>& right = halves_.suffix.front()[state].sum;
    std::size_t j = right.size();
    for (const std::int64_t left : halves_.prefix.back()[state].sum) {
      while (j > 0 && right[j - 1] >= q - left) --j;
      pairs += right.size() - j;
    }
  }
  return pairs;
}

// Only every stride-th sum of both lists is looked at: beginnings of a block are taken for its first or its last, ends
// from the next or the last boundary on.
template <class Weight>
typename WordCount<Weight>::Bounds WordCount<Weight>::bounds_at_least(std::int64_t q, std::size_t stride) const {
  Bounds bounds{0, 0};
  for (std::size_t state = 0; state < before_.size(); ++state) {
    const std::vector<std::int64_t>&left = halves_.prefix.back()[state].sum, &right = halves_.suffix.front()[state].sum;
    const std::vector<Weight>& tail = halves_.tail[state];
    const std::size_t blocks = (right.size() + stride - 1) / stride;
    // Boundaries from j on have ends that suffice.
    std::size_t low = blocks, high = blocks;
    for (std::size_t i = 0; i < left.size(); i += stride) {
      const std::size_t last = std::min(i + stride, left.size());
      const Weight weight = before_[state][last] - before_[state][i];
      while (low > 0 && right[(low - 1) * stride] >= q - left[i]) --low;
      while (high > 0 && right[(high - 1) * stride] >= q - left[last - 1]) --high;
      bounds.low += weight * tail[std::min(low * stride, right.size())];
      bounds.high += weight * tail[(high > 0 ? high - 1 : 0) * stride];
    }
  }
  if constexpr (std::is_floating_point_v<Weight>) {
    // Differences of before_ lose digits; these bounds only narrow a search that is finished without them.
    bounds.low *= 1 - 1e-9;
    bounds.high = bounds.high * (1 + 1e-9) + 1e-13;
  }
  return bounds;
}

template <class Weight>
std::vector<std::pair<std::int64_t, Weight>> WordCount<Weight>::sums_between(std::int64_t first,
                                                                             std::int64_t last) const {
  std::vector<std::pair<std::int64_t, Weight>> sums;
  for (std::size_t state = 0; state < before_.size(); ++state) {
    const SortedSums<Weight>&left = halves_.prefix.back()[state], &right = halves_.suffix.front()[state];
    std::size_t j = right.sum.size();
    for (std::size_t i = 0; i < left.sum.size(); ++i) {
      while (j > 0 && left.sum[i] + right.sum[j - 1] >= first) --j;
      for (std::size_t k = j; k < right.sum.size() && left.sum[i] + right.sum[k] <= last; ++k)
        sums.emplace_back(left.sum[i] + right.sum[k], left.weight[i] * right.weight[k]);
    }
  }
  return sums;
}

template <class Weight>
std::int64_t WordCount<Weight>::next_above(std::int64_t q) const {
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  for (std::size_t state = 0; state < before_.size(); ++state) {
    const std::vector<std::int64_t>& right = halves_.suffix.front()[state].sum;
    std::size_t j = right.size();
    for (const std::int64_t left : halves_.prefix.back()[state].sum) {
      while (j > 0 && left + right[j - 1] > q) --j;
      if (j < right.size()) best = std::min(best, left + right[j]);
    }
  }
  return best == std::numeric_limits<std::int64_t>::max() ? FixedPoint::impossible : best;
}

template <class Weight>
std::int64_t WordCount<Weight>::quantile(Weight weight, bool more) const {
  const auto reached = [&](Weight sum) { return more ? sum > weight : sum >= weight; };
  std::int64_t low = fixed_.lowest(), high = fixed_.highest() + 1;
  if (!reached(at_least(low))) return FixedPoint::impossible;
  if (reached(Weight{0})) return fixed_.highest();
  // at_least(low) is enough, at_least(high) is not. First with a few of the sums, then with more and more.
  std::size_t largest = 0;
  for (std::size_t state = 0; state < before_.size(); ++state)
    largest = std::max({largest, before_[state].size(), halves_.tail[state].size()});
  for (std::size_t stride = largest / 128; stride >= 4; stride /= 8) {
    std::int64_t a = low, b = high;
    for (unsigned step = 0; step < 8 && b - a > 1; ++step) {
      const std::int64_t middle = a + (b - a) / 2;
      (reached(bounds_at_least(middle, stride).low) ? a : b) = middle;
    }
    low = a;
    b = high;
    for (unsigned step = 0; step < 8 && b - a > 1; ++step) {
      const std::int64_t middle = a + (b - a) / 2;
      (reached(bounds_at_least(middle, stride).high) ? a : b) = middle;
    }
    high = b;
  }
  std::uint64_t pairs_low = pairs_at_least(low), pairs_high = pairs_at_least(high);
  while (high - low > 1 && pairs_low - pairs_high > std::max<std::size_t>(1024, largest / 16)) {
    const std::int64_t middle = low + (high - low) / 2;
    const std::uint64_t pairs = pairs_at_least(middle);
    if (reached(at_least(middle))) {
      low = middle;
      pairs_low = pairs;
    } else {
      high = middle;
      pairs_high = pairs;
    }
  }
  std::vector<std::pair<std::int64_t, Weight>> sums = sums_between(low, high - 1);
  std::sort(sums.begin(), sums.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  Weight sum = at_least(high);
  for (const auto& [q, w] : sums) {
    sum += w;
    if (reached(sum)) return q;
  }
  // Weights rounded in another order: the sum in at_least(low) just reached it.
  return sums.empty() ? low : sums.back().first;
}

// Scores of the beginnings with a sum of exactly q, letter by letter from the last: only letters with which the rest is
// a sum of the level below lead anywhere.
template <class Weight>
std::vector<ScoreGroup<Weight>> WordCount<Weight>::prefix_scores(std::size_t letters, std::size_t state,
                                                                 std::int64_t q) const {
  if (letters == 0) return {{0.0, Weight{1}}};
  std::vector<ScoreGroup<Weight>> found;
  for (std::size_t before = 0; before < model_.states(letters - 1); ++before) {
    for (unsigned x = 0; x < 4; ++x) {
      const std::int64_t add = fixed_.columns[letters - 1][x];
      if (add == FixedPoint::impossible || model_.next(letters - 1, before, x) != state) continue;
      if (!holds(halves_.prefix[letters - 1][before].sum, q - add, q - add)) continue;
      const Weight factor = model_.factor(letters - 1, before, x);
      for (const ScoreGroup<Weight>& group : prefix_scores(letters - 1, before, q - add))
        found.push_back({group.score + matrix_(letters - 1, static_cast<Code>(x)), group.weight * factor});
    }
  }
  add_up_equal_scores(found);
  return found;
}

template <class Weight>
std::vector<ScoreGroup<Weight>> WordCount<Weight>::scores_between(std::int64_t first, std::int64_t last) const {
  struct Partial {
    std::size_t state;
    std::int64_t q;
    double score;
    Weight weight;
  };
  const auto key = [](const Partial& p) { return std::tie(p.state, p.q, p.score); };
  std::vector<Partial> partials;
  for (std::size_t state = 0; state < before_.size(); ++state) {
    const std::vector<std::int64_t>& right = halves_.suffix.front()[state].sum;
    std::size_t j = right.size();
    for (const std::int64_t left : halves_.prefix.back()[state].sum) {
      while (j > 0 && left + right[j - 1] >= first) --j;
      if (j == right.size() || left + right[j] > last) continue;
      for (const ScoreGroup<Weight>& group : prefix_scores(halves_.cut, state, left))
        partials.push_back({state, left, group.score, group.weight});
    }
  }
  for (std::size_t i = halves_.cut; i < halves_.length; ++i) {
    std::vector<Partial> longer;
    for (const Partial& partial : partials) {
      for (unsigned x = 0; x < 4; ++x) {
        if (fixed_.columns[i][x] == FixedPoint::impossible) continue;
        const std::size_t state = model_.next(i, partial.state, x);
        const std::int64_t q = partial.q + fixed_.columns[i][x];
        if (!holds(halves_.suffix[i + 1 - halves_.cut][state].sum, first - q, last - q)) continue;
        longer.push_back({state, q, partial.score + matrix_(i, static_cast<Code>(x)),
                          partial.weight * model_.factor(i, partial.state, x)});
      }
    }
    std::sort(longer.begin(), longer.end(), [&](const Partial& a, const Partial& b) { return key(a) < key(b); });
    partials.clear();
    for (const Partial& partial : longer) {
      if (!partials.empty() && key(partials.back()) == key(partial))
        partials.back().weight += partial.weight;
      else
        partials.push_back(partial);
    }
  }
  std::vector<ScoreGroup<Weight>> groups;
  for (const Partial& partial : partials) groups.push_back({partial.score, partial.weight});
  add_up_equal_scores(groups);
  return groups;
}

template <class Weight>
Weight WordCount<Weight>::at_least(double score) const {
  const std::int64_t sure = fixed_.surely_at_least(score);
  Weight sum = at_least(sure);
  if (fixed_.doubt == 0) return sum;
  for (const ScoreGroup<Weight>& group : scores_between(fixed_.maybe_at_least(score), sure - 1))
    if (group.score >= score) sum += group.weight;
  return sum;
}

template class WordCount<std::uint64_t>;
template class WordCount<double>;

}  // namespace genocl::pwm
