// Texts whose symbols and codes are given, so that several compare.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/sequence/sequence_set.hpp"
#include "overlap/text/text_state.hpp"

namespace genocl::overlap {

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

}  // namespace genocl::overlap
