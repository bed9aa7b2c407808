// Words in two halves, on the host.

#include "pwm/halves.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace genocl::pwm {

template <class Weight>
WordModel<Weight>::WordModel(const Background& background, std::size_t length)
    : background_(background), order_(std::is_floating_point_v<Weight> ? background.order() : 0), length_(length) {}

template <class Weight>
Weight WordModel<Weight>::factor(std::size_t letters, std::size_t state, unsigned letter) const {
  if constexpr (std::is_floating_point_v<Weight>) {
    if (letters >= order_) return background_.conditional(static_cast<std::uint32_t>(state), static_cast<Code>(letter));
    // A word shorter than the order is as probable as all words of `order` letters that begin with it.
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

template class WordModel<std::uint64_t>;
template class WordModel<double>;

namespace {

/// The remaining elements of a list. All members by value: a compiler must assume that stores to the output may
/// change references.
template <class Weight>
struct Cursor {
  const std::int64_t* sum;
  const std::uint64_t* letters;
  const Weight* weight;
  std::size_t size, at;
  std::int64_t add;
  Weight factor;
  unsigned shift;
  std::uint64_t letter;

  Cursor(const Extended<Weight>& from, std::int64_t least)
      : sum(from.list->sum.data()),
        letters(from.list->letters.data()),
        weight(from.list->weight.data()),
        size(from.list->sum.size()),
        at(static_cast<std::size_t>(std::lower_bound(sum, sum + size, least - from.add) - sum)),
        add(from.add),
        factor(from.factor),
        shift(from.shift),
        letter(from.letter) {}
};

/// A list being written.
template <class Weight>
struct Output {
  std::int64_t* sum;
  std::uint64_t* letters;
  Weight* weight;
};

template <bool lettered, bool weighted, class Weight>
std::size_t take_rest(Cursor<Weight> from, Output<Weight> to, std::size_t n) {
  for (; from.at < from.size; ++from.at, ++n) {
    to.sum[n] = from.sum[from.at] + from.add;
    if constexpr (lettered) to.letters[n] = from.letters[from.at] << from.shift | from.letter;
    if constexpr (weighted) to.weight[n] = from.weight[from.at] * from.factor;
  }
  return n;
}

// No branch of the loop depends on the sums: it would be mispredicted every other time.
template <bool lettered, bool weighted, bool merges, class Weight>
HalfList<Weight> join(Cursor<Weight> a, Cursor<Weight> b) {
  const std::size_t capacity = a.size - a.at + b.size - b.at;
  HalfList<Weight> out;
  out.sum.resize(capacity);
  if constexpr (lettered) out.letters.resize(capacity);
  if constexpr (weighted) out.weight.resize(capacity);
  const Output<Weight> to{out.sum.data(), out.letters.data(), out.weight.data()};
  std::size_t n = 0;
  for (; a.at < a.size && b.at < b.size; ++n) {
    const std::int64_t x = a.sum[a.at] + a.add, y = b.sum[b.at] + b.add;
    const bool takes_a = x <= y, takes_b = merges ? y <= x : !takes_a;
    to.sum[n] = takes_a ? x : y;
    if constexpr (lettered) {
      const std::uint64_t word_a = a.letters[a.at] << a.shift | a.letter;
      const std::uint64_t word_b = b.letters[b.at] << b.shift | b.letter;
      to.letters[n] = takes_a ? word_a : word_b;
    }
    if constexpr (weighted)
      to.weight[n] =
          (takes_a ? a.weight[a.at] * a.factor : Weight{0}) + (takes_b ? b.weight[b.at] * b.factor : Weight{0});
    a.at += takes_a ? 1 : 0;
    b.at += takes_b ? 1 : 0;
  }
  n = take_rest<lettered, weighted>(a, to, n);
  n = take_rest<lettered, weighted>(b, to, n);
  out.sum.resize(n);
  if constexpr (lettered) out.letters.resize(n);
  if constexpr (weighted) out.weight.resize(n);
  return out;
}

template <class Weight>
HalfList<Weight> join(const Extended<Weight>& a, const Extended<Weight>& b, const Joining& joining) {
  const Cursor<Weight> from_a(a, joining.least), from_b(b, joining.least);
  if (!joining.weighted) return join<true, false, false>(from_a, from_b);
  if (!joining.merges) return join<true, true, false>(from_a, from_b);
  return joining.lettered ? join<true, true, true>(from_a, from_b) : join<false, true, true>(from_a, from_b);
}

}  // namespace

template <class Weight>
HalfList<Weight> join(const std::vector<Extended<Weight>>& lists, const Joining& joining) {
  std::vector<Extended<Weight>> distinct;
  for (const Extended<Weight>& one : lists) {
    if (one.list->sum.empty()) continue;
    const auto same = std::find_if(distinct.begin(), distinct.end(), [&](const Extended<Weight>& other) {
      return other.list == one.list && other.add == one.add && other.score == one.score;
    });
    if (same != distinct.end())
      same->factor += one.factor;
    else
      distinct.push_back(one);
  }
  const HalfList<Weight> none;
  const auto whole = [](const HalfList<Weight>& list) {
    Extended<Weight> all;
    all.list = &list;
    return all;
  };
  switch (distinct.size()) {
    case 0:
      return {};
    case 1:
      return join(distinct[0], whole(none), joining);
    case 2:
      return join(distinct[0], distinct[1], joining);
    case 3: {
      const HalfList<Weight> pair = join(distinct[0], distinct[1], joining);
      return join(whole(pair), distinct[2], joining);
    }
    default: {
      const HalfList<Weight> pair = join(distinct[0], distinct[1], joining);
      const HalfList<Weight> other_pair = join(distinct[2], distinct[3], joining);
      return join(whole(pair), whole(other_pair), joining);
    }
  }
}

template HalfList<std::uint64_t> join(const std::vector<Extended<std::uint64_t>>&, const Joining&);
template HalfList<double> join(const std::vector<Extended<double>>&, const Joining&);

Cut best_cut(std::span<const double> letters, std::size_t first, std::size_t last, double states) {
  Cut best{first, std::numeric_limits<double>::infinity()};
  for (std::size_t at = first; at <= last; ++at) {
    double left = 1, right = at == letters.size() ? 1 : states;
    for (std::size_t i = 0; i < letters.size(); ++i) (i < at ? left : right) *= letters[i];
    const double sums = std::max(left, right);
    if (sums < best.sums) best = {at, sums};
  }
  return best;
}

Cut best_cut(const FixedPoint& matrix, unsigned order) {
  std::vector<double> letters;
  for (const auto& column : matrix.columns) {
    // In a Markov model letters with equal scores stay separate: they lead to different states.
    const auto possible =
        std::count_if(column.begin(), column.end(), [](std::int64_t q) { return q != FixedPoint::impossible; });
    letters.push_back(order == 0 ? letter_classes(column, column).count : static_cast<double>(possible));
  }
  return best_cut(letters, std::min<std::size_t>(order, letters.size()), letters.size(),
                  std::ldexp(1.0, 2 * static_cast<int>(order)));
}

template <class Weight>
HalfWords<Weight> half_words(const FixedPoint& matrix, const WordModel<Weight>& model, std::size_t cut,
                             std::int64_t least) {
  HalfWords<Weight> halves;
  halves.length = matrix.columns.size();
  halves.cut = cut;
  const auto allowed = [&](std::size_t i, unsigned x) { return matrix.columns[i][x] != FixedPoint::impossible; };
  const auto letter = [&](const HalfList<Weight>& list, std::size_t i, std::size_t state, unsigned x) {
    Extended<Weight> longer;
    longer.list = &list;
    longer.add = matrix.columns[i][x];
    longer.factor = model.factor(i, state, x);
    return longer;
  };

  halves.prefix.resize(cut + 1);
  const HalfList<Weight> nothing_yet{{0}, {}, {Weight{1}}};
  // best[i]: maximum sum of the first i letters.
  std::vector<std::int64_t> best = {0};
  for (const auto& column : matrix.columns)
    best.push_back(best.back() + *std::max_element(column.begin(), column.end()));
  const auto joining_from = [&](std::int64_t bound) {
    return Joining{.lettered = false, .weighted = true, .merges = true, .least = bound};
  };
  halves.prefix[0] = {nothing_yet};
  for (std::size_t i = 0; i < cut; ++i) {
    std::vector<std::vector<Extended<Weight>>> sources(model.states(i + 1));
    for (std::size_t state = 0; state < model.states(i); ++state)
      for (unsigned x = 0; x < 4; ++x)
        if (allowed(i, x)) sources[model.next(i, state, x)].push_back(letter(halves.prefix[i][state], i, state, x));
    const Joining joining = joining_from(least - (best.back() - best[i + 1]));
    for (const auto& of_state : sources) halves.prefix[i + 1].push_back(join(of_state, joining));
  }

  halves.suffix.resize(halves.length - cut + 1);
  halves.suffix.back().assign(model.states(halves.length), nothing_yet);
  for (std::size_t i = halves.length; i-- > cut;) {
    const Joining joining = joining_from(least - best[i]);
    for (std::size_t state = 0; state < model.states(i); ++state) {
      std::vector<Extended<Weight>> sources;
      for (unsigned x = 0; x < 4; ++x)
        if (allowed(i, x)) sources.push_back(letter(halves.suffix[i + 1 - cut][model.next(i, state, x)], i, state, x));
      halves.suffix[i - cut].push_back(join(sources, joining));
    }
  }
  for (const HalfList<Weight>& list : halves.suffix[0]) {
    std::vector<Weight> tail(list.sum.size() + 1, Weight{0});
    for (std::size_t i = list.sum.size(); i-- > 0;) tail[i] = tail[i + 1] + list.weight[i];
    halves.tail.push_back(std::move(tail));
  }
  return halves;
}

template HalfWords<std::uint64_t> half_words(const FixedPoint&, const WordModel<std::uint64_t>&, std::size_t,
                                             std::int64_t);
template HalfWords<double> half_words(const FixedPoint&, const WordModel<double>&, std::size_t, std::int64_t);

namespace {

template <class Weight>
std::size_t size_of(const std::vector<HalfList<Weight>>& lists) {
  std::size_t size = 0;
  for (const HalfList<Weight>& list : lists) size += list.sum.size();
  return size;
}

/// Whether some word has a weight other than 1.
template <class Weight>
bool has_weights(const ScoreMatrix& matrix, const FixedPoint& fixed) {
  if (std::is_floating_point_v<Weight> || fixed.doubt == 0) return true;
  for (const std::array<double, 4>& column : matrix.columns())
    for (std::size_t x = 0; x < 4; ++x)
      for (std::size_t y = 0; y < x; ++y)
        if (column[x] == column[y]) return true;
  return false;
}

}  // namespace

template <class Weight>
TopHalves<Weight>::TopHalves(const ScoreMatrix& matrix, const FixedPoint& fixed, const WordModel<Weight>& model,
                             std::int64_t bound, double ends_per_beginning, std::size_t max_ends)
    : length(fixed.columns.size()) {
  const bool weighted = has_weights<Weight>(matrix, fixed);
  // best[i]: what the first i letters add up to at most.
  std::vector<std::int64_t> best = {0};
  for (const auto& column : fixed.columns)
    best.push_back(best.back() + *std::max_element(column.begin(), column.end()));
  const HalfList<Weight> nothing_yet{{0}, {0}, weighted ? std::vector<Weight>{Weight{1}} : std::vector<Weight>{}};
  const auto letter = [&](std::size_t i, std::size_t state, unsigned x, const HalfList<Weight>& list) {
    return Extended<Weight>{.list = &list,
                            .add = fixed.columns[i][x],
                            .factor = model.factor(i, state, x),
                            .shift = 0,
                            .letter = x,
                            .score = matrix(i, static_cast<Code>(x))};
  };
  const auto joining_from = [&](std::int64_t least) {
    return Joining{.lettered = true, .weighted = weighted, .merges = fixed.doubt == 0, .least = least};
  };
  const auto allowed = [&](std::size_t i, unsigned x) { return fixed.columns[i][x] != FixedPoint::impossible; };

  left = {nothing_yet};
  std::size_t right_from = length;
  right.assign(model.states(length), nothing_yet);
  while (cut < right_from) {
    const bool enough_ends =
        static_cast<double>(ends()) >= ends_per_beginning * static_cast<double>(beginnings()) || ends() >= max_ends;
    if ((enough_ends && cut < max_half_letters) || length - right_from == max_half_letters) {
      std::vector<std::vector<Extended<Weight>>> sources(model.states(cut + 1));
      for (std::size_t state = 0; state < left.size(); ++state)
        for (unsigned x = 0; x < 4; ++x)
          if (allowed(cut, x)) {
            Extended<Weight>& source =
                sources[model.next(cut, state, x)].emplace_back(letter(cut, state, x, left[state]));
            source.shift = 2;
          }
      ++cut;
      const Joining joining = joining_from(bound - (best.back() - best[cut]));
      std::vector<HalfList<Weight>> longer;
      for (const auto& of_state : sources) longer.push_back(join(of_state, joining));
      left = std::move(longer);
    } else {
      const std::size_t i = right_from - 1;
      const Joining joining = joining_from(bound - best[i]);
      std::vector<HalfList<Weight>> longer;
      for (std::size_t state = 0; state < model.states(i); ++state) {
        std::vector<Extended<Weight>> sources;
        for (unsigned x = 0; x < 4; ++x)
          if (allowed(i, x)) {
            sources.push_back(letter(i, state, x, right[model.next(i, state, x)]));
            sources.back().letter <<= 2 * (length - right_from);
          }
        longer.push_back(join(sources, joining));
      }
      right = std::move(longer);
      right_from = i;
    }
  }
}

template <class Weight>
std::size_t TopHalves<Weight>::beginnings() const {
  return size_of(left);
}

template <class Weight>
std::size_t TopHalves<Weight>::ends() const {
  return size_of(right);
}

template struct TopHalves<std::uint64_t>;
template struct TopHalves<double>;

}  // namespace genocl::pwm
