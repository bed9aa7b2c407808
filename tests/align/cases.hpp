// Common parts of the tests of align: the device under test, the kernel families, and sequences.
#pragma once

#include <doctest/doctest.h>

#include <vector>

#include "device_under_test.hpp"
#include "drawn_variants.hpp"
#include "random_sequences.hpp"

namespace align_test {

using genocl_test::mutated;
using genocl_test::Random;
using genocl_test::random_codes;
using genocl_test::random_set;
using genocl_test::repeated;
using genocl_test::test_seed;

using Variant = genocl_test::DeviceVariant;

inline const genocl::Device& test_device() { return genocl_test::device_under_test(); }
inline std::vector<Variant> variants() { return genocl_test::device_variants(); }
inline std::vector<Variant> drawn_variants() { return genocl_test::drawn(variants()); }

}  // namespace align_test
