// Texts with their suffix order by the oracle, for the ways to build it.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "genocl/sequence/sequence_set.hpp"
#include "overlap/cases.hpp"
#include "overlap/text/text.hpp"
#include "reference/overlap/suffix_order.hpp"
#include "runtime/state_access.hpp"

namespace overlap_test {

/// The text's codes, read back from the device, and suffix_separator.
inline std::vector<int> symbols_of(const genocl::overlap::Text& text) {
  const genocl::overlap::Text::State& state = genocl::runtime::state_of(text);
  const std::vector<std::uint64_t> words = state.words.download();
  const std::vector<std::uint32_t> separators = state.separators.download();
  std::vector<int> symbols(state.size);
  for (std::uint64_t i = 0; i < state.size; ++i) {
    const std::uint64_t bit = i * state.bits;
    const bool is_separator = state.has_separators && (separators[i / 32] >> (31 - i % 32) & 1) != 0;
    symbols[i] = is_separator
                     ? genocl::reference::suffix_separator
                     : static_cast<int>(words[bit / 64] >> (64 - state.bits - bit % 64) & ((1u << state.bits) - 1));
  }
  return symbols;
}

struct OrderCase {
  std::string name;
  genocl::overlap::Text text;
};

/// Records with runs of N, letters that are equal at both ends of records, empty records; by their letters 2 or 4 bits.
inline std::vector<OrderCase> separated_texts(const genocl::Device& device, std::size_t length, std::uint64_t seed) {
  using genocl::SequenceSet;
  using genocl::overlap::Letters;
  using genocl::overlap::Text;
  Random random(seed);
  SequenceSet copies, mixed;
  const Bytes genome = random_text(random, length / 5 + 1);
  for (unsigned record = 0; record < 5; ++record) {
    std::string letters(genome.begin(), genome.end());
    for (std::size_t k = 0; k < 1 + letters.size() / 200; ++k)
      letters[random() % letters.size()] = "ACGTN"[random() % 5];
    copies.append_letters("copy", letters);
  }
  for (const char* letters : {"", "A", "N", "AAAA", "AAA", "ACA", "ACA", "", "NNNNNN"})
    mixed.append_letters("m", letters);
  std::string runs;
  while (runs.size() < length) {
    runs += std::string(random() % 40, 'N');
    const Bytes some = random_text(random, random() % 60, 2);
    runs.append(some.begin(), some.end());
  }
  mixed.append_letters("runs", runs);
  mixed.append_letters("all equal", std::string(length / 4, 'A'));
  std::vector<OrderCase> cases;
  const std::array<const SequenceSet*, 1> one = {&copies}, other = {&mixed};
  const std::array<const SequenceSet*, 2> both = {&mixed, &copies};
  cases.push_back({"copies", Text::separated(device, one)});
  cases.push_back({"mixed records", Text::separated(device, other)});
  cases.push_back({"mixed records as written", Text::separated(device, other, {.letters = Letters::written})});
  cases.push_back({"both", Text::separated(device, both)});
  cases.push_back({"both as written", Text::separated(device, both, {.letters = Letters::written})});
  const Bytes bytes = random_text(random, length / 2, 15);
  Bytes many(length / 2);
  for (std::uint8_t& byte : many) byte = static_cast<std::uint8_t>(random() % 40 == 0 ? random() : 7);
  const std::array<std::span<const std::uint8_t>, 3> strings = {bytes, many, bytes};
  cases.push_back({"byte strings", Text::separated(device, strings)});
  return cases;
}

}  // namespace overlap_test
