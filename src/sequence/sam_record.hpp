// Letters and qualities of a record in the direction of its line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

/// Eight bytes, processed at once: 150 letters take 30 ns, and 170 ns by table look-ups.
using EightBytes = std::uint64_t;
inline constexpr std::size_t word_bytes = sizeof(EightBytes);

/// A word with this byte in each position.
constexpr EightBytes each_byte(std::uint8_t byte) noexcept { return byte * EightBytes{0x0101010101010101}; }

inline EightBytes load_bytes(const std::uint8_t* from) noexcept {
  EightBytes word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

/// Reverses the order of the bytes.
constexpr EightBytes reversed_bytes(EightBytes word) noexcept {
  word = (word & 0x00ff00ff00ff00ff) << 8 | (word >> 8 & 0x00ff00ff00ff00ff);
  word = (word & 0x0000ffff0000ffff) << 16 | (word >> 16 & 0x0000ffff0000ffff);
  return word << 32 | word >> 32;
}

/// Letters of A, C, G, T and N: 65 + 2 b0 + 6 b1 + 11 b0 b1 + 13 b2, by the bits of the code.
constexpr EightBytes letters_of(EightBytes bit0, EightBytes bit1, EightBytes bit2) noexcept {
  const EightBytes both = bit0 & bit1;
  return each_byte('A') + ((bit0 + bit1 + both) << 1) + ((bit1 + bit2) << 2) + both + ((both + bit2) << 3) + bit2;
}

/// True if all codes are A, C, G, T or N, as in nearly all reads.
inline bool are_bases_or_n(std::span<const Code> codes) noexcept {
  Code most = 0;
  for (const Code code : codes) most = code > most ? code : most;
  return most <= dna::unknown;
}

/// Writes the letters of a record.
inline void put_letters(const Record& record, char* to) {
  const std::span<const Code> codes = record.codes;
  const std::size_t size = codes.size(), words = are_bases_or_n(codes) ? size / word_bytes : 0;
  const EightBytes one = each_byte(1);
  if ((record.flag & Record::reverse) == 0) {
    for (std::size_t i = 0; i < words; ++i) {
      const EightBytes word = load_bytes(codes.data() + i * word_bytes);
      const EightBytes letters = letters_of(word & one, word >> 1 & one, word >> 2 & one);
      std::memcpy(to + i * word_bytes, &letters, sizeof letters);
    }
    for (std::size_t i = words * word_bytes; i < size; ++i) to[i] = dna::decode_table[codes[i]];
    return;
  }
  for (std::size_t i = 0; i < words; ++i) {
    const EightBytes word = reversed_bytes(load_bytes(codes.data() + size - (i + 1) * word_bytes));
    const EightBytes n = word >> 2;  // N keeps its code, others have their bits inverted
    const EightBytes letters = letters_of(~(word | n) & one, ~(word >> 1 | n) & one, n & one);
    std::memcpy(to + i * word_bytes, &letters, sizeof letters);
  }
  for (std::size_t i = words * word_bytes; i < size; ++i) to[i] = complement_letters[codes[size - 1 - i]];
}

/// Writes each quality plus `offset`. Precondition: no quality is above 255 - offset.
inline void put_quality(const Record& record, char* to, char offset) {
  const std::span<const std::uint8_t> quality = record.quality;
  const std::size_t size = quality.size();
  if ((record.flag & Record::reverse) == 0) {
    for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<char>(quality[i] + offset);
    return;
  }
  std::size_t i = 0;
  for (; i + word_bytes <= size; i += word_bytes) {
    const EightBytes word = reversed_bytes(load_bytes(quality.data() + size - i - word_bytes)) +
                            each_byte(static_cast<std::uint8_t>(offset));
    std::memcpy(to + i, &word, sizeof word);
  }
  for (; i < size; ++i) to[i] = static_cast<char>(quality[size - 1 - i] + offset);
}

}  // namespace genocl::sam
