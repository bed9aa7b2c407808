// The kernels that only benchmarks use, against plain loops.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "runtime/kernel.hpp"

namespace {

using genocl::Array;
using genocl::Device;
using genocl::runtime::Kernel;

constexpr std::size_t groups = 3, group = 16;

TEST_CASE("tiny: random reads") {
  const Device device = Device::pick();
  constexpr cl_ulong sectors = 64;
  constexpr cl_uint rounds = 5, chains = 4;
  std::vector<std::uint32_t> table(sectors * 8);
  std::iota(table.begin(), table.end(), 1000u);
  Array<std::uint32_t> sums(device, groups * group);
  Kernel(device, "common/ceilings.cl", "random_reads")
      .args(Array<std::uint32_t>(device, table), sectors, rounds, sums)
      .run(groups, group);
  std::vector<std::uint32_t> expected(groups * group);
  for (std::size_t item = 0; item < expected.size(); ++item) {
    for (std::uint64_t chain = 0; chain < chains; ++chain) {
      std::uint64_t state = (item * chains + chain) * 0x9E3779B97F4A7C15u + 777;
      for (cl_uint round = 0; round < rounds; ++round) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        expected[item] += table[((state >> 20) % sectors) * 8 + (state >> 12) % 8];
      }
    }
  }
  CHECK(sums.download() == expected);
}

TEST_CASE("tiny: additions and maxima") {
  const Device device = Device::pick();
  constexpr int step = -7, floor = -90, pairs = 32;
  constexpr cl_uint rounds = 6;
  Array<std::int32_t> results(device, groups * group);
  Kernel(device, "common/ceilings.cl", "add_max").args(step, floor, rounds, results).run(groups, group);
  std::vector<std::int32_t> expected(groups * group);
  for (std::size_t item = 0; item < expected.size(); ++item) {
    for (int pair = 0; pair < pairs; ++pair) {
      int value = static_cast<int>(item) + pair * step;
      for (cl_uint round = 0; round < rounds; ++round) value = std::max(value + step, floor);
      expected[item] ^= value;
    }
  }
  CHECK(results.download() == expected);
}

}  // namespace
