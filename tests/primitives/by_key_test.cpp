#include "genocl/primitives/by_key.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

#include "drawn_variants.hpp"
#include "genocl/error.hpp"
#include "primitives/variants.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;
using genocl::Device;
using primitives::Operator;

/// Keys in runs of 1 to `longest`.
template <class Key>
std::vector<Key> keys_in_runs(Random& random, std::size_t size, std::uint64_t longest) {
  std::vector<Key> keys;
  while (keys.size() < size) {
    Key key{};
    reinterpret_cast<unsigned char*>(&key)[random.below(sizeof(Key))] = static_cast<unsigned char>(random.below(3));
    for (std::uint64_t left = 1 + random.below(longest); left > 0 && keys.size() < size; --left) keys.push_back(key);
  }
  return keys;
}

template <class Key, class T>
void compare(const Variant& variant, Random& random, std::size_t size, std::uint64_t longest, const Operator& combine,
             T identity, const std::function<T(T, T)>& host_combine) {
  CAPTURE(variant.name);
  CAPTURE(size);
  CAPTURE(longest);
  CAPTURE(sizeof(Key));
  CAPTURE(sizeof(T));
  const std::vector<Key> keys = keys_in_runs<Key>(random, size, longest);
  const std::vector<T> values = random.values_below<T>(size, 100);
  std::vector<T> inclusive(size), exclusive(size), totals;
  std::vector<Key> unique_keys;
  for (std::size_t i = 0; i < size; ++i) {
    const bool starts = i == 0 || std::memcmp(&keys[i], &keys[i - 1], sizeof(Key)) != 0;
    exclusive[i] = starts ? identity : inclusive[i - 1];
    inclusive[i] = host_combine(exclusive[i], values[i]);
    if (starts) {
      unique_keys.push_back(keys[i]);
      totals.push_back(identity);
    }
    totals.back() = inclusive[i];
  }
  const genocl::Call call{.tuning = variant.tuning};
  const Array<Key> device_keys(variant.device, keys);
  Array<T> device_values(variant.device, values), results(variant.device, size);
  primitives::exclusive_scan_by_key(variant.device, device_keys, device_values, results, combine, call);
  CHECK(results.download() == exclusive);
  Array<Key> found_keys(variant.device, size);
  REQUIRE(primitives::reduce_by_key(variant.device, device_keys, device_values, found_keys, results, combine, call) ==
          totals.size());
  std::vector<T> found_totals = results.download();
  found_totals.resize(totals.size());
  CHECK(found_totals == totals);
  const std::vector<Key> found = found_keys.download();
  CHECK((unique_keys.empty() || std::memcmp(found.data(), unique_keys.data(), unique_keys.size() * sizeof(Key)) == 0));
  primitives::inclusive_scan_by_key(variant.device, device_keys, device_values, device_values, combine, call);
  CHECK(device_values.download() == inclusive);  // in place
}

template <class Key, class T>
void compare_sums(const Variant& variant, Random& random, std::size_t size, std::uint64_t longest) {
  compare<Key, T>(variant, random, size, longest, Operator::sum(), T{0},
                  [](T a, T b) { return static_cast<T>(a + b); });
}

TEST_CASE("tiny: scans and reductions by key") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 101);
  for (const Variant& variant : main_variants()) {
    // One launch, several tiles of a group, two workers.
    compare_sums<std::uint32_t, std::int32_t>(variant, random, 700, 7);
    compare_sums<std::uint32_t, std::int32_t>(variant, random, 2500, 7);
    if (variant.device.family() == genocl::KernelFamily::cpu)
      compare_sums<std::uint32_t, std::int32_t>(variant, random, 8300, 7);
  }
}

TEST_CASE("scans and reductions by key: sizes and lengths of runs") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 102);
  const std::vector<Variant> variants = all_variants();
  const Variant& variant = variants[random.below(variants.size())];
  for (const std::size_t size : {0u, 1u, 2u, 255u, 2049u, 33'000u, 70'001u})
    for (const std::uint64_t longest : {1u, 5u, 3000u, 200'000u})
      compare_sums<std::uint32_t, std::uint32_t>(variant, random, size, longest);
}

TEST_CASE("scans and reductions by key: types and operators") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 103);
  using Wide = std::array<std::uint32_t, 4>;
  using Check = void (*)(const Variant&, Random&);
  const std::vector<Check> checks{
      [](const Variant& v, Random& r) { compare_sums<std::uint8_t, double>(v, r, 9001, 4); },
      [](const Variant& v, Random& r) { compare_sums<Wide, std::uint8_t>(v, r, 9001, 40); },
      [](const Variant& v, Random& r) {
        compare<std::uint64_t, std::int16_t>(v, r, 9001, 40, Operator::maximum(), std::int16_t{-32768},
                                             [](std::int16_t a, std::int16_t b) { return std::max(a, b); });
      },
      [](const Variant& v, Random& r) {
        // Not commutative: the digits of a number, modulo a prime, and their number.
        const Operator append("((a & 0xffff) * power(b >> 16) + (b & 0xffff)) % 251 | ((a >> 16) + (b >> 16)) << 16",
                              "0", "uint power(uint n) { uint p = 1; while (n-- > 0) p = p * 7 % 251; return p; }");
        compare<std::uint16_t, std::uint32_t>(v, r, 999, 9, append, 0u, [](std::uint32_t a, std::uint32_t b) {
          std::uint32_t power = 1;
          for (std::uint32_t n = b >> 16; n > 0; --n) power = power * 7 % 251;
          return (((a & 0xffff) * power + (b & 0xffff)) % 251) | ((a >> 16) + (b >> 16)) << 16;
        });
      }};
  for (const Check check : random.some_of(checks)) {
    const std::vector<Variant> variants = main_variants();
    check(variants[random.below(variants.size())], random);
  }
}

