#include "pwm/matches/column_scores.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace genocl::pwm {

std::vector<Probabilities> probabilities_of(const Motif& motif, double pseudocount, const Background& background) {
  std::vector<Probabilities> columns;
  for (const auto& counts : motif.counts) {
    const double sum = counts[0] + counts[1] + counts[2] + counts[3];
    Probabilities column{};
    for (std::size_t letter = 0; letter < 4; ++letter)
      column[letter] = (counts[letter] + pseudocount * background.frequencies()[letter]) / (sum + pseudocount);
    columns.push_back(column);
  }
  return columns;
}

std::vector<Probabilities> turned(std::span<const Probabilities> columns) {
  std::vector<Probabilities> result(columns.rbegin(), columns.rend());
  for (Probabilities& column : result) std::ranges::reverse(column);
  return result;
}

void ColumnTable::add(std::span<const Probabilities> columns) {
  for (const Probabilities& column : columns)
    for (std::size_t letter = 0; letter < 4; ++letter) letters_[letter].push_back(static_cast<float>(column[letter]));
}

void ColumnTable::score(ColumnScore kind, const Probabilities& column, std::span<float> scores) const {
  std::array<float, 4> of{};
  for (std::size_t letter = 0; letter < 4; ++letter) of[letter] = static_cast<float>(column[letter]);
  const float *const a = letters_[0].data(), *const c = letters_[1].data(), *const g = letters_[2].data(),
                     *const t = letters_[3].data();
  if (kind == ColumnScore::euclidean) {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const float da = a[i] - of[0], dc = c[i] - of[1], dg = g[i] - of[2], dt = t[i] - of[3];
      scores[i] = -std::sqrt(da * da + dc * dc + dg * dg + dt * dt);
    }
    return;
  }
  // All have the mean 1/4.
  for (float& p : of) p -= 0.25F;
  const float square = of[0] * of[0] + of[1] * of[1] + of[2] * of[2] + of[3] * of[3];
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const float pa = a[i] - 0.25F, pc = c[i] - 0.25F, pg = g[i] - 0.25F, pt = t[i] - 0.25F;
    const float size = square * (pa * pa + pc * pc + pg * pg + pt * pt);
    scores[i] = size > 1e-12F ? (pa * of[0] + pc * of[1] + pg * of[2] + pt * of[3]) / std::sqrt(size) : 0.0F;
  }
}

namespace {

/// The element that stands at size / 2 of them sorted: by a histogram, and among what is in its bin.
float median_of(std::span<const float> values, float least, float most, std::vector<float>& scratch) {
  constexpr std::size_t bins = 1024;
  const float scale = most > least ? (bins - 1) / (most - least) : 0.0F;
  const auto bin_of = [&](float value) { return static_cast<std::size_t>((value - least) * scale); };
  std::array<std::uint32_t, bins> counts{};
  for (const float value : values) ++counts[bin_of(value)];
  std::size_t rank = values.size() / 2, bin = 0;
  for (; rank >= counts[bin]; ++bin) rank -= counts[bin];
  scratch.clear();
  for (const float value : values)
    if (bin_of(value) == bin) scratch.push_back(value);
  const auto middle = scratch.begin() + static_cast<std::ptrdiff_t>(rank);
  std::ranges::nth_element(scratch, middle);
  return *middle;
}

/// In strands of their own, which do not wait for one another.
std::pair<float, float> extremes_of(std::span<const float> values) {
  constexpr std::size_t strands = 16;
  std::array<float, strands> least, most;
  least.fill(values[0]);
  most.fill(values[0]);
  std::size_t i = 0;
  for (; i + strands <= values.size(); i += strands)
    for (std::size_t s = 0; s < strands; ++s) {
      least[s] = values[i + s] < least[s] ? values[i + s] : least[s];
      most[s] = values[i + s] > most[s] ? values[i + s] : most[s];
    }
  for (; i < values.size(); ++i) {
    least[0] = std::min(least[0], values[i]);
    most[0] = std::max(most[0], values[i]);
  }
  return {std::ranges::min(least), std::ranges::max(most)};
}

}  // namespace

ColumnScores::ColumnScores(std::span<const Probabilities> query, const ColumnTable& all, ColumnScore kind, int units)
    : targets(all.size()), scores(query.size() * all.size()) {
  std::vector<float> raw(query.size() * targets), scratch, medians;
  float lowest = 0, highest = 0;
  for (std::size_t i = 0; i < query.size(); ++i) {
    const std::span<float> of_column(raw.data() + i * targets, targets);
    all.score(kind, query[i], of_column);
    const auto [bottom, top] = extremes_of(of_column);
    medians.push_back(median_of(of_column, bottom, top, scratch));
    lowest = std::min(lowest, bottom - medians.back());
    highest = std::max(highest, top - medians.back());
  }
  const float scale = highest > lowest ? static_cast<float>(units) / (highest - lowest) : 0.0F;
  for (std::size_t i = 0; i < query.size(); ++i) {
    const float* const of_column = raw.data() + i * targets;
    std::int16_t* const rounded = scores.data() + i * targets;
    const float median = medians[i];
    for (std::size_t t = 0; t < targets; ++t) {
      const float above = (of_column[t] - median) * scale;
      rounded[t] = static_cast<std::int16_t>(static_cast<std::int32_t>(above + (above < 0 ? -0.5F : 0.5F)));
    }
    std::vector<std::uint64_t> counts(2 * static_cast<std::size_t>(units) + 3);
    for (std::size_t t = 0; t < targets; ++t) ++counts[static_cast<std::size_t>(rounded[t] + units + 1)];
    const auto seen = [](std::uint64_t count) { return count != 0; };
    const auto first = std::ranges::find_if(counts, seen);
    const auto last = std::find_if(counts.rbegin(), counts.rend(), seen).base();
    least.push_back(static_cast<int>(first - counts.begin()) - units - 1);
    std::vector<double>& distribution = distributions.emplace_back();
    for (auto count = first; count != last; ++count)
      distribution.push_back(static_cast<double>(*count) / static_cast<double>(targets));
  }
}

}  // namespace genocl::pwm
