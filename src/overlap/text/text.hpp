// What the bytes of a text stand for, and the codes that its symbols get.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/overlap/host_text.hpp"
#include "genocl/overlap/text.hpp"
#include "genocl/sequence/alphabet.hpp"
#include "genocl/sequence/sequence_set.hpp"
#include "runtime/defines.hpp"
#include "runtime/scratch.hpp"

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

/// The records, a break behind each, with the symbols and codes of `coding`; what is none of these symbols is a break
/// too. `both_strands`: behind each record its reverse complement. Throws what Text::separated() throws.
std::shared_ptr<const Text::State> coded_as(const Text::State& coding, const Device& device, const SequenceSet& records,
                                            bool both_strands);

/// That each of so many different symbols takes: 2, 4 or 8.
unsigned bits_for(std::size_t symbols);

/// The symbols that codes or bytes of an alphabet can stand for, ascending; `letters` is about DNA.
std::vector<std::uint8_t> symbols_of(Alphabet alphabet, Letters letters);

/// A part of records of this alphabet, with breaks at `separators`, whatever stands there, and for what is none of
/// `symbols`.
std::shared_ptr<Text::State> coded_by(std::span<const std::uint8_t> symbols, const Device& device, Alphabet alphabet,
                                      std::span<const std::uint8_t> codes, std::span<const std::uint32_t> separators);

/// The number of bits of a sort key up to `largest`, at least 1.
inline unsigned sort_key_bits(std::uint64_t largest) {
  return std::max(1u, static_cast<unsigned>(std::bit_width(largest)));
}

/// Symbol i is bits [i * bits, i * bits + bits) of the words, counted from the highest bit of the first word; a break
/// holds code 0.
struct Text::State {
  /// Words behind the last one with a symbol, all 0: a kernel may read windows up to 128 symbols behind the end.
  static constexpr std::uint64_t margin_words = 20;

  Device device;
  std::uint64_t size = 0;
  unsigned bits = 2;
  bool has_breaks = false;
  runtime::ScratchArray<std::uint64_t> words;
  /// Position i is bit 31 - i % 32 of word i / 32; size / 32 + 6 words, 0 behind the end. One word without breaks.
  runtime::ScratchArray<std::uint32_t> breaks;
  std::vector<std::uint8_t> alphabet;
  std::vector<std::uint64_t> begins;

  /// Sets TEXT_BITS and TEXT_BREAKS.
  runtime::Defines defines() const {
    return runtime::Defines().set("TEXT_BITS", bits).set("TEXT_BREAKS", has_breaks ? 1 : 0);
  }
  unsigned symbols_per_word() const { return 64 / bits; }
  std::uint64_t bytes() const { return words.bytes() + breaks.bytes(); }
};

/// Words and breaks as in Text::State, including the margins.
struct HostText::State {
  std::uint64_t size = 0;
  unsigned bits = 2;
  bool has_breaks = false;
  std::vector<std::uint64_t> words;
  std::vector<std::uint32_t> breaks;
  std::vector<std::uint8_t> alphabet;
  std::vector<std::uint64_t> begins;

  unsigned code_at(std::uint64_t position) const {
    const std::uint64_t bit = position * bits;
    return static_cast<unsigned>(words[bit / 64] << bit % 64 >> (64 - bits));
  }
  bool is_break(std::uint64_t position) const {
    return has_breaks && (breaks[position / 32] << position % 32) >> 31 != 0;
  }
};

/// Waits until it is there. Throws CapacityError.
std::shared_ptr<const Text::State> bring_to(const Device& device, const HostText& text);

/// What lies on a device, on the host too.
HostText copied(const Text& text);

}  // namespace genocl::overlap
