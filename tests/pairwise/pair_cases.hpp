// What the tests of pairs share: two sets of sequences, of which those of one number are a pair.
#pragma once

#include <string>
#include <vector>

#include "genocl/sequence/sequence_set.hpp"

namespace align_test {

struct Pairs {
  genocl::SequenceSet a, b;
  explicit Pairs(genocl::Alphabet alphabet = genocl::Alphabet::protein) : a(alphabet), b(alphabet) {}
  void add(const std::vector<genocl::Code>& query, const std::vector<genocl::Code>& subject) {
    a.append("a" + std::to_string(a.size()), query);
    b.append("b" + std::to_string(b.size()), subject);
  }
};

}  // namespace align_test
