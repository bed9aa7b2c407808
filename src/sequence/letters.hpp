// Messages speak of letters so.
#pragma once

#include <string>
#include <string_view>

#include "genocl/error.hpp"
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

/// Whether a byte is a letter or a sign, not a control byte, a blank or above 126.
constexpr bool is_letter(char c) { return c > 0x20 && c < 0x7f; }

/// The policy of BadLetters, in one place: the code of a letter outside the alphabet, or an InputError that says so.
/// `where()`: of the letter, in `file` unless that is empty.
template <class Where>
Code code_of_bad_letter(Alphabet alphabet, char letter, BadLetters policy, const std::string& file, Where&& where) {
  if (policy == BadLetters::replace && is_letter(letter) && alphabet != Alphabet::bytes)
    return alphabet == Alphabet::dna ? dna::unknown : protein::unknown;
  throw InputError(file, where(),
                   (file.empty() || is_letter(letter) || letter == ' ' ? "" : "binary: ") + quoted(letter) +
                       " is not a " + std::string(to_string(alphabet)) + " letter",
                   std::string(expected_letters(alphabet)));
}

}  // namespace genocl::sequence
