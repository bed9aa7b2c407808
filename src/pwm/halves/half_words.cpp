#include "pwm/halves/half_words.hpp"

#include <algorithm>
#include <type_traits>

namespace genocl::pwm {
namespace {

/// A sorted list of which each sum is to grow by `add` and each weight `factor` times.
template <class Weight>
struct Source {
  const SortedSums<Weight>* list = nullptr;
  std::int64_t add = 0;
  Weight factor = 1;
};

template <class Weight>
SortedSums<Weight> shifted(const Source<Weight>& a) {
  SortedSums<Weight> out = *a.list;
  for (std::int64_t& sum : out.sum) sum += a.add;
  if (a.factor != Weight{1})
    for (Weight& weight : out.weight) weight *= a.factor;
  return out;
}

/// Both in one; weights of equal sums are added. No branch depends on the sums: they would be mispredicted every other
/// time.
template <class Weight>
SortedSums<Weight> merge(const Source<Weight>& a, const Source<Weight>& b) {
  const std::size_t na = a.list->sum.size(), nb = b.list->sum.size();
  SortedSums<Weight> out;
  out.sum.resize(na + nb);
  out.weight.resize(na + nb);
  const std::int64_t *sa = a.list->sum.data(), *sb = b.list->sum.data();
  const Weight *wa = a.list->weight.data(), *wb = b.list->weight.data();
  std::size_t i = 0, j = 0, n = 0;
  for (; i < na && j < nb; ++n) {
    const std::int64_t x = sa[i] + a.add, y = sb[j] + b.add;
    const bool takes_a = x <= y, takes_b = y <= x;
    out.sum[n] = takes_a ? x : y;
    out.weight[n] = (takes_a ? wa[i] * a.factor : Weight{0}) + (takes_b ? wb[j] * b.factor : Weight{0});
    i += takes_a ? 1 : 0;
    j += takes_b ? 1 : 0;
  }
  for (; i < na; ++i, ++n) {
    out.sum[n] = sa[i] + a.add;
    out.weight[n] = wa[i] * a.factor;
  }
  for (; j < nb; ++j, ++n) {
    out.sum[n] = sb[j] + b.add;
    out.weight[n] = wb[j] * b.factor;
  }
  out.sum.resize(n);
  out.weight.resize(n);
  return out;
}

template <class Weight>
SortedSums<Weight> merge(std::vector<Source<Weight>> sources) {
  // Letters that score alike are one letter of their common weight.
  std::vector<Source<Weight>> distinct;
  for (const Source<Weight>& source : sources) {
    if (source.list->sum.empty()) continue;
    const auto same = std::find_if(distinct.begin(), distinct.end(), [&](const Source<Weight>& other) {
      return other.list == source.list && other.add == source.add;
    });
    if (same != distinct.end())
      same->factor += source.factor;
    else
      distinct.push_back(source);
  }
  switch (distinct.size()) {
    case 0:
      return {};
    case 1:
      return shifted(distinct[0]);
    case 2:
      return merge(distinct[0], distinct[1]);
    default: {
      const SortedSums<Weight> first = merge(distinct[0], distinct[1]);
      const SortedSums<Weight> second = distinct.size() == 3 ? shifted(distinct[2]) : merge(distinct[2], distinct[3]);
      return merge(Source<Weight>{&first, 0, Weight{1}}, Source<Weight>{&second, 0, Weight{1}});
    }
  }
}

}  // namespace

template <class Weight>
WordModel<Weight>::WordModel(const Background& background, std::size_t length)
    : background_(background), order_(std::is_floating_point_v<Weight> ? background.order() : 0), length_(length) {}

template <class Weight>
Weight WordModel<Weight>::factor(std::size_t letters, std::size_t state, unsigned letter) const {
  if constexpr (std::is_floating_point_v<Weight>) {
    if (letters >= order_) return background_.conditional(static_cast<std::uint32_t>(state), static_cast<Code>(letter));
    // A word shorter than the order is as probable as all those of `order` letters that begin with it.
    if (letters + 1 < std::min<std::size_t>(order_, length_)) return 1;
    const unsigned missing = 2 * (order_ - static_cast<unsigned>(letters) - 1);
    const auto word = static_cast<std::uint32_t>(state * 4 + letter);
    Weight sum = 0;
    for (std::uint32_t rest = 0; rest < 1u << missing; ++rest) sum += background_.start(word << missing | rest);
    return sum;
  } else {
    return 1;
  }
}

Cut best_cut(const FixedPoint& matrix, unsigned order) {
  const std::size_t length = matrix.columns.size();
  std::vector<double> values;  // different scores of each column; in a Markov model different letters stay apart
  for (const auto& column : matrix.columns) {
    std::vector<std::int64_t> scores;
    for (const std::int64_t q : column)
      if (q != FixedPoint::impossible) scores.push_back(q);
    std::sort(scores.begin(), scores.end());
    if (order == 0) scores.erase(std::unique(scores.begin(), scores.end()), scores.end());
    values.push_back(static_cast<double>(scores.size()));
  }
  Cut best;
  for (std::size_t at = std::min<std::size_t>(order, length); at <= length; ++at) {
    double left = 1, right = at == length ? 1 : static_cast<double>(std::size_t{1} << (2 * order));
    for (std::size_t i = 0; i < length; ++i) (i < at ? left : right) *= values[i];
    const double sums = std::max(left, right);
    if (best.sums == 0 || sums < best.sums) best = {at, sums};
  }
  return best;
}

template <class Weight>
HalfWords<Weight> half_words(const FixedPoint& matrix, const WordModel<Weight>& model, std::size_t cut) {
  HalfWords<Weight> halves;
  halves.length = matrix.columns.size();
  halves.cut = cut;
  const auto allowed = [&](std::size_t i, unsigned x) { return matrix.columns[i][x] != FixedPoint::impossible; };

  halves.prefix.resize(cut + 1);
  halves.prefix[0] = {{{0}, {Weight{1}}}};
  for (std::size_t i = 0; i < cut; ++i) {
    std::vector<std::vector<Source<Weight>>> sources(model.states(i + 1));
    for (std::size_t state = 0; state < model.states(i); ++state)
      for (unsigned x = 0; x < 4; ++x)
        if (allowed(i, x))
          sources[model.next(i, state, x)].push_back(
              {&halves.prefix[i][state], matrix.columns[i][x], model.factor(i, state, x)});
    for (auto& of_state : sources) halves.prefix[i + 1].push_back(merge(std::move(of_state)));
  }

  halves.suffix.resize(halves.length - cut + 1);
  halves.suffix.back().assign(model.states(halves.length), {{0}, {Weight{1}}});
  for (std::size_t i = halves.length; i-- > cut;) {
    for (std::size_t state = 0; state < model.states(i); ++state) {
      std::vector<Source<Weight>> sources;
      for (unsigned x = 0; x < 4; ++x)
        if (allowed(i, x))
          sources.push_back(
              {&halves.suffix[i + 1 - cut][model.next(i, state, x)], matrix.columns[i][x], model.factor(i, state, x)});
      halves.suffix[i - cut].push_back(merge(std::move(sources)));
    }
  }
  for (const SortedSums<Weight>& list : halves.suffix[0]) {
    std::vector<Weight> tail(list.sum.size() + 1, Weight{0});
    for (std::size_t i = list.sum.size(); i-- > 0;) tail[i] = tail[i + 1] + list.weight[i];
    halves.tail.push_back(std::move(tail));
  }
  return halves;
}

template class WordModel<std::uint64_t>;
template class WordModel<double>;
template HalfWords<std::uint64_t> half_words(const FixedPoint&, const WordModel<std::uint64_t>&, std::size_t);
template HalfWords<double> half_words(const FixedPoint&, const WordModel<double>&, std::size_t);

}  // namespace genocl::pwm
