// How messages speak of letters.
#pragma once

#include <string>
#include <string_view>

#include "genocl/sequence/alphabet.hpp"

namespace genocl::sequence {

/// 'x', and what does not print as "byte 0x07".
inline std::string quoted(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  if (byte > 0x20 && byte < 0x7f) return {'\'', letter, '\''};
  if (letter == ' ') return "a blank";
  constexpr std::string_view digits = "0123456789abcdef";
  return std::string("byte 0x") + digits[byte >> 4] + digits[byte & 15];
}

inline std::string_view expected_letters(Alphabet alphabet) {
  switch (alphabet) {
    case Alphabet::dna:
      return "A, C, G, T, U, N or another IUPAC nucleotide code";
    case Alphabet::protein:
      return "an amino acid (A to Z or *)";
    case Alphabet::bytes:
      break;
  }
  return "text";
}

}  // namespace genocl::sequence
