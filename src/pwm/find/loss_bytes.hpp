// Losses in bytes that are added four to a word without carries: what the group form of `loss` looks up.
//
// The loss of a letter is its column's highest score less its own. A word scores at least the threshold only if its
// losses sum to at most the budget, highest score - threshold. Losses are rounded down to multiples of budget / B and
// clamped at B + 1, the sum begins at 127 - B, and B is as large as lets no sum pass 255: then bit 7 of a sum is clear
// for every word that is a hit, and for few others.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pwm/on_device.hpp"

namespace genocl::pwm {

/// What a hit's losses may sum to, with what the rounding of scores, of their sums and of losses can make of it. Minus
/// infinity: no word is a hit; infinity: every word is one. Else above 0.
double loss_budget(const Target& target);
double loss(const std::array<double, 4>& column, std::uint32_t letter);
/// floor(steps * loss / budget), surely not above it; steps + 1 where the loss is more than the budget.
std::uint32_t quantised_loss(double loss, double budget, std::uint32_t steps);

/// Columns [offset, offset + count) of a target: all, or where it is longer than `most` those that lose the most.
struct ColumnWindow {
  std::uint32_t offset = 0, count = 0;
};
ColumnWindow column_window(const Target& target, std::uint32_t most);

/// result[256 * t + w]: what table t holds for the four letters w, the first in the highest two bits. The window's
/// column c is letter shift + c; table t is of letters 4 t to 4 t + 3. What begins the sum is in table 0.
std::vector<std::uint8_t> loss_bytes(const Target& target, const ColumnWindow& window, std::uint32_t shift,
                                     std::uint32_t tables);
/// Of a target that is none: the sum of every word has bit 7 set.
std::vector<std::uint8_t> no_loss_bytes(std::uint32_t tables);

}  // namespace genocl::pwm
