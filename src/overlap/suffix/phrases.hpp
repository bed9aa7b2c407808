// Suffix arrays of texts that are made of few different phrases.
#pragma once

#include <cstdint>

#include "overlap/suffix/suffix_array.hpp"

namespace genocl::overlap {

struct PhraseOptions {
  /// Symbols of the window that ends a phrase; 0: chosen for the text's bits. At most 32, and 64 bits.
  unsigned window = 0;
  /// One window in 2^bits ends a phrase, 1 to 20.
  unsigned bits = 6;
  /// A text with a longer phrase is not cut.
  std::uint32_t longest = 1u << 17;
  /// Goes on however many different phrases there are.
  bool even_if_many = false;
  std::uint32_t seed = 0x5bd1'e995u;
  /// Bits of the phrases' hashes that count; fewer only for tests.
  unsigned hash_bits = 64;
};

bool build_by_phrases(const Device& device, const Text::State& text, Array<std::uint32_t>& positions,
                      const SuffixArrayOptions& options, BuildReport& report, const PhraseOptions& phrases);

/// Places that the dictionary takes: the sum of what its entries take. Phrases share a window with the next one, so
/// that this can be more than the text has, and more than 32 bits count.
std::uint64_t dictionary_places(const Device& device, const Array<std::uint32_t>& lengths);

/// Whether a dictionary of so many places and a string of so many phrases are to be made for a text of `size` symbols:
/// where both are few beside the text, or (`even_if_many`) where the dictionary can be a text at all.
bool dictionary_is_worth_it(std::uint64_t places, std::uint64_t phrases, std::uint64_t size, bool even_if_many);

}  // namespace genocl::overlap
