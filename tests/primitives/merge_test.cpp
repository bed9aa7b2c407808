// Merges and set operations of sorted ranges next to std::.
#include "genocl/primitives/merge.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <iterator>
#include <limits>

#include "drawn_variants.hpp"
#include "genocl/error.hpp"
#include "genocl/primitives/merge_sort.hpp"
#include "genocl/primitives/set_operations.hpp"
#include "primitives/variants.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;
using primitives::Comparison;

template <class T>
std::vector<T> sorted_values(Random& random, std::size_t size, std::uint64_t bound) {
  std::vector<T> values = random.values_below<T>(size, bound);
  std::sort(values.begin(), values.end());
  return values;
}

/// Values that identify range and position.
template <class V>
std::vector<V> numbered(std::size_t size, std::uint32_t first) {
  std::vector<V> values(size);
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint32_t number = first + static_cast<std::uint32_t>(i) * 2;
    if constexpr (std::is_arithmetic_v<V>)
      values[i] = static_cast<V>(number);
    else
      values[i] = {number, ~number, 1, number};
  }
  return values;
}

template <class K, class V>
void compare(const Variant& variant, Random& random, std::size_t first_size, std::size_t second_size,
             std::uint64_t bound) {
  CAPTURE(variant.name);
  CAPTURE(first_size);
  CAPTURE(second_size);
  CAPTURE(bound);
  CAPTURE(sizeof(K));
  const genocl::Call call{.tuning = variant.tuning};
  const auto first = sorted_values<K>(random, first_size, bound), second = sorted_values<K>(random, second_size, bound);
  const auto first_values = numbered<V>(first_size, 0), second_values = numbered<V>(second_size, 1);
  std::vector<K> expected;
  std::vector<V> expected_values;
  for (std::size_t i = 0, j = 0; i < first_size || j < second_size;) {
    const bool from_second = i == first_size || (j < second_size && second[j] < first[i]);
    expected.push_back(from_second ? second[j] : first[i]);
    expected_values.push_back(from_second ? second_values[j] : first_values[i]);
    ++(from_second ? j : i);
  }
  const Array<K> a(variant.device, first), b(variant.device, second);
  Array<K> keys(variant.device, expected.size());
  Array<V> values(variant.device, expected.size());
  primitives::merge(variant.device, a, Array<V>(variant.device, first_values), b,
                    Array<V>(variant.device, second_values), keys, values, Comparison::less(), call);
  CHECK(keys.download() == expected);
  CHECK(values.download() == expected_values);
}

TEST_CASE("tiny: merge of keys, and of pairs") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 131);
  for (const Variant& variant : main_variants()) {
    compare<std::uint32_t, std::uint32_t>(variant, random, 700, 1300, 60);
    const Array<std::int32_t> a(variant.device, std::vector<std::int32_t>{9, 4, -2}),
        b(variant.device, std::vector<std::int32_t>{5, 4, 4, -7});
    Array<std::int32_t> results(variant.device, 7);
    primitives::merge(variant.device, a, b, results, Comparison::greater());
    CHECK(results.download() == std::vector<std::int32_t>{9, 5, 4, 4, 4, -2, -7});
  }
}

