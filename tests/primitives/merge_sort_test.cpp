#include "genocl/primitives/merge_sort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "drawn_variants.hpp"
#include "genocl/error.hpp"
#include "primitives/variants.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;
using primitives::Comparison;

/// By the remainder modulo 1000, descending: many equal keys that differ in their bits.
template <class T>
bool before(T a, T b) {
  return static_cast<std::uint32_t>(a) % 1000 > static_cast<std::uint32_t>(b) % 1000;
}

template <class K, class V>
void compare(const Variant& variant, Random& random, std::size_t size) {
  CAPTURE(variant.name);
  CAPTURE(size);
  CAPTURE(sizeof(K));
  CAPTURE(sizeof(V));
  const genocl::Call call{.tuning = variant.tuning};
  const std::vector<K> host = random.values_below<K>(size, 100'000);
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return before(host[a], host[b]); });
  std::vector<K> expected(size);
  std::vector<V> host_values(size), expected_values(size);
  for (std::size_t i = 0; i < size; ++i) {
    std::array<std::uint8_t, sizeof(V)> bytes{};
    for (std::size_t k = 0; k < std::min<std::size_t>(sizeof(V), 4); ++k)
      bytes[k] = static_cast<std::uint8_t>(i >> 8 * k);
    host_values[i] = std::bit_cast<V>(bytes);
  }
  for (std::size_t i = 0; i < size; ++i) {
    expected[i] = host[order[i]];
    expected_values[i] = host_values[order[i]];
  }
  const Comparison comparison("(uint)a % 1000 > (uint)b % 1000");
  Array<K> keys(variant.device, host);
  Array<V> values(variant.device, host_values);
  primitives::merge_sort(variant.device, keys, values, comparison, call);
  CHECK(keys.download() == expected);
  CHECK(values.download() == expected_values);
}

TEST_CASE("tiny: merge_sort of keys, and of pairs") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 141);
  for (const Variant& variant : main_variants()) {
    compare<std::uint32_t, std::uint16_t>(variant, random, 3000);
    const std::vector<std::uint32_t> host = random.values<std::uint32_t>(5001);
    std::vector<std::uint32_t> expected = host;
    std::stable_sort(expected.begin(), expected.end(),
                     [](std::uint32_t a, std::uint32_t b) { return std::popcount(a) < std::popcount(b); });
    Array<std::uint32_t> keys(variant.device, host);
    primitives::merge_sort(variant.device, keys, Comparison("popcount(a) < popcount(b)"));
    CHECK(keys.download() == expected);
  }
}

TEST_CASE("merge_sort: sizes and types") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 142);
  using Check = void (*)(const Variant&, Random&);
  using Wide = std::array<std::uint32_t, 4>;
  const std::vector<Check> checks{
      [](const Variant& v, Random& r) {
        for (const std::size_t size : {0u, 1u, 2u, 17u, 4096u, 4097u, 8193u, 50'001u})
          compare<std::uint32_t, std::uint32_t>(v, r, size);
      },
      [](const Variant& v, Random& r) { compare<double, std::uint8_t>(v, r, 20'001); },
      [](const Variant& v, Random& r) { compare<std::uint64_t, Wide>(v, r, 20'001); },
      [](const Variant& v, Random& r) { compare<std::int32_t, std::uint64_t>(v, r, 30'001); },
      [](const Variant& v, Random& r) { compare<std::int32_t, std::array<std::uint8_t, 3>>(v, r, 30'001); },
      [](const Variant& v, Random& r) { compare<std::uint16_t, std::array<std::uint32_t, 3>>(v, r, 10'001); },
      [](const Variant& v, Random& r) { compare<std::uint32_t, std::array<std::uint32_t, 5>>(v, r, 10'001); },
      [](const Variant& v, Random& r) { compare<float, std::array<std::uint64_t, 5>>(v, r, 10'001); }};
  const std::vector<Variant> variants = all_variants();
  for (const Check check : random.some_of(checks)) check(variants[random.below(variants.size())], random);
}

TEST_CASE("merge_sort: parts of buffers, scratch memory, a comparison that is no order, errors") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 143);
  for (const DeviceVariant& variant : drawn(device_variants())) {
    const genocl::Device& device = variant.device;
    Array<std::uint32_t> keys(device, std::vector<std::uint32_t>{9, 8, 3, 5, 1});
    Array<std::byte> scratch(device, primitives::merge_sort_scratch_bytes(device, 3, 4, 0)), little(device, 1);
    primitives::merge_sort(device, keys.subspan(1, 3), Comparison::less(), {.scratch = scratch.span()});
    CHECK(keys.download() == std::vector<std::uint32_t>{9, 3, 5, 8, 1});
    CHECK_THROWS_AS(primitives::merge_sort(device, keys, Comparison::less(), {.scratch = little.span()}),
                    genocl::CapacityError);
    Array<std::uint32_t> values(device, 4);
    CHECK_THROWS_AS(primitives::merge_sort(device, keys, values, Comparison::less()), genocl::InputError);
    CHECK_THROWS_AS(primitives::merge_sort(device, keys, Comparison("")), genocl::InputError);

    Array<std::uint32_t> many(device, random.values<std::uint32_t>(20'128));
    const std::vector<std::uint32_t> host = many.download();
    primitives::merge_sort(device, many.subspan(64, 20'000), Comparison("(a ^ b) % 3 == 1"));
    const std::vector<std::uint32_t> found = many.download();
    CHECK(std::equal(host.begin(), host.begin() + 64, found.begin()));
    CHECK(std::equal(host.end() - 64, host.end(), found.end() - 64));
  }
}

TEST_CASE("merge_sort by <=: in order, and no pair is lost") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 144);
  for (const DeviceVariant& variant : drawn(device_variants())) {
    for (const std::size_t size : {2u, 5u, 1791u, 10'003u}) {
      CAPTURE(variant.name);
      CAPTURE(size);
      std::vector<std::uint32_t> host(size, 5), places(size);
      for (std::uint32_t& key : host) key -= static_cast<std::uint32_t>(random.below(3));
      std::iota(places.begin(), places.end(), 0u);
      Array<std::uint32_t> keys(variant.device, host), values(variant.device, places);
      primitives::merge_sort(variant.device, keys, values, Comparison("a <= b"));
      const std::vector<std::uint32_t> found = keys.download();
      std::vector<std::uint32_t> moved = values.download();
      for (std::size_t i = 0; i < size; ++i) {
        REQUIRE(moved[i] < size);
        REQUIRE(host[moved[i]] == found[i]);
      }
      CHECK(std::is_sorted(found.begin(), found.end()));
      std::sort(moved.begin(), moved.end());
      CHECK(moved == places);
    }
  }
}

}  // namespace
