// Letters and qualities of a record in the direction of its line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "genocl/sequence/alphabet.hpp"
#include "genocl/sequence/sam.hpp"

namespace genocl::sam {

inline constexpr std::array<char, 256> complement_letters = [] {
  std::array<char, 256> table{};
  table.fill('N');
  for (std::size_t code = 0; code < dna::letters.size(); ++code)
    table[code] = dna::decode(dna::complement(static_cast<Code>(code)));
  return table;
}();

/// Writes the letters of a record.
inline void put_letters(const Record& record, char* to) {
  const std::span<const Code> codes = record.codes;
  const std::size_t size = codes.size();
  if ((record.flag & Record::reverse) == 0)
    for (std::size_t i = 0; i < size; ++i) to[i] = dna::decode_table[codes[i]];
  else
    for (std::size_t i = 0; i < size; ++i) to[i] = complement_letters[codes[size - 1 - i]];
}

/// Writes each quality plus `offset`.
inline void put_quality(const Record& record, char* to, char offset) {
  const std::span<const std::uint8_t> quality = record.quality;
  const std::size_t size = quality.size();
  if ((record.flag & Record::reverse) == 0)
    for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<char>(quality[i] + offset);
  else
    for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<char>(quality[size - 1 - i] + offset);
}

}  // namespace genocl::sam
