// What the tests of the primitives share: every way in which a primitive runs on the device under test, sizes around
// every boundary, and random data from a seed that is printed.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/primitives/tuning.hpp"

namespace genocl_test {

struct Variant {
  std::string name;
  genocl::Device device;
  genocl::primitives::Tuning tuning;
};

inline const genocl::Device& device_under_test() {
  static const genocl::Device* const device =
      new genocl::Device(genocl::Device::pick());  // never destroyed: drivers may be gone
  return *device;
}

/// Both families, with vendor paths and without.
inline std::vector<Variant> main_variants() {
  const genocl::Device& device = device_under_test();
  const genocl::Device group = device.with_family(genocl::KernelFamily::group);
  std::vector<Variant> all = {{"lanes", device.with_family(genocl::KernelFamily::lanes), {}},
                              {"group", group.without_vendor_paths(), {}}};
  if (group.has_ptx()) all.push_back({"group with vendor paths", group, {}});
  return all;
}

/// And with small groups and an odd number of workers.
inline std::vector<Variant> all_variants() {
  std::vector<Variant> all = main_variants();
  const std::size_t main = all.size();
  for (std::size_t i = 0; i < main; i++) {
    Variant other = all[i];
    if (other.device.family() == genocl::KernelFamily::lanes) {
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

/// From GENOCL_TEST_SEED, or another one each time; printed when a test fails.
inline std::uint64_t test_seed() {
  static const std::uint64_t seed = [] {
    if (const char* given = std::getenv("GENOCL_TEST_SEED")) return std::strtoull(given, nullptr, 10);
    return static_cast<unsigned long long>(std::random_device{}());
  }();
  return seed;
}

#define GENOCL_SHOW_SEED() INFO("GENOCL_TEST_SEED=", genocl_test::test_seed())

class Random {
 public:
  /// `stream`: tests that draw independently.
  explicit Random(std::uint64_t stream = 0) : engine_(test_seed() + stream * 0x9e3779b97f4a7c15u) {}

  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }

  /// Over the whole range of T; floats between -1000 and 1000.
  template <class T>
  T value() {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(static_cast<double>(engine_() >> 11) * 0x1p-53 * 2000 - 1000);
    else
      return static_cast<T>(engine_());
  }
  template <class T>
  std::vector<T> values(std::size_t count) {
    std::vector<T> all(count);
    for (T& value_of : all) value_of = value<T>();
    return all;
  }
  template <class T>
  std::vector<T> values_below(std::size_t count, std::uint64_t bound) {
    std::vector<T> all(count);
    for (T& value_of : all) value_of = static_cast<T>(below(bound));
    return all;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace genocl_test
