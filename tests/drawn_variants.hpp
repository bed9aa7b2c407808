// Kernel variants of short tests: compiling their kernels is most of the time of a test on PoCL.
#pragma once

#include <vector>

#include "device_under_test.hpp"
#include "random.hpp"

namespace genocl_test {

/// One of the variants in short tests on a CPU, drawn anew in each call; all variants in long tests and on GPUs.
inline std::vector<DeviceVariant> drawn(const std::vector<DeviceVariant>& all) {
  static Random random(test_seed());
  if (long_tests() || device_under_test().info().type != genocl::DeviceType::cpu) return all;
  return {all[random.below(all.size())]};
}

}  // namespace genocl_test
