#include "pwm/halves/top_halves.hpp"

#include <algorithm>
#include <type_traits>

namespace genocl::pwm {
namespace {

/// A list of which each sum is to grow by `add`, each weight `factor` times, and each word by a letter.
template <class Weight>
struct Source {
  const TopList<Weight>* list = nullptr;
  std::int64_t add = 0;
  Weight factor = 1;
  unsigned shift = 0;        ///< of the letters there are
  std::uint64_t letter = 0;  ///< at its place
  double score = 0;          ///< of the letter, which may differ where `add` is the same
};

/// How lists are joined.
struct Joining {
  std::int64_t least = 0;  ///< smaller sums are left out
  bool weighted = false;   ///< not all weights are 1
  bool merges = false;     ///< equal sums become one
};

template <class Weight>
struct Cursor {
  const std::int64_t* sum;
  const std::uint64_t* letters;
  const Weight* weight;
  std::size_t size, at = 0;
  const Source<Weight>& source;

  Cursor(const Source<Weight>& from, std::int64_t least)
      : sum(from.list->sum.data()),
        letters(from.list->letters.data()),
        weight(from.list->weight.data()),
        size(from.list->sum.size()),
        source(from) {
    at = static_cast<std::size_t>(std::lower_bound(sum, sum + size, least - from.add) - sum);
  }
  bool empty() const { return at == size; }
  std::int64_t head() const { return sum[at] + source.add; }
  std::uint64_t word() const { return letters[at] << source.shift | source.letter; }
  Weight head_weight() const { return (weight == nullptr ? Weight{1} : weight[at]) * source.factor; }
};

// No branch of the loop depends on the sums: they would be mispredicted every other time.
template <bool weighted, bool merges, class Weight>
void join(Cursor<Weight> a, Cursor<Weight> b, TopList<Weight>& out) {
  const std::size_t room = a.size - a.at + b.size - b.at;
  out.sum.resize(room);
  out.letters.resize(room);
  if constexpr (weighted) out.weight.resize(room);
  std::size_t n = 0;
  for (; !a.empty() && !b.empty(); ++n) {
    const std::int64_t x = a.head(), y = b.head();
    const bool takes_a = x <= y, takes_b = merges ? y <= x : !takes_a;
    out.sum[n] = takes_a ? x : y;
    const std::uint64_t word_a = a.word(), word_b = b.word();
    out.letters[n] = takes_a ? word_a : word_b;
    if constexpr (weighted)
      out.weight[n] = (takes_a ? a.head_weight() : Weight{0}) + (takes_b ? b.head_weight() : Weight{0});
    a.at += takes_a ? 1 : 0;
    b.at += takes_b ? 1 : 0;
  }
  for (Cursor<Weight>* rest : {&a, &b})
    for (; !rest->empty(); ++rest->at, ++n) {
      out.sum[n] = rest->head();
      out.letters[n] = rest->word();
      if constexpr (weighted) out.weight[n] = rest->head_weight();
    }
  out.sum.resize(n);
  out.letters.resize(n);
  if constexpr (weighted) out.weight.resize(n);
}

template <class Weight>
TopList<Weight> join(const Source<Weight>& a, const Source<Weight>& b, const Joining& joining) {
  TopList<Weight> out;
  const Cursor<Weight> from_a(a, joining.least), from_b(b, joining.least);
  if (!joining.weighted)
    join<false, false>(from_a, from_b, out);
  else if (joining.merges)
    join<true, true>(from_a, from_b, out);
  else
    join<true, false>(from_a, from_b, out);
  return out;
}

template <class Weight>
TopList<Weight> join(const std::vector<Source<Weight>>& sources, const Joining& joining) {
  std::vector<Source<Weight>> distinct;
  for (const Source<Weight>& source : sources) {
    if (source.list->sum.empty()) continue;
    const auto same = std::find_if(distinct.begin(), distinct.end(), [&](const Source<Weight>& other) {
      return other.list == source.list && other.add == source.add && other.score == source.score;
    });
    if (same != distinct.end())
      same->factor += source.factor;
    else
      distinct.push_back(source);
  }
  const TopList<Weight> none;
  if (distinct.empty()) return {};
  Source<Weight> nothing;
  nothing.list = &none;
  distinct.resize(4, nothing);
  if (distinct[1].list == &none || distinct[2].list == &none) return join(distinct[0], distinct[1], joining);
  Source<Weight> first, second;
  const TopList<Weight> pair = join(distinct[0], distinct[1], joining);
  first.list = &pair;
  if (distinct[3].list == &none) return join(first, distinct[2], joining);
  const TopList<Weight> other_pair = join(distinct[2], distinct[3], joining);
  second.list = &other_pair;
  return join(first, second, joining);
}

template <class Weight>
std::size_t size_of(const std::vector<TopList<Weight>>& lists) {
  std::size_t size = 0;
  for (const TopList<Weight>& list : lists) size += list.sum.size();
  return size;
}

/// Whether some word weighs other than 1.
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
                             std::int64_t bound, double ends_per_beginning, std::size_t most_ends)
    : length(fixed.columns.size()) {
  const bool weighted = has_weights<Weight>(matrix, fixed);
  // best[i]: what the first i letters add up to at most.
  std::vector<std::int64_t> best = {0};
  for (const auto& column : fixed.columns)
    best.push_back(best.back() + *std::max_element(column.begin(), column.end()));
  const TopList<Weight> nothing_yet{{0}, {0}, weighted ? std::vector<Weight>{Weight{1}} : std::vector<Weight>{}};
  const auto letter = [&](std::size_t i, std::size_t state, unsigned x, const TopList<Weight>& list) {
    return Source<Weight>{.list = &list,
                          .add = fixed.columns[i][x],
                          .factor = model.factor(i, state, x),
                          .shift = 0,
                          .letter = x,
                          .score = matrix(i, static_cast<Code>(x))};
  };
  const auto allowed = [&](std::size_t i, unsigned x) { return fixed.columns[i][x] != FixedPoint::impossible; };

  left = {nothing_yet};
  std::size_t right_from = length;
  right.assign(model.states(length), nothing_yet);
  while (cut < right_from) {
    const bool enough_ends =
        static_cast<double>(ends()) >= ends_per_beginning * static_cast<double>(beginnings()) || ends() >= most_ends;
    if ((enough_ends && cut < most_half_letters) || length - right_from == most_half_letters) {
      std::vector<std::vector<Source<Weight>>> sources(model.states(cut + 1));
      for (std::size_t state = 0; state < left.size(); ++state)
        for (unsigned x = 0; x < 4; ++x)
          if (allowed(cut, x)) {
            Source<Weight>& source =
                sources[model.next(cut, state, x)].emplace_back(letter(cut, state, x, left[state]));
            source.shift = 2;
          }
      ++cut;
      const Joining joining{bound - (best.back() - best[cut]), weighted, fixed.doubt == 0};
      std::vector<TopList<Weight>> longer;
      for (const auto& of_state : sources) longer.push_back(join(of_state, joining));
      left = std::move(longer);
    } else {
      const std::size_t i = right_from - 1;
      const Joining joining{bound - best[i], weighted, fixed.doubt == 0};
      std::vector<TopList<Weight>> longer;
      for (std::size_t state = 0; state < model.states(i); ++state) {
        std::vector<Source<Weight>> sources;
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
