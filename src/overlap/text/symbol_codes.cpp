#include "overlap/text/symbol_codes.hpp"

#include <string_view>

namespace genocl::overlap {

Meaning of_bytes() {
  Meaning meaning;
  for (unsigned byte = 0; byte < 256; ++byte) meaning.symbol[byte] = static_cast<std::uint8_t>(byte);
  meaning.matches.fill(true);
  return meaning;
}

Meaning of_codes(Alphabet alphabet, bool bases_only) {
  if (alphabet == Alphabet::bytes) return of_bytes();
  Meaning meaning;
  const std::string_view letters = alphabet == Alphabet::dna ? dna::letters : protein::letters;
  for (std::size_t code = 0; code < letters.size(); ++code) {
    meaning.symbol[code] = static_cast<std::uint8_t>(letters[code]);
    meaning.matches[code] = !bases_only || code < 4;
  }
  return meaning;
}

std::vector<std::uint8_t> symbols_among(const Meaning& meaning, const std::array<bool, 256>& present,
                                        bool& has_breaks) {
  std::array<bool, 256> occurs{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (!present[byte]) continue;
    if (meaning.matches[byte])
      occurs[meaning.symbol[byte]] = true;
    else
      has_breaks = true;
  }
  std::vector<std::uint8_t> symbols;
  for (unsigned symbol = 0; symbol < 256; ++symbol)
    if (occurs[symbol]) symbols.push_back(static_cast<std::uint8_t>(symbol));
  return symbols;
}

std::array<std::uint16_t, 256> codes_of(std::span<const std::uint8_t> alphabet, const Meaning& meaning) {
  std::array<std::uint16_t, 256> code_of{}, codes{};
  code_of.fill(break_code);
  for (std::size_t code = 0; code < alphabet.size(); ++code) code_of[alphabet[code]] = static_cast<std::uint16_t>(code);
  for (unsigned byte = 0; byte < 256; ++byte)
    codes[byte] = meaning.matches[byte] ? code_of[meaning.symbol[byte]] : break_code;
  return codes;
}

}  // namespace genocl::overlap
