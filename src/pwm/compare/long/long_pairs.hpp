// Matrices whose hits are too many to be listed, beside one another.
#pragma once

#include <cstdint>
#include <vector>

#include "pwm/compare/compare_steps.hpp"
#include "pwm/compare/long/long_sides.hpp"

namespace genocl::pwm {

/// pairs[j][shift + n - 1]: bounds on the probability of a hit of both side `row` of a, of m columns, and side j of b,
/// of n, for shifts of 1 - n to m - 1. Both have pair_bins bins. One launch for all, of O(columns shared * 2^18) steps
/// each; the bounds lie apart by what the losses in those columns rounded to 2^-8 of the threshold's distance from the
/// best score make.
std::vector<std::vector<PValue>> join_pairs(const Device& device, const LongSides& a, std::size_t row,
                                            const LongSides& b, const Background& background);

inline constexpr std::uint32_t pair_bins = 1u << 10;

}  // namespace genocl::pwm
