// Random sequences for the tests of alignment.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "genocl/sequence/sequence_set.hpp"
#include "random.hpp"

namespace genocl_test {

/// Letters drawn evenly from the first `letters` codes.
inline std::vector<genocl::Code> random_codes(Random& random, std::size_t length, unsigned letters = 20) {
  std::vector<genocl::Code> codes(length);
  for (genocl::Code& code : codes) code = static_cast<genocl::Code>(random() % letters);
  return codes;
}

inline std::vector<genocl::Code> repeated(std::span<const genocl::Code> unit, std::size_t times) {
  std::vector<genocl::Code> codes;
  for (std::size_t i = 0; i < times; ++i) codes.insert(codes.end(), unit.begin(), unit.end());
  return codes;
}

/// A copy with substitutions, deletions and insertions: about one in `every` letters.
inline std::vector<genocl::Code> mutated(Random& random, std::span<const genocl::Code> codes, unsigned every,
                                         unsigned letters = 20) {
  std::vector<genocl::Code> copy;
  for (const genocl::Code code : codes) {
    const std::uint64_t dice = random() % every;
    const auto other = static_cast<genocl::Code>(random() % letters);
    if (dice != 0) {
      copy.push_back(code);
    } else if (random() % 3 != 0) {
      copy.push_back(other);
      if (random() % 2 != 0) copy.push_back(code);
    }
  }
  return copy;
}

/// `count` sequences of 1 to `longest` letters; every fourth one resembles `like`, if that is not empty.
inline genocl::SequenceSet random_set(Random& random, std::size_t count, std::size_t longest,
                                      genocl::Alphabet alphabet = genocl::Alphabet::protein, unsigned letters = 20,
                                      std::span<const genocl::Code> like = {}) {
  genocl::SequenceSet set(alphabet);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "s" + std::to_string(i);
    std::vector<genocl::Code> codes = random_codes(random, 1 + random() % longest, letters);
    if (!like.empty() && i % 4 == 0) {
      codes = mutated(random, like, 2 + static_cast<unsigned>(random() % 20), letters);
      if (codes.size() > longest) codes.resize(longest);
      if (codes.empty()) codes.push_back(0);
    }
    set.append(name, codes);
  }
  return set;
}

}  // namespace genocl_test