TEST_CASE("merge: sizes and types") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 132);
  using Check = void (*)(const Variant&, Random&);
  using Wide = std::array<std::uint32_t, 4>;
  const std::vector<Check> checks{
      [](const Variant& v, Random& r) {
        for (const std::size_t size : {0u, 1u, 1792u, 30'001u})
          for (const std::size_t other : {0u, 1u, 25'000u})
            compare<std::uint32_t, std::uint32_t>(v, r, size, other, 1 + r.below(50'000));
      },
      [](const Variant& v, Random& r) { compare<std::uint8_t, Wide>(v, r, 9001, 9000, 9); },
      [](const Variant& v, Random& r) {
        compare<std::int64_t, std::uint16_t>(v, r, 20'000, 5, 1000);
        compare<std::int64_t, std::uint16_t>(v, r, 5, 20'000, 1);
      },
      [](const Variant& v, Random& r) { compare<double, std::uint64_t>(v, r, 7001, 12'000, 1000); }};
  const std::vector<Variant> variants = all_variants();
  for (const Check check : random.some_of(checks)) check(variants[random.below(variants.size())], random);
}

TEST_CASE("merge, set_intersection and merge_sort of more tiles than groups that search their starts") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 133);
  constexpr std::size_t size = 6'300'001;  // 2,140 tiles of 5,888
  const std::vector<std::uint32_t> first = sorted_values<std::uint32_t>(random, size, size),
                                   second = sorted_values<std::uint32_t>(random, size, size);
  std::vector<std::uint32_t> merged(2 * size), both;
  std::merge(first.begin(), first.end(), second.begin(), second.end(), merged.begin());
  std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(both));
  for (const Variant& variant : main_variants()) {
    if (variant.device.family() == genocl::KernelFamily::cpu) continue;
    CAPTURE(variant.name);
    const Array<std::uint32_t> a(variant.device, first), b(variant.device, second);
    Array<std::uint32_t> results(variant.device, 2 * size);
    primitives::merge(variant.device, a, b, results);
    CHECK(results.download() == merged);
    const std::uint64_t found = primitives::set_intersection(variant.device, a, b, results);
    std::vector<std::uint32_t> intersection = results.download();
    REQUIRE(found == both.size());
    intersection.resize(both.size());
    CHECK(intersection == both);
    Array<std::uint32_t> falling(variant.device, std::vector<std::uint32_t>(merged.rbegin(), merged.rend()));
    primitives::merge_sort(variant.device, falling, Comparison::less());
    CHECK(falling.download() == merged);
  }
}

TEST_CASE("merge: floats in total order, a caller's comparison, parts of buffers, scratch memory, errors") {
  for (const DeviceVariant& variant : drawn(device_variants())) {
    const genocl::Device& device = variant.device;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Array<float> a(device, std::vector<float>{9, -1, -0.0f, 3, nan}), b(device, std::vector<float>{-5, 0, 4});
    Array<float> results(device, 8);
    primitives::merge(device, a.subspan(1, 4), b, results.subspan(1, 7));
    const std::vector<float> found = results.download();
    CHECK(std::vector<float>(found.begin() + 1, found.end() - 1) == std::vector<float>{-5, -1, -0.0f, 0, 3, 4});
    CHECK(std::bit_cast<std::uint32_t>(found[3]) == 0x80000000u);
    CHECK(found[7] != found[7]);

    const Array<std::uint32_t> c(device, std::vector<std::uint32_t>{30, 21, 12}),
        d(device, std::vector<std::uint32_t>{40, 51, 3});
    Array<std::uint32_t> all(device, 6), few(device, 5);
    const Comparison digit("a % 10 < b % 10");
    Array<std::byte> scratch(device, std::max<std::uint64_t>(primitives::merge_scratch_bytes(device, 6), 1));
    primitives::merge(device, c, d, all, digit, {.scratch = scratch.span()});
    CHECK(all.download() == std::vector<std::uint32_t>{30, 40, 21, 51, 12, 3});
    CHECK_THROWS_AS(primitives::merge(device, c, d, few), genocl::InputError);
    CHECK_THROWS_AS(primitives::merge(device, c, c, d, d, all, few), genocl::InputError);
    CHECK_THROWS_AS(primitives::merge(device, all.first(3), d, all), genocl::InputError);
    CHECK_THROWS_AS(primitives::merge(device, c, d, all, Comparison(" ")), genocl::InputError);
    try {
      primitives::merge(device, c, d, all, Comparison("a <"));
      CHECK(false);
    } catch (const genocl::BuildError& error) {
      CHECK(error.file() == "comparison");
    }
  }
}

TEST_CASE("merge of ranges that are not sorted writes nothing outside the results") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 133);
  for (const DeviceVariant& variant : drawn(device_variants())) {
    const genocl::Device& device = variant.device;
    const Array<std::uint32_t> a(device, random.values<std::uint32_t>(5000)),
        b(device, random.values<std::uint32_t>(4000));
    Array<std::uint32_t> results(device, 9128);
    results.fill(77);
    primitives::merge(device, a, b, results.subspan(64, 9000));
    const std::vector<std::uint32_t> found = results.download();
    CHECK(std::count(found.begin(), found.begin() + 64, 77u) == 64);
    CHECK(std::count(found.end() - 64, found.end(), 77u) == 64);
  }
}

// ---- Set operations

template <class T>
void compare_sets(const Variant& variant, Random& random, std::size_t first_size, std::size_t second_size,
                  std::uint64_t bound, unsigned operation) {
  CAPTURE(variant.name);
  CAPTURE(first_size);
  CAPTURE(second_size);
  CAPTURE(bound);
  CAPTURE(operation);
  const genocl::Call call{.tuning = variant.tuning};
  const auto first = sorted_values<T>(random, first_size, bound), second = sorted_values<T>(random, second_size, bound);
  std::vector<T> expected;
  const Array<T> a(variant.device, first), b(variant.device, second);
  Array<T> results(variant.device, first_size + second_size);
  std::uint64_t count = 0;
  const auto to = std::back_inserter(expected);
  switch (operation) {
    case 0:
      std::set_union(first.begin(), first.end(), second.begin(), second.end(), to);
      count = primitives::set_union(variant.device, a, b, results, Comparison::less(), call);
      break;
    case 1:
      std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), to);
      count = primitives::set_intersection(variant.device, a, b, results, Comparison::less(), call);
      break;
    case 2:
      std::set_difference(first.begin(), first.end(), second.begin(), second.end(), to);
      count = primitives::set_difference(variant.device, a, b, results, Comparison::less(), call);
      break;
    default:
      std::set_symmetric_difference(first.begin(), first.end(), second.begin(), second.end(), to);
      count = primitives::set_symmetric_difference(variant.device, a, b, results, Comparison::less(), call);
  }
  REQUIRE(count == expected.size());
  std::vector<T> found = results.download();
  found.resize(expected.size());
  CHECK(found == expected);
}

TEST_CASE("tiny: set operations") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 134);
  const std::vector<Variant> variants = main_variants();
  for (unsigned operation = 0; operation < 4; ++operation)
    for (const Variant& variant : variants) {
      compare_sets<std::uint32_t>(variant, random, 900, 1100, 500, operation);
      compare_sets<std::uint32_t>(variant, random, 900, 1100, 3, operation);
    }
}

TEST_CASE("set operations: sizes, types, and duplicates") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 135);
  const std::vector<Variant> variants = all_variants();
  for (const unsigned operation : random.some_of(std::vector<unsigned>{0, 1, 2, 3})) {
    const Variant& variant = variants[random.below(variants.size())];
    for (const std::size_t first : {0u, 1u, 20'001u})
      for (const std::size_t second : {0u, 1u, 17'000u})
        for (const std::uint64_t bound : {1u, 40u, 30'000u})
          compare_sets<std::uint32_t>(variant, random, first, second, bound, operation);
    compare_sets<double>(variant, random, 5000, 9000, 3000, operation);
  }
}

TEST_CASE("set operations: a count on the device, short results, a caller's comparison, scratch memory, errors") {
  for (const DeviceVariant& variant : drawn(device_variants())) {
    const genocl::Device& device = variant.device;
    const Array<std::uint32_t> a(device, std::vector<std::uint32_t>{10, 20, 21, 33}),
        b(device, std::vector<std::uint32_t>{22, 39, 50});
    Array<std::uint32_t> results(device, 2);
    Array<std::uint64_t> count(device, 1), none(device, 0);
    Array<std::byte> scratch(device, primitives::set_operation_scratch_bytes(device, 7, 4)), little(device, 1);
    const Comparison tens("a / 10 < b / 10");
    primitives::set_union(device, a, b, results, count, tens, {.scratch = scratch.span()});
    CHECK(count.download().front() == 5);
    CHECK(results.download() == std::vector<std::uint32_t>{10, 20});
    primitives::set_intersection(device, a, b, results, count, tens);
    CHECK(results.download() == std::vector<std::uint32_t>{20, 33});
    const Array<std::uint32_t> nothing(device, 0);
    const genocl::LaunchTuning tuning{.group_size = 128};
    Array<std::byte> least(device, primitives::set_operation_scratch_bytes(device, 0, 4, tuning));
    primitives::set_union(device, nothing, nothing, results, count, tens, {.scratch = least.span(), .tuning = tuning});
    CHECK(count.download().front() == 0);
    CHECK_THROWS_AS(primitives::set_union(device, a, b, results, none), genocl::InputError);
    CHECK_THROWS_AS(primitives::set_union(device, results, b, results), genocl::InputError);
    CHECK_THROWS_AS(primitives::set_union(device, a, b, results, count, tens, {.scratch = little.span()}),
                    genocl::CapacityError);
  }
}

}  // namespace
