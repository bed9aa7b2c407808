#include "pwm/find/loss_fragments.hpp"

#include <algorithm>
#include <cmath>

#include "pwm/find/loss_bytes.hpp"

namespace genocl::pwm {
namespace {

constexpr std::uint32_t largest_loss = 127;
/// Finer is of no use.
constexpr double most_steps = 1 << 20;

/// Where byte `b` of work-item `lane` stands in the 16 x 32 matrix.
struct Place {
  std::uint32_t row, column;
};
Place fragment_place(std::uint32_t lane, std::uint32_t b) {
  const std::uint32_t row = lane / 4 + ((b / 4) % 2) * 8;
  return {row, (lane % 4) * 4 + b % 4 + (b / 8) * 16};
}

}  // namespace

LossSteps loss_steps(const Target& target) {
  const double budget = loss_budget(target);
  LossSteps result;
  if (budget == -INFINITY) return result;
  const auto columns = target.scores->columns();
  result.losses.resize(columns.size(), {0, 0, 0, 0});
  result.begin = 0;
  if (budget == INFINITY) return result;
  double largest = 0;
  for (const std::array<double, 4>& column : columns)
    for (std::uint32_t letter = 0; letter < 4; ++letter) largest = std::max(largest, loss(column, letter));
  // As fine as bytes hold: a loss of more than the budget need be but one step more.
  std::uint32_t steps = largest_loss - 1;
  if (largest <= budget) {
    const double fine = largest > 0 ? largest_loss * (budget / largest) : most_steps;
    steps = static_cast<std::uint32_t>(std::clamp(fine, double{largest_loss - 1}, most_steps));
  }
  result.begin = static_cast<std::int32_t>(steps);
  for (std::size_t c = 0; c < columns.size(); ++c)
    for (std::uint32_t letter = 0; letter < 4; ++letter) {
      const std::uint32_t lost = std::min(quantised_loss(loss(columns[c], letter), budget, steps), largest_loss);
      result.losses[c][letter] = static_cast<std::int8_t>(-static_cast<std::int32_t>(lost));
    }
  return result;
}

void append_fragments(std::span<const Target> set, std::uint32_t blocks, std::vector<std::uint8_t>& fragments,
                      std::vector<std::int32_t>& begin) {
  std::vector<LossSteps> rows;
  for (const Target& target : set) rows.push_back(loss_steps(target));
  rows.resize(targets_of_fragment);
  for (const LossSteps& row : rows) begin.push_back(row.begin);
  for (std::uint32_t block = 0; block < blocks; ++block)
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      for (std::uint32_t b = 0; b < 16; ++b) {
        const Place place = fragment_place(lane, b);
        const std::uint32_t column = block * columns_of_fragment + place.column / 4;
        const std::vector<std::array<std::int8_t, 4>>& losses = rows[place.row].losses;
        fragments.push_back(column < losses.size() ? static_cast<std::uint8_t>(losses[column][place.column % 4]) : 0);
      }
}

}  // namespace genocl::pwm