TEST_CASE("run-length encoding") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 104);
  for (const DeviceVariant& variant : drawn(device_variants())) {
    CAPTURE(variant.name);
    for (const std::size_t size : {0u, 1u, 4001u, 30'000u}) {
      const std::vector<std::uint16_t> keys = keys_in_runs<std::uint16_t>(random, size, 50);
      std::vector<std::uint16_t> unique_keys;
      std::vector<std::uint64_t> lengths;
      for (std::size_t i = 0; i < size; ++i) {
        if (i == 0 || keys[i] != keys[i - 1]) {
          unique_keys.push_back(keys[i]);
          lengths.push_back(0);
        }
        ++lengths.back();
      }
      const Array<std::uint16_t> device_keys(variant.device, keys);
      Array<std::uint16_t> found_keys(variant.device, size);
      Array<std::uint64_t> found_lengths(variant.device, size);
      REQUIRE(primitives::run_length_encode(variant.device, device_keys, found_keys, found_lengths) == lengths.size());
      std::vector<std::uint16_t> host_keys = found_keys.download();
      std::vector<std::uint64_t> host_lengths = found_lengths.download();
      host_keys.resize(lengths.size());
      host_lengths.resize(lengths.size());
      CHECK(host_keys == unique_keys);
      CHECK(host_lengths == lengths);
    }
  }
}

TEST_CASE("reduce_by_key: runs across the shares of workers, results that end inside a share") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 105);
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    const std::size_t size = 60'000;
    const std::vector<std::uint32_t> keys = keys_in_runs<std::uint32_t>(random, size, 5000);
    std::vector<std::uint32_t> unique_keys;
    std::vector<std::uint64_t> totals;
    const std::vector<std::uint64_t> values = random.values_below<std::uint64_t>(size, 1'000'000);
    std::vector<float> floats;
    for (std::size_t i = 0; i < size; ++i) {
      floats.push_back(1.0f / static_cast<float>(values[i] + 1));
      if (i == 0 || keys[i] != keys[i - 1]) {
        unique_keys.push_back(keys[i]);
        totals.push_back(0);
      }
      totals.back() += values[i];
    }
    const genocl::Call call{.tuning = variant.tuning};
    const Array<std::uint32_t> device_keys(variant.device, keys);
    const Array<std::uint64_t> device_values(variant.device, values);
    const Array<float> device_floats(variant.device, floats);
    const std::size_t shorter = 1 + random.below(unique_keys.size()), last = random.below(unique_keys.size()) + 1;
    Array<std::uint32_t> found_keys(variant.device, shorter);
    Array<std::uint64_t> found_totals(variant.device, last);
    REQUIRE(primitives::reduce_by_key(variant.device, device_keys, device_values, found_keys, found_totals,
                                      Operator::sum(), call) == unique_keys.size());
    std::vector<std::uint32_t> first_keys = unique_keys;
    first_keys.resize(shorter);
    totals.resize(last);
    CHECK(found_keys.download() == first_keys);
    CHECK(found_totals.download() == totals);
    std::vector<float> sums;
    for (int repeat = 0; repeat < 3; ++repeat) {
      Array<float> found(variant.device, unique_keys.size());
      Array<std::uint32_t> all_keys(variant.device, unique_keys.size());
      primitives::reduce_by_key(variant.device, device_keys, device_floats, all_keys, found, Operator::sum(), call);
      if (repeat == 0) sums = found.download();
      CHECK(std::memcmp(found.download().data(), sums.data(), sums.size() * sizeof(float)) == 0);
    }
  }
}

TEST_CASE("by key: shorter results, the caller's scratch memory, wrong arguments") {
  for (const DeviceVariant& variant : drawn(device_variants())) {
    const Device& device = variant.device;
    const Array<std::uint32_t> keys(device, std::vector<std::uint32_t>{5, 5, 6, 6, 6, 9}),
        values(device, std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6});
    Array<std::uint32_t> unique_keys(device, 2), totals(device, 3), fewer(device, 5);
    Array<std::uint64_t> count(device, 1), none(device, 0);
    Array<std::byte> scratch(device, primitives::reduce_by_key_scratch_bytes(device, 6, 4)), little(device, 1);
    primitives::reduce_by_key(device, keys, values, unique_keys, totals, Operator::sum(), count,
                              {.scratch = scratch.span()});
    CHECK(count.download().front() == 3);
    CHECK(unique_keys.download() == std::vector<std::uint32_t>{5, 6});
    CHECK(totals.download() == std::vector<std::uint32_t>{3, 12, 6});
    CHECK_THROWS_AS(primitives::reduce_by_key(device, keys, values, unique_keys, totals, Operator::sum(), count,
                                              {.scratch = little.span()}),
                    genocl::CapacityError);
    CHECK_THROWS_AS(primitives::reduce_by_key(device, keys, values, unique_keys, totals, Operator::sum(), none),
                    genocl::InputError);
    CHECK_THROWS_AS(primitives::inclusive_scan_by_key(device, keys, fewer, fewer, Operator::sum()), genocl::InputError);
    Array<std::uint32_t> both(device, 6);
    CHECK_THROWS_AS(primitives::inclusive_scan_by_key(device, both, values, both, Operator::sum()), genocl::InputError);
    CHECK_THROWS_AS(primitives::reduce_by_key(device, keys, values, totals, totals, Operator::sum()),
                    genocl::InputError);
  }
}

}  // namespace
