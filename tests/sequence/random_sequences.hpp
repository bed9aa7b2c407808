// Random sequences.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "genocl/sequence.hpp"
#include "random.hpp"

namespace genocl_test {

/// Draws from test_seed().
class RandomSequences : public Random {
 public:
  RandomSequences() : Random(test_seed()) {}

  std::string text(std::size_t length, std::string_view letters) {
    std::string result(length, ' ');
    for (char& letter : result) letter = letters[below(letters.size())];
    return result;
  }

  /// Bases with now and then a run of another letter, of a length around those of a word and a byte.
  std::string dna(std::size_t length) {
    std::string result = text(length, "ACGT");
    for (std::size_t i = below(200); i < length; i += below(200)) {
      const char letter = genocl::dna::letters[4 + below(11)];
      for (std::uint64_t run = 1 + below(70); run > 0 && i < length; --run) result[i++] = letter;
    }
    return result;
  }

  genocl::SequenceSet set(genocl::Alphabet alphabet, bool with_qualities, std::size_t records, std::size_t longest) {
    genocl::SequenceSet result(alphabet, with_qualities);
    for (std::size_t i = 0; i < records; ++i) {
      const std::size_t length = below(4) == 0 ? below(3) : below(longest + 1);
      std::string letters;
      switch (alphabet) {
        case genocl::Alphabet::dna:
          letters = dna(length);
          break;
        case genocl::Alphabet::protein:
          letters = text(length, genocl::protein::letters);
          break;
        // Without what begins another part of a file.
        case genocl::Alphabet::bytes:
          letters = text(length, "abcXYZ0189-_.,;:!#$%&*()[]{}|~<");
          break;
      }
      std::string quality = with_qualities ? text(length, "\x01\x02\x10\x28\x5d") : "";
      for (char& score : quality)
        if (below(8) == 0) score = 0;
      std::string description;
      if (below(2) == 0) description = text(below(20), "abc=|\t ") + text(1, "xyz");
      const std::size_t indent = description.find_first_not_of(" \t");
      result.append_letters("r" + std::to_string(i) + text(below(12), "abc|._/@>+"), letters,
                            description.substr(indent == std::string::npos ? 0 : indent),
                            {reinterpret_cast<const std::uint8_t*>(quality.data()), quality.size()});
    }
    return result;
  }
};

}  // namespace genocl_test
