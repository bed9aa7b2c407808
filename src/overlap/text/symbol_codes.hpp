// What the bytes of a text stand for, and the codes that its symbols get.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "genocl/sequence/alphabet.hpp"

namespace genocl::overlap {

constexpr std::uint16_t break_code = 256;

/// What a byte of the staged text stands for: its symbol, in the order of symbols, or nothing that matches.
struct Meaning {
  std::array<std::uint8_t, 256> symbol{};
  std::array<bool, 256> matches{};
};

Meaning of_bytes();
Meaning of_codes(Alphabet alphabet, bool bases_only);

/// The symbols of the bytes that are `present`, ascending. `has_breaks` becomes true where a byte matches nothing.
std::vector<std::uint8_t> symbols_among(const Meaning& meaning, const std::array<bool, 256>& present, bool& has_breaks);

/// [byte]: the number of its symbol in the ascending `alphabet`, or break_code.
std::array<std::uint16_t, 256> codes_of(std::span<const std::uint8_t> alphabet, const Meaning& meaning);

}  // namespace genocl::overlap
