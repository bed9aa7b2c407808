#include "pwm/compare/long/loss_bins.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace genocl::pwm {

void add_losses(std::vector<double>& distribution, const std::array<std::uint32_t, 4>& column,
                const std::array<double, 4>& frequencies) {
  const std::vector<double> before = distribution;
  std::ranges::fill(distribution, 0.0);
  for (std::size_t letter = 0; letter < 4; ++letter)
    for (std::size_t bin = column[letter]; bin < before.size(); ++bin)
      distribution[bin] += frequencies[letter] * before[bin - column[letter]];
}

RoundedLosses rounded_losses(const Side& side, std::uint32_t bins) {
  const ScoreMatrix& matrix = *side.matrix;
  RoundedLosses losses;
  losses.all = side.threshold == -std::numeric_limits<double>::infinity();
  if (losses.all) {
    losses.down.assign(matrix.length(), {0, 0, 0, 0});
    losses.up = losses.down;
    return losses;
  }
  double size = std::abs(side.threshold);
  double best = 0;
  for (const auto& column : matrix.columns()) {
    best += *std::ranges::max_element(column);
    double largest = 0;
    for (const double score : column)
      if (std::isfinite(score)) largest = std::max(largest, std::abs(score));
    size += largest;
  }
  // A score is a sum in double: more than what rounding may change in it.
  const double slack = size * 512 * std::numeric_limits<double>::epsilon();
  const double room = best - side.threshold;
  losses.none = !(room + slack >= 0);
  if (losses.none) {
    losses.down.assign(matrix.length(), {no_hit, no_hit, no_hit, no_hit});
    losses.up = losses.down;
    return losses;
  }
  // Losses up to `room` + slack rounded down, and up to `room` - slack rounded up, are within the bins.
  const double step_down = std::max(room + slack, slack) / (bins - 1) * (1 + 1e-12);
  const double step_up = (room - slack) / (bins - 1) * (1 - 1e-12);
  for (const auto& column : matrix.columns()) {
    const double top = *std::ranges::max_element(column);
    std::array<std::uint32_t, 4> down{}, up{};
    for (std::size_t letter = 0; letter < 4; ++letter) {
      const double loss = top - column[letter];
      const double most = static_cast<double>(bins);
      const auto bin = [&](double value) { return value < most ? static_cast<std::uint32_t>(value) : no_hit; };
      down[letter] = loss == 0 ? 0 : std::isfinite(loss) && step_down > 0 ? bin(std::floor(loss / step_down)) : no_hit;
      up[letter] = loss == 0 ? 0 : std::isfinite(loss) && step_up > 0 ? bin(std::ceil(loss / step_up)) : no_hit;
    }
    losses.down.push_back(down);
    losses.up.push_back(up);
  }
  // With the best word nearer to the threshold than rounding can tell, no word surely is a hit.
  if (!(room - slack >= 0)) losses.up.assign(matrix.length(), {no_hit, no_hit, no_hit, no_hit});
  return losses;
}

std::vector<Window> shared_windows(std::uint32_t m, std::uint32_t n) {
  std::vector<Window> windows;
  for (int at = 1 - static_cast<int>(n); at < static_cast<int>(m); ++at)
    windows.emplace_back(std::max(0, at), std::min(static_cast<int>(m), at + static_cast<int>(n)));
  return windows;
}

OtherTails::OtherTails(const Losses& losses, std::span<const Window> windows, const Background& background,
                       std::uint32_t bins, bool round_up) {
  const auto m = static_cast<std::uint32_t>(losses.size());
  std::map<std::uint32_t, std::vector<std::uint32_t>> ends;  // of the windows that begin at a column
  for (const Window& window : windows)
    if (numbers_.emplace(window, 0).second) ends[window.first].push_back(window.second);
  constexpr double error = 1e-11;  // of sums in double: of four terms a column, and of all bins
  std::vector<double> before(bins, 0.0);
  before[0] = 1;
  std::uint32_t reached = 0;
  for (auto& [begin, of_begin] : ends) {
    for (; reached < begin; ++reached) add_losses(before, losses[reached], background.frequencies());
    std::vector<double> others = before;
    std::uint32_t from = m;
    std::ranges::sort(of_begin, std::greater<>());
    for (const std::uint32_t end : of_begin) {
      for (; from > end; --from) add_losses(others, losses[from - 1], background.frequencies());
      numbers_[{begin, end}] = static_cast<std::uint32_t>(tails_.size() / bins);
      double sum = 0;
      for (const double p : others) {
        sum += p;
        const double units = sum * (round_up ? 1 + error : 1 - error) / unit;
        tails_.push_back(
            static_cast<std::uint32_t>(round_up ? std::ceil(std::min(units, 1 / unit)) : std::floor(units)));
      }
    }
  }
}

}  // namespace genocl::pwm
