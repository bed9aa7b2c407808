// Common parts of the tests of pairwise: the device under test, the kernel families, random sequences, pairs.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "device_under_test.hpp"
#include "drawn_variants.hpp"
#include "genocl/sequence/sequence_set.hpp"
#include "random_sequences.hpp"

namespace pairwise_test {

using genocl_test::mutated;
using genocl_test::Random;
using genocl_test::random_codes;
using genocl_test::repeated;
using genocl_test::test_seed;

using Variant = genocl_test::DeviceVariant;

inline const genocl::Device& test_device() { return genocl_test::device_under_test(); }
inline std::vector<Variant> variants() { return genocl_test::device_variants(); }
inline std::vector<Variant> drawn_variants() { return genocl_test::drawn(variants()); }

/// Two sets of sequences: record i of `a` and record i of `b` are a pair.
struct Pairs {
  genocl::SequenceSet a, b;
  explicit Pairs(genocl::Alphabet alphabet = genocl::Alphabet::protein) : a(alphabet), b(alphabet) {}
  void add(const std::vector<genocl::Code>& query, const std::vector<genocl::Code>& subject) {
    a.append("a" + std::to_string(a.size()), query);
    b.append("b" + std::to_string(b.size()), subject);
  }
};

}  // namespace pairwise_test
