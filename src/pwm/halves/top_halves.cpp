#include "pwm/halves/top_halves.hpp"

#include <algorithm>
#include <type_traits>

namespace genocl::pwm {
namespace {

template <class Weight>
std::size_t size_of(const std::vector<HalfList<Weight>>& lists) {
  std::size_t size = 0;
  for (const HalfList<Weight>& list : lists) size += list.sum.size();
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
        static_cast<double>(ends()) >= ends_per_beginning * static_cast<double>(beginnings()) || ends() >= most_ends;
    if ((enough_ends && cut < most_half_letters) || length - right_from == most_half_letters) {
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
