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

/// Columns [offset, offset + count) of a target: all, or where it is longer than `most` those that lose the most.
struct ColumnWindow {
  std::uint32_t offset = 0, count = 0;
};
ColumnWindow column_window(const Target& target, std::uint32_t most);

/// Tables for the letters of a word, one behind the other: first those of three letters, then those of two.
struct TableLetters {
  std::uint32_t threes = 0, twos = 0;

  std::uint32_t tables() const { return threes + twos; }
  std::uint32_t letters() const { return 3 * threes + 2 * twos; }
  std::uint32_t entries() const { return 64 * threes + 16 * twos; }
  std::uint32_t letters_of(std::uint32_t table) const { return table < threes ? 3 : 2; }
  bool operator==(const TableLetters&) const = default;
};

/// [entry], table behind table: what a table holds for its letters w, the first in the highest two bits. The window's
/// column c is letter shift + c. What begins the sum is in the first table.
std::vector<std::uint8_t> loss_bytes(const Target& target, const ColumnWindow& window, std::uint32_t shift,
                                     const TableLetters& tables);
/// Of a target that is none: the sum of every word has bit 7 set.
std::vector<std::uint8_t> no_loss_bytes(const TableLetters& tables);

}  // namespace genocl::pwm
