// Losses in whole bins, and how probable it is that a part of a matrix loses no more than so many: what bounds of
// matrices are made of whose hits are too many to be listed. The loss of a word is the sum of what its letters score
// less than the best ones of their columns; a hit loses no more than the best word's distance from the threshold.
// Losses rounded down to bins find too many words, rounded up too few; the best letters lose nothing and are never
// rounded.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "pwm/compare/compare_steps.hpp"

namespace genocl::pwm {

/// [column][letter]: bins; no_hit for a letter that allows none.
using Losses = std::vector<std::array<std::uint32_t, 4>>;
/// More than any sum of bins; 128 of them still fit 32 bits.
inline constexpr std::uint32_t no_hit = 1u << 24;

/// What the smallest floats may have lost of a sum of probabilities.
inline constexpr double lost_floats = 1e-28;

struct RoundedLosses {
  bool none = false, all = false;  ///< no word is a hit, or every word
  Losses down, up;                 ///< losses from 0 to bins - 1 are hits
};

RoundedLosses rounded_losses(const Side& side, std::uint32_t bins);

/// distribution[loss] of some columns becomes that of one more column with them; what is beyond the bins is left out.
void add_losses(std::vector<double>& distribution, const std::array<std::uint32_t, 4>& column,
                const std::array<double, 4>& frequencies);

/// Columns [first, second) of a matrix.
using Window = std::pair<std::uint32_t, std::uint32_t>;

/// The windows of a matrix of m columns that one of n can share with it.
std::vector<Window> shared_windows(std::uint32_t m, std::uint32_t n);

/// For windows of a matrix: the probability that the other columns lose no more than 0, 1, ... bins - 1, in units of
/// 2^-31, rounded down or up.
class OtherTails {
 public:
  static constexpr double unit = 1.0 / (std::uint64_t{1} << 31);

  /// O(m^2 * bins).
  OtherTails(const Losses& losses, std::span<const Window> windows, const Background& background, std::uint32_t bins,
             bool round_up);

  /// [window][bins], one behind the other.
  std::span<const std::uint32_t> tails() const { return tails_; }
  /// The number of a window of those given.
  std::uint32_t number(const Window& window) const { return numbers_.at(window); }

 private:
  std::map<Window, std::uint32_t> numbers_;
  std::vector<std::uint32_t> tails_;
};

}  // namespace genocl::pwm
