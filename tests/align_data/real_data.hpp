// The real sequences that tests of align take.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "genocl/io/sequence_reader.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace align_test {

/// Empty where the data is not.
inline genocl::SequenceSet real_data(const std::string& name, genocl::Alphabet alphabet) {
  const char* folder = std::getenv("GENOCL_TEST_DATA");
  const std::string path = std::string(folder != nullptr ? folder : "../shared/data") + "/" + name;
  if (std::filesystem::exists(path)) return genocl::io::read_sequences(path, {.alphabet = alphabet});
  MESSAGE("left out: " << path << " is not there");
  return genocl::SequenceSet(alphabet);
}

inline genocl::SequenceSet proteins(const std::string& name) {
  return real_data("proteins/" + name, genocl::Alphabet::protein);
}
inline genocl::SequenceSet dna(const std::string& name) { return real_data("dna/" + name, genocl::Alphabet::dna); }

}  // namespace align_test
