#include "pwm/halves/half_list.hpp"

#include <algorithm>

namespace genocl::pwm {
namespace {

/// What of a list is still to be taken. All by value: what is written might otherwise be one of them, as far as the
/// compiler knows.
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
struct Target {
  std::int64_t* sum;
  std::uint64_t* letters;
  Weight* weight;
};

template <bool lettered, bool weighted, class Weight>
std::size_t take_rest(Cursor<Weight> from, Target<Weight> to, std::size_t n) {
  for (; from.at < from.size; ++from.at, ++n) {
    to.sum[n] = from.sum[from.at] + from.add;
    if constexpr (lettered) to.letters[n] = from.letters[from.at] << from.shift | from.letter;
    if constexpr (weighted) to.weight[n] = from.weight[from.at] * from.factor;
  }
  return n;
}

// No branch of the loop depends on the sums: they would be mispredicted every other time.
template <bool lettered, bool weighted, bool merges, class Weight>
HalfList<Weight> join(Cursor<Weight> a, Cursor<Weight> b) {
  const std::size_t room = a.size - a.at + b.size - b.at;
  HalfList<Weight> out;
  out.sum.resize(room);
  if constexpr (lettered) out.letters.resize(room);
  if constexpr (weighted) out.weight.resize(room);
  const Target<Weight> to{out.sum.data(), out.letters.data(), out.weight.data()};
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

}  // namespace genocl::pwm
