// Losses as the left operand of NVIDIA's matrix units: mma.m16n8k32 on signed bytes (PTX ISA, 9.7.14.5), 16 targets
// times 8 columns of 4 letters. The right operand is the text, a 1 in four bytes for each letter, of 8 places.
//
// A sum begins at the target's budget in steps and losses are negative: it is not below 0 for every word that is a hit.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pwm/on_device.hpp"

namespace genocl::pwm {

inline constexpr std::uint32_t targets_of_fragment = 16, columns_of_fragment = 8;
/// Work-items of a warp, each with 16 bytes of a fragment.
inline constexpr std::uint32_t bytes_of_fragment = 32 * 16;

struct LossSteps {
  std::int32_t begin = -1;                         ///< -1, without columns: no word is a hit
  std::vector<std::array<std::int8_t, 4>> losses;  ///< [column][letter], not above 0
};
LossSteps loss_steps(const Target& target);

/// Of a set of up to 16 targets of at most 8 * blocks columns: appends `blocks` fragments, and 16 numbers that the sums
/// begin at.
void append_fragments(std::span<const Target> set, std::uint32_t blocks, std::vector<std::uint8_t>& fragments,
                      std::vector<std::int32_t>& begin);

}  // namespace genocl::pwm
