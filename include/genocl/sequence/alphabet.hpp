// Alphabets: small integer codes of letters. Lower case (soft masking) is read as upper case.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/export.hpp"

namespace genocl {

/// A letter as a number from 0 to alphabet_size() - 1.
using Code = std::uint8_t;

/// The code of a letter outside the alphabet.
inline constexpr Code invalid_code = 0xff;

/// `bytes`: every byte is its own code, for suffix arrays of arbitrary text; all bytes are valid.
enum class Alphabet : std::uint8_t { dna, protein, bytes };

namespace detail {
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr std::array<Code, 256> encode_table(std::string_view letters) {
  std::array<Code, 256> table{};
  table.fill(invalid_code);
  for (std::size_t i = 0; i < letters.size(); ++i) {
    table[static_cast<unsigned char>(letters[i])] = static_cast<Code>(i);
    table[static_cast<unsigned char>(lower(letters[i]))] = static_cast<Code>(i);
  }
  return table;
}

constexpr std::array<char, 256> decode_table(std::string_view letters) {
  std::array<char, 256> table{};
  table.fill('?');
  for (std::size_t i = 0; i < letters.size(); ++i) table[i] = letters[i];
  return table;
}
}  // namespace detail

/// Nucleotides. A C G T are 0 to 3, so the complement of a base is 3 - code. N and the ten other IUPAC codes follow. U
/// is read as T. A code is a base if and only if it is < 4.
namespace dna {
/// letters[code] is the letter of a code.
inline constexpr std::string_view letters = "ACGTNRYSWKMBDHV";
inline constexpr Code unknown = 4;  ///< N

inline constexpr std::array<Code, 256> encode_table = [] {
  auto table = detail::encode_table(letters);
  table['U'] = table['u'] = table['T'];
  return table;
}();
inline constexpr std::array<char, 256> decode_table = detail::decode_table(letters);

/// bases_table[code]: the set of bases that a code represents, bit b for base b; equal to htslib's 4-bit codes (A 1, C
/// 2, G 4, T 8, N 15).
inline constexpr std::array<std::uint8_t, 16> bases_table = {1, 2, 4, 8, 15, 5, 10, 6, 9, 12, 3, 14, 13, 11, 7, 0};
/// N, S and W are their own complements; R and Y, K and M, B and V, D and H swap.
inline constexpr std::array<Code, 16> complement_table = {3, 2,  1, 0,  4,  6,  5,  7,
                                                          8, 10, 9, 14, 13, 12, 11, invalid_code};

constexpr Code encode(char letter) noexcept { return encode_table[static_cast<unsigned char>(letter)]; }
/// '?' for an invalid code.
constexpr char decode(Code code) noexcept { return decode_table[code]; }
constexpr Code complement(Code code) noexcept { return code < 16 ? complement_table[code] : invalid_code; }
constexpr bool is_base(Code code) noexcept { return code < 4; }

/// Writes the reverse complement of `from` to `to`. Both have the same size, and are the same memory or disjoint.
GENOCL_EXPORT void reverse_complement(std::span<const Code> from, std::span<Code> to);
}  // namespace dna

/// Amino acids: the twenty in the order of the NCBI matrices (0 to 19), then B (D or N), Z (E or Q), J (I or L), U
/// (selenocysteine), O (pyrrolysine), X (any) and * (stop): 27 codes, so 5 bits hold one.
namespace protein {
inline constexpr std::string_view letters = "ARNDCQEGHILKMFPSTWYVBZJUOX*";
inline constexpr Code unknown = 25;  ///< X

inline constexpr std::array<Code, 256> encode_table = detail::encode_table(letters);
inline constexpr std::array<char, 256> decode_table = detail::decode_table(letters);

constexpr Code encode(char letter) noexcept { return encode_table[static_cast<unsigned char>(letter)]; }
/// '?' for an invalid code.
constexpr char decode(Code code) noexcept { return decode_table[code]; }
}  // namespace protein

/// The number of codes: 15, 27, 256.
constexpr std::size_t alphabet_size(Alphabet alphabet) noexcept {
  switch (alphabet) {
    case Alphabet::dna:
      return dna::letters.size();
    case Alphabet::protein:
      return protein::letters.size();
    case Alphabet::bytes:
      break;
  }
  return 256;
}

/// "DNA", "protein" or "bytes".
GENOCL_EXPORT std::string_view to_string(Alphabet alphabet) noexcept;

/// Treatment of letters outside the alphabet when sequences are read.
enum class BadLetters : std::uint8_t {
  error,    ///< InputError with the position
  replace,  ///< N in DNA, X in protein; control bytes and bytes above 126 are still errors
};

/// The value for an option that requests replacement.
constexpr BadLetters bad_letters(bool replace) noexcept { return replace ? BadLetters::replace : BadLetters::error; }

/// Encodes letters to codes[0 .. letters.size() - 1]. Returns the position of the first letter outside the alphabet, or
/// letters.size(); such letters get invalid_code. Throws InputError unless the sizes are equal. O(letters).
GENOCL_EXPORT std::size_t encode(Alphabet alphabet, std::string_view letters, std::span<Code> codes);

/// Encodes letters to a new vector. Throws InputError with the position of a letter outside the alphabet.
GENOCL_EXPORT std::vector<Code> encode(Alphabet alphabet, std::string_view letters);

/// Upper-case letters, '?' for invalid codes.
GENOCL_EXPORT std::string decode(Alphabet alphabet, std::span<const Code> codes);

}  // namespace genocl
