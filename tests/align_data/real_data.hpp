// The real proteins that tests of align take.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "genocl/io/sequence_reader.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace align_test {

/// Empty where the data is not.
inline genocl::SequenceSet proteins(const std::string& name) {
  const char* folder = std::getenv("GENOCL_TEST_DATA");
  const std::string path = std::string(folder != nullptr ? folder : "../shared/data") + "/proteins/" + name;
  if (std::filesystem::exists(path)) return genocl::io::read_sequences(path, {.alphabet = genocl::Alphabet::protein});
  MESSAGE("left out: " << path << " is not there");
  return genocl::SequenceSet(genocl::Alphabet::protein);
}

}  // namespace align_test
