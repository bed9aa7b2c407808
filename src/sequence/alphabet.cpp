#include "genocl/sequence/alphabet.hpp"

#include <algorithm>

#include "genocl/error.hpp"
#include "sequence/letters.hpp"

namespace genocl {
namespace {

std::size_t encode_with(const std::array<Code, 256>& table, std::string_view letters, Code* codes) {
  // No early exit, so that the loop stays free of branches; where the letter is matters only when there is one.
  Code all = 0;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const Code code = table[static_cast<unsigned char>(letters[i])];
    codes[i] = code;
    all |= code;
  }
  if ((all & 0x80) == 0) return letters.size();
  std::size_t first = 0;
  while (codes[first] != invalid_code) ++first;
  return first;
}

/// Most DNA is A, C, G and T only: pieces of that by comparisons, which become vector code where a table does not.
std::size_t encode_dna(std::string_view letters, Code* codes) {
  constexpr std::size_t piece = 32;
  std::size_t first_bad = letters.size();
  for (std::size_t next = 0; next < letters.size(); next += piece) {
    // The last piece reaches back where it can, so as to be a whole one.
    const std::size_t begin = letters.size() >= piece ? std::min(next, letters.size() - piece) : next;
    const std::string_view part = letters.substr(begin, piece);
    Code* const to = codes + begin;
    if (part.size() == piece) {
      std::uint8_t others = 0;
      for (std::size_t i = 0; i < piece; ++i) {
        const auto letter = static_cast<std::uint8_t>(part[i] & 0xdf);  // upper case
        const auto code =
            static_cast<std::uint8_t>((letter == 'C' ? 1 : 0) | (letter == 'G' ? 2 : 0) | (letter == 'T' ? 3 : 0));
        others |= static_cast<std::uint8_t>((letter == 'A' ? 0 : 1) & (code == 0 ? 1 : 0));
        to[i] = code;
      }
      if (others == 0) continue;
    }
    const std::size_t bad = encode_with(dna::encode_table, part, to);
    if (bad != part.size()) first_bad = std::min(first_bad, begin + bad);
  }
  return first_bad;
}

}  // namespace

std::string_view to_string(Alphabet alphabet) noexcept {
  switch (alphabet) {
    case Alphabet::dna:
      return "DNA";
    case Alphabet::protein:
      return "protein";
    case Alphabet::bytes:
      break;
  }
  return "bytes";
}

std::size_t encode(Alphabet alphabet, std::string_view letters, std::span<Code> codes) {
  if (codes.size() != letters.size())
    throw InputError("encode: " + std::to_string(letters.size()) + " letters into " + std::to_string(codes.size()) +
                     " codes");
  switch (alphabet) {
    case Alphabet::dna:
      return encode_dna(letters, codes.data());
    case Alphabet::protein:
      return encode_with(protein::encode_table, letters, codes.data());
    case Alphabet::bytes:
      break;
  }
  for (std::size_t i = 0; i < letters.size(); ++i) codes[i] = static_cast<Code>(letters[i]);
  return letters.size();
}

std::vector<Code> encode(Alphabet alphabet, std::string_view letters) {
  std::vector<Code> codes(letters.size());
  const std::size_t bad = encode(alphabet, letters, codes);
  if (bad != letters.size())
    sequence::code_of_bad_letter(alphabet, letters[bad], BadLetters::error, {},
                                 [&] { return "letter " + std::to_string(bad + 1); });
  return codes;
}

std::string decode(Alphabet alphabet, std::span<const Code> codes) {
  std::string letters(codes.size(), '\0');
  if (alphabet == Alphabet::bytes) {
    for (std::size_t i = 0; i < codes.size(); ++i) letters[i] = static_cast<char>(codes[i]);
  } else {
    const auto& table = alphabet == Alphabet::dna ? dna::decode_table : protein::decode_table;
    for (std::size_t i = 0; i < codes.size(); ++i) letters[i] = table[codes[i]];
  }
  return letters;
}

void dna::reverse_complement(std::span<const Code> from, std::span<Code> to) {
  if (from.size() != to.size())
    throw InputError("reverse_complement: " + std::to_string(from.size()) + " codes into " + std::to_string(to.size()));
  // From both ends inwards, reading both before writing either: right in place as well.
  for (std::size_t i = 0, j = from.size(); i < j; ++i) {
    --j;
    const Code first = complement(from[i]);
    const Code last = complement(from[j]);
    to[i] = last;
    to[j] = first;
  }
}

}  // namespace genocl
