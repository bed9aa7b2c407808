#include "pwm/find/loss_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace genocl::pwm {
namespace {

constexpr unsigned most_budget = 127;

std::uint32_t words_of(std::uint32_t letters) { return 1U << (2 * letters); }
double highest(const std::array<double, 4>& column) { return *std::max_element(column.begin(), column.end()); }

double loss(const std::array<double, 4>& column, std::uint32_t letter) { return highest(column) - column[letter]; }

/// What a hit's losses may sum to, with what the rounding of scores, of their sums and of losses can make of it. Minus
/// infinity: no word is a hit; infinity: every word is one. Else above 0.
double loss_budget(const Target& target) {
  constexpr double infinity = INFINITY;
  if (target.threshold == -infinity) return infinity;
  double best = 0, magnitude = std::abs(target.threshold);
  for (const std::array<double, 4>& column : target.scores->columns()) {
    best += highest(column);
    double largest = 0;
    for (const double score : column)
      if (std::isfinite(score)) largest = std::max(largest, std::abs(score));
    magnitude += largest;
  }
  if (best == -infinity || target.threshold == infinity) return -infinity;
  // A sum of 128 terms is off by 128 * 2^-53 of the sum of their magnitudes at most.
  const double budget = best - target.threshold + 1e-12 * magnitude;
  return budget < 0 ? -infinity : std::max(budget, 1e-300);
}

/// floor(steps * loss / budget), surely not above it; steps + 1 where the loss is more than the budget.
std::uint32_t quantised_loss(double loss, double budget, std::uint32_t steps) {
  // What multiplication rounds up is less than what 1e-12 takes away.
  const double of_budget = loss / budget * (1 - 1e-12);
  return of_budget >= 2 ? steps + 1 : std::min(static_cast<std::uint32_t>(of_budget * steps), steps + 1);
}

}  // namespace

ColumnWindow column_window(const Target& target, std::uint32_t most) {
  const auto columns = target.scores->columns();
  const auto length = static_cast<std::uint32_t>(columns.size());
  if (length <= most) return {0, length};
  ColumnWindow best{0, most};
  double best_loss = -1;
  for (std::uint32_t offset = 0; offset + most <= length; ++offset) {
    double sum = 0;
    for (std::uint32_t c = 0; c < most; ++c)
      for (std::uint32_t letter = 0; letter < 4; ++letter) {
        const double lost = loss(columns[offset + c], letter);
        // No more than a lot: one letter that never occurs is not worth all other columns.
        sum += std::isfinite(lost) ? std::min(lost, 20.0) : 20.0;
      }
    if (sum > best_loss) {
      best_loss = sum;
      best.offset = offset;
    }
  }
  return best;
}

std::vector<std::uint8_t> no_loss_bytes(const TableLetters& tables) {
  std::vector<std::uint8_t> bytes(tables.entries(), 0);
  std::fill_n(bytes.begin(), words_of(tables.letters_of(0)), std::uint8_t{128});
  return bytes;
}

std::vector<std::uint8_t> loss_bytes(const Target& target, const ColumnWindow& window, std::uint32_t shift,
                                     const TableLetters& tables) {
  const double budget = loss_budget(target);
  if (budget == -INFINITY) return no_loss_bytes(tables);
  std::vector<std::uint8_t> bytes(tables.entries(), 0);
  if (budget == INFINITY) return bytes;

  const auto columns = target.scores->columns();
  std::vector<double> losses, largest;
  std::uint32_t first = 0;  // letter of the table
  for (std::uint32_t t = 0; t < tables.tables(); ++t) {
    const std::uint32_t count = tables.letters_of(t);
    largest.push_back(0);
    for (std::uint32_t w = 0; w < words_of(count); ++w) {
      double sum = 0;
      for (std::uint32_t j = 0; j < count; ++j) {
        const std::uint32_t letter = first + j;
        if (letter < shift || letter - shift >= window.count) continue;
        sum += loss(columns[window.offset + letter - shift], w >> (2 * (count - 1 - j)) & 3);
      }
      losses.push_back(sum);
      largest.back() = std::max(largest.back(), sum);
    }
    first += count;
  }

  unsigned steps = most_budget;
  for (; steps > 1; --steps) {
    unsigned sum = 0;
    for (const double lost : largest) sum += quantised_loss(lost, budget, steps);
    if (sum <= 128 + steps) break;
  }
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(quantised_loss(losses[i], budget, steps));
  for (std::uint32_t w = 0; w < words_of(tables.letters_of(0)); ++w)
    bytes[w] = static_cast<std::uint8_t>(bytes[w] + 127 - steps);
  return bytes;
}

}  // namespace genocl::pwm
