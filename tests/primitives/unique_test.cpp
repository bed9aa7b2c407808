#include "genocl/primitives/unique.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <numeric>

#include "genocl/error.hpp"
#include "primitives/variants.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;

template <class T>
bool same_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Runs of 1 to `longest` equal elements; the elements of a later run may equal those of an earlier one.
template <class T>
std::vector<T> random_runs(Random& random, std::size_t size, std::uint64_t longest) {
  std::vector<T> values;
  while (values.size() < size) {
    T value{};
    reinterpret_cast<unsigned char*>(&value)[random.below(sizeof(T))] = static_cast<unsigned char>(random.below(3));
    for (std::uint64_t left = 1 + random.below(longest); left > 0 && values.size() < size; --left)
      values.push_back(value);
  }
  return values;
}

template <class Key, class Value>
void compare(const Variant& variant, Random& random, std::size_t size, std::uint64_t longest) {
  CAPTURE(variant.name);
  CAPTURE(size);
  CAPTURE(sizeof(Key));
  CAPTURE(sizeof(Value));
  const std::vector<Key> keys = random_runs<Key>(random, size, longest);
  const std::vector<Value> values = random_runs<Value>(random, size, 1);
  std::vector<Key> first_keys;
  std::vector<Value> first_values;
  for (std::size_t i = 0; i < size; ++i)
    if (i == 0 || !same_bytes(keys[i], keys[i - 1])) {
      first_keys.push_back(keys[i]);
      first_values.push_back(values[i]);
    }
  const Array<Key> device_keys(variant.device, keys);
  const Array<Value> device_values(variant.device, values);
  Array<Key> unique_keys(variant.device, size);
  Array<Value> unique_values(variant.device, size);
  const genocl::Call call{.tuning = variant.tuning};
  REQUIRE(primitives::unique_by_key(variant.device, device_keys, device_values, unique_keys, unique_values, call) ==
          first_keys.size());
  const std::vector<Key> found_keys = unique_keys.download();
  const std::vector<Value> found_values = unique_values.download();
  CHECK(std::equal(first_keys.begin(), first_keys.end(), found_keys.begin(), same_bytes<Key>));
  CHECK(std::equal(first_values.begin(), first_values.end(), found_values.begin(), same_bytes<Value>));

  Array<Key> alone(variant.device, size);
  Array<std::uint64_t> count(variant.device, 1);
  primitives::unique(variant.device, device_keys, alone, count, call);
  CHECK(count.download().front() == first_keys.size());
  const std::vector<Key> found_alone = alone.download();
  CHECK(std::equal(first_keys.begin(), first_keys.end(), found_alone.begin(), same_bytes<Key>));
}

TEST_CASE("tiny: unique by key") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 61);
  for (const Variant& variant : main_variants()) compare<std::uint32_t, std::uint32_t>(variant, random, 1500, 4);
}

TEST_CASE("unique by key around tiles, with runs of any length") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 62);
  for (const Variant& variant : all_variants())
    for (const std::size_t size : sizes_around_tiles(70'000))
      compare<std::uint32_t, std::uint32_t>(variant, random, size, 1 + random.below(3 * size + 1));
}

TEST_CASE("unique by key of elements of every size") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 63);
  using Wide = std::array<std::uint32_t, 4>;
  for (const Variant& variant : main_variants()) {
    compare<std::uint8_t, Wide>(variant, random, 9001, 3);
    compare<std::uint16_t, std::uint8_t>(variant, random, 9001, 3);
    compare<std::uint64_t, std::uint16_t>(variant, random, 9001, 3);
    compare<Wide, std::uint64_t>(variant, random, 9001, 3);
  }
}

TEST_CASE("unique compares bytes: 0 and -0 differ, a NaN equals itself") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Variant& variant : main_variants()) {
    const Array<float> values(variant.device, std::vector<float>{0.0f, -0.0f, nan, nan, 1.0f});
    Array<float> results(variant.device, 5);
    CHECK(primitives::unique(variant.device, values, results) == 4);
  }
}

TEST_CASE("unique in parts of buffers, into shorter results, with the caller's scratch memory and events") {
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    const std::vector<std::uint32_t> host{9, 5, 5, 5, 7, 7, 5, 9};
    Array<std::uint32_t> memory(variant.device, host);
    Array<std::uint32_t> results(variant.device, 6);
    results.fill(77);
    const auto part = memory.span().subspan(1, 6);  // 5 5 5 7 7 5, not aligned
    const std::uint64_t bytes = primitives::unique_scratch_bytes(variant.device, 6, variant.tuning);
    Array<std::byte> scratch(variant.device, bytes);
    genocl::Event done;
    Array<std::uint64_t> count(variant.device, 1);
    primitives::unique(variant.device, part, results.span().subspan(2, 2), count,
                       {.event = &done, .scratch = scratch.span(), .tuning = variant.tuning});
    done.wait();
    CHECK(count.download().front() == 3);
    CHECK(results.download() == std::vector<std::uint32_t>{77, 77, 5, 7, 77, 77});
    CHECK(memory.download() == host);
    Array<std::byte> little(variant.device, 1);
    CHECK_THROWS_AS(primitives::unique(variant.device, part, results, count, {.scratch = little.span()}),
                    genocl::CapacityError);
  }
}

TEST_CASE("unique refuses operands that overlap or differ in length") {
  const genocl::Device device = device_under_test();
  Array<std::uint32_t> keys(device, 10), values(device, 9), results(device, 10), other(device, 10);
  Array<std::uint64_t> count(device, 1), none(device, 0);
  CHECK_THROWS_AS(primitives::unique_by_key(device, keys, values, results, other), genocl::InputError);
  CHECK_THROWS_AS(primitives::unique(device, keys, keys), genocl::InputError);
  CHECK_THROWS_AS(primitives::unique(device, keys, results, none), genocl::InputError);
  CHECK_THROWS_AS(primitives::unique_by_key(device, keys, other, results, results), genocl::InputError);
  CHECK(primitives::unique(device, Array<std::uint32_t>(device, 0), results) == 0);
}

}  // namespace
