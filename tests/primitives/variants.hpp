// What the tests of the primitives share: every way in which a primitive runs on the device under test, and sizes
// around every boundary.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "device_under_test.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "random.hpp"

namespace genocl_test {

struct Variant {
  std::string name;
  genocl::Device device;
  genocl::LaunchTuning tuning;
};

/// Both families, with vendor paths and without.
inline std::vector<Variant> main_variants() {
  std::vector<Variant> all;
  for (const DeviceVariant& one : device_variants()) all.push_back({one.name, one.device, {}});
  return all;
}

/// And with small groups and an odd number of workers.
inline std::vector<Variant> all_variants() {
  std::vector<Variant> all = main_variants();
  const std::size_t main = all.size();
  for (std::size_t i = 0; i < main; i++) {
    Variant other = all[i];
    if (other.device.family() == genocl::KernelFamily::cpu) {
      other.tuning.workers = 7;
      other.name += ", 7 workers";
    } else {
      other.tuning.group_size = 64;
      other.name += ", groups of 64";
    }
    all.push_back(other);
  }
  return all;
}

/// Nothing, little, around each power of two that a kernel may use as a tile, and `largest`.
inline std::vector<std::size_t> sizes_around_tiles(std::size_t largest) {
  std::vector<std::size_t> sizes = {0, 1, 2, 3, 5, 31, 33, 100};
  for (std::size_t tile = 64; tile + 1 < largest; tile *= 4)
    for (const std::size_t size : {tile - 1, tile, tile + 1}) sizes.push_back(size);
  sizes.push_back(largest);
  return sizes;
}

}  // namespace genocl_test
