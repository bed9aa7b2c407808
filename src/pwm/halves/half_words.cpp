#include "pwm/halves/half_words.hpp"

#include <algorithm>

namespace genocl::pwm {

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
  // best[i]: what the first i letters add up to at most.
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

}  // namespace genocl::pwm
