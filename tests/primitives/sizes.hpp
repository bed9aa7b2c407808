// Runs a check of primitives on 37 sizes around tiles, with elements of every arithmetic type.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "drawn_variants.hpp"
#include "primitives/variants.hpp"

namespace genocl_test {

/// None, one, primes, and powers of two, with their neighbours, up to more than every tile. 1,792 and 2,048 are the
/// limits of the kernels for a few elements.
inline constexpr std::array<std::size_t, 37> tile_sizes{0,    1,    2,    3,    7,      31,     32,    33,   63,   64,
                                                        65,   127,  128,  255,  257,    1000,   1023,  1024, 1025, 1791,
                                                        1792, 1793, 2047, 2048, 2049,   3583,   3584,  4095, 4096, 4097,
                                                        7919, 8191, 8192, 8193, 16'385, 32'771, 65'537};

/// Elements that are small integers, so that sums of floats are exact, and keys in runs.
template <class T>
struct SizedInput {
  std::vector<T> values, keys;

  SizedInput(Random& random, std::size_t size) : values(random.values_below<T>(size, 50)) {
    std::uint64_t key = 0;
    for (std::size_t i = 0; i < size; ++i) {
      key = random.below(4) == 0 ? (key + 1) % 100 : key;
      keys.push_back(static_cast<T>(key));
    }
  }
};

/// A check of inputs of one size.
template <class T>
using SizeCheck = void (*)(const genocl::Device&, Random&, const SizedInput<T>&);

template <class T>
void run_on_tile_sizes(const DeviceVariant& variant, Random& random, SizeCheck<T> check) {
  CAPTURE(variant.name);
  CAPTURE(sizeof(T));
  CAPTURE(std::is_signed_v<T>);
  CAPTURE(std::is_floating_point_v<T>);
  for (const std::size_t size : tile_sizes) {
    CAPTURE(size);
    check(variant.device, random, SizedInput<T>(random, size));
  }
}

/// A check with the type chosen.
using TypedCheck = void (*)(const DeviceVariant&, Random&);

/// Adds the checks `Checks::all<T>()` of each type.
template <class Checks, class... T>
std::vector<TypedCheck> checks_of_types() {
  std::vector<TypedCheck> all;
  const auto add = [&]<class One>(One, auto indices) {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      (all.push_back([](const DeviceVariant& variant, Random& random) {
        run_on_tile_sizes<One>(variant, random, Checks::template all<One>()[k]);
      }),
       ...);
    }
    (indices);
  };
  (add(T{}, std::make_index_sequence<Checks::template all<T>().size()>()), ...);
  return all;
}
template <class Checks>
std::vector<TypedCheck> checks_of_every_type() {
  return checks_of_types<Checks, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                         std::int64_t, std::uint64_t, float, double>();
}

/// A tenth of the checks on one drawn kernel family, or in long tests all on all.
inline void run_checks(const std::vector<TypedCheck>& checks, std::uint64_t seed) {
  Random random(test_seed() + seed);
  for (const TypedCheck check : random.some_of(checks, 10))
    for (const DeviceVariant& variant : drawn(device_variants())) check(variant, random);
}

}  // namespace genocl_test
