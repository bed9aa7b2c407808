#include "pwm/tails/deficit_table.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "pwm/halves/word_model.hpp"

namespace genocl::pwm {

std::int64_t largest_deficit(const FixedPoint& fixed) { return fixed.highest() - fixed.lowest(); }

DeficitTable::DeficitTable(const FixedPoint& fixed, const Background& background, std::int64_t depth,
                           std::uint64_t cells)
    : depth_(depth) {
  while (static_cast<std::uint64_t>(depth >> step_) >= cells) ++step_;
  const auto size = static_cast<std::size_t>(depth >> step_) + 1;
  const std::size_t length = fixed.columns.size();
  const WordModel<double> model(background, length);
  // [state][F]; what is beyond the depth is left out, so that only the first `used` of them are not zero.
  std::vector<std::vector<double>> table(1, std::vector<double>(size));
  table[0][0] = 1;
  std::size_t used = 1;
  for (std::size_t i = 0; i < length; ++i) {
    const std::int64_t best = *std::ranges::max_element(fixed.columns[i]);
    std::array<std::size_t, 4> shift{};
    std::size_t most = 0;
    std::int64_t rest = 0;
    for (std::size_t x = 0; x < 4; ++x) {
      shift[x] = size;  // never
      if (fixed.columns[i][x] == FixedPoint::impossible) continue;
      const std::int64_t deficit = best - fixed.columns[i][x];
      if (deficit > depth) continue;
      shift[x] = static_cast<std::size_t>(deficit >> step_);
      most = std::max(most, shift[x]);
      rest = std::max(rest, deficit - (static_cast<std::int64_t>(shift[x]) << step_));
    }
    slack_ += rest;
    const std::size_t next_used = std::min(size, used + most);
    std::vector<std::vector<double>> next(model.states(i + 1), std::vector<double>(size));
    for (std::size_t state = 0; state < table.size(); ++state)
      for (unsigned x = 0; x < 4; ++x) {
        if (shift[x] >= size) continue;
        const double factor = model.factor(i, state, x);
        const std::size_t count = std::min(used, size - shift[x]);
        const double* const from = table[state].data();
        double* const to = next[model.next(i, state, x)].data() + shift[x];
        for (std::size_t k = 0; k < count; ++k) to[k] += factor * from[k];
      }
    table = std::move(next);
    used = next_used;
  }
  sum_ = std::move(table[0]);
  for (std::size_t state = 1; state < table.size(); ++state)
    for (std::size_t k = 0; k < size; ++k) sum_[k] += table[state][k];
  for (std::size_t k = 1; k < size; ++k) sum_[k] += sum_[k - 1];
  // Of a word's probability as a product, and of sums of numbers above zero.
  const std::size_t terms = 12 * length + size + 16;
  error_ = static_cast<double>(terms) * std::numeric_limits<double>::epsilon();
}

double DeficitTable::high(std::int64_t deficit) const {
  return deficit < 0 ? 0 : std::min(1.0, at_most(deficit >> step_) * (1 + error_));
}

ReachingDepth depth_reaching(const FixedPoint& fixed, std::span<const Background> backgrounds, double p) {
  constexpr std::uint64_t cells = 8192;
  const std::int64_t all = largest_deficit(fixed);
  std::vector<DeficitTable> tables;
  for (const Background& background : backgrounds) tables.emplace_back(fixed, background, all, cells);
  const std::int64_t width = tables[0].width();
  const auto sure = [&](std::int64_t place) {
    double sum = 0;
    for (const DeficitTable& table : tables) sum += table.low(place * width);
    return sum / static_cast<double>(tables.size());
  };
  std::int64_t low = 0, high = all / width + 1;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (sure(middle) > p * (1 + 1e-9))
      high = middle;
    else
      low = middle + 1;
  }
  return {std::min(all, low * width), sure(low)};
}

}  // namespace genocl::pwm
