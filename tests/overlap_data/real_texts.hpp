// Real genomes, and the input of the oracle of suffix arrays.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "genocl/io/sequence_reader.hpp"
#include "overlap/cases.hpp"

namespace overlap_test {

/// Empty where the data is not.
inline genocl::SequenceSet dna_of(const std::string& name) {
  const char* const folder = std::getenv("GENOCL_TEST_DATA");
  const std::string path = std::string(folder != nullptr ? folder : "../shared/data") + "/dna/" + name;
  if (std::filesystem::exists(path)) return genocl::io::read_sequences(path);
  MESSAGE("left out: " << path << " is not there");
  return genocl::SequenceSet();
}

/// What the oracle compares: codes in the order of their letters, and separators behind the records and at N.
struct Expected {
  Bytes bytes;
  std::vector<bool> separated;
};
inline Expected expected_of(const genocl::SequenceSet& set, bool separated) {
  Expected expected;
  for (std::size_t record = 0; record < set.size(); ++record) {
    for (const genocl::Code code : set[record]) {
      expected.bytes.push_back(static_cast<std::uint8_t>(genocl::dna::letters[code]));
      expected.separated.push_back(separated && code >= 4);
    }
    if (!separated) continue;
    expected.bytes.push_back(0);
    expected.separated.push_back(true);
  }
  return expected;
}

}  // namespace overlap_test
