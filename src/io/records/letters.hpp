// Encodes what a file has for letters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "genocl/sequence.hpp"
#include "io/text.hpp"

namespace genocl::io {

/// Where the first character that does not print is, letters.size() without one. No early exit: one pass of vector
/// code.
inline std::size_t find_unprintable(std::string_view letters) {
  unsigned char most = 0;
  for (const char c : letters) most = std::max(most, static_cast<unsigned char>(c - 0x21));
  if (most <= 0x7e - 0x21) return letters.size();
  return static_cast<std::size_t>(std::ranges::find_if_not(letters, is_printable) - letters.begin());
}

/// Does what genocl::encode does, but takes only bytes that print for letters.
inline std::size_t encode_letters(Alphabet alphabet, std::string_view letters, std::span<Code> codes) {
  const std::size_t bad = encode(alphabet, letters, codes);
  return alphabet == Alphabet::bytes ? find_unprintable(letters) : bad;
}

}  // namespace genocl::io
