#include "genocl/primitives/gather.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "genocl/error.hpp"
#include "primitives/variants.hpp"
#include "reference/primitives/gather.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;

template <class T>
std::vector<T> random_elements(Random& random, std::size_t size) {
  std::vector<T> elements(size);
  for (T& element : elements)
    for (std::size_t byte = 0; byte < sizeof(T); byte++)
      reinterpret_cast<unsigned char*>(&element)[byte] = random.value<unsigned char>();
  return elements;
}

/// Distinct, in random order; every tenth is out of range, some of them just so and some far out.
template <class Index>
std::vector<Index> random_indices(Random& random, std::size_t size, std::size_t range) {
  std::vector<Index> indices(std::max(size, range));
  std::iota(indices.begin(), indices.end(), Index{0});
  for (std::size_t i = indices.size(); i > 1; i--) std::swap(indices[i - 1], indices[random.below(i)]);
  indices.resize(size);
  for (std::size_t i = 0; i < size; i += 10)
    indices[i] = i % 20 == 0 ? static_cast<Index>(range) : static_cast<Index>(~i);
  return indices;
}

template <class T, class Index>
void compare(const Variant& variant, Random& random, std::size_t size, std::size_t range) {
  CAPTURE(variant.name);
  CAPTURE(size);
  CAPTURE(range);
  CAPTURE(sizeof(T));
  CAPTURE(sizeof(Index));
  const genocl::Device& device = variant.device;
  const std::vector<Index> host_indices = random_indices<Index>(random, size, range);
  const Array<Index> indices(device, host_indices);
  const std::vector<T> wide = random_elements<T>(random, range), narrow = random_elements<T>(random, size);

  const Array<T> from(device, wide);
  Array<T> to(device, narrow);
  primitives::gather(device, from, indices, to, {.tuning = variant.tuning});
  CHECK((to.download() == genocl_reference::gather(wide, host_indices)));

  std::vector<T> expected = wide;
  genocl_reference::scatter(narrow, host_indices, expected);
  const Array<T> elements(device, narrow);
  Array<T> target(device, wide);
  primitives::scatter(device, elements, indices, target, {.tuning = variant.tuning});
  CHECK((target.download() == expected));
}

TEST_CASE("tiny: gather, scatter and iota") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 41);
  for (const Variant& variant : main_variants()) {
    compare<std::uint32_t, std::uint32_t>(variant, random, 1500, 2000);
    compare<std::array<std::uint32_t, 4>, std::uint64_t>(variant, random, 1500, 900);
    compare<std::array<std::uint32_t, 3>, std::uint32_t>(variant, random, 300, 400);
    Array<std::uint64_t> values(variant.device, 1500);
    primitives::iota(variant.device, values, std::uint64_t{5});
    const auto host = values.download();
    for (std::size_t i = 0; i < host.size(); i++) REQUIRE(host[i] == i + 5);
  }
}

TEST_CASE("gather and scatter of elements of every size") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 42);
  for (const Variant& variant : main_variants()) {
    compare<std::uint8_t, std::uint32_t>(variant, random, 10'000, 7'000);
    compare<std::uint16_t, std::uint64_t>(variant, random, 10'000, 12'000);
    compare<std::uint64_t, std::uint32_t>(variant, random, 10'000, 10'000);
    compare<std::array<std::uint8_t, 3>, std::uint32_t>(variant, random, 9'000, 10'001);
    compare<std::array<std::uint16_t, 3>, std::uint64_t>(variant, random, 5'000, 4'001);
    compare<std::array<std::uint32_t, 3>, std::uint32_t>(variant, random, 5'000, 6'001);
    compare<std::array<std::uint32_t, 5>, std::uint32_t>(variant, random, 5'000, 6'001);
    compare<std::array<std::uint64_t, 3>, std::uint64_t>(variant, random, 5'000, 6'001);
    compare<std::array<std::uint64_t, 5>, std::uint32_t>(variant, random, 5'000, 6'001);
    compare<std::array<std::uint64_t, 6>, std::uint32_t>(variant, random, 3'000, 3'001);
    compare<std::array<std::uint8_t, 99>, std::uint32_t>(variant, random, 1'000, 901);
  }
}

TEST_CASE("gather and scatter around tiles") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 43);
  for (const Variant& variant : all_variants()) {
    for (const std::size_t size : sizes_around_tiles(70'000))
      compare<std::uint32_t, std::uint32_t>(variant, random, size, size);
    compare<std::uint32_t, std::uint32_t>(variant, random, 5000, 0);  // nothing to read or write
  }
}

TEST_CASE("gather and scatter of some million elements") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 44);
  for (const Variant& variant : main_variants())
    compare<std::uint32_t, std::uint32_t>(variant, random, 1'000'003, 2'000'000);
}

TEST_CASE("iota wraps round") {
  for (const Variant& variant : all_variants()) {
    CAPTURE(variant.name);
    Array<std::uint32_t> values(variant.device, 100'001), none(variant.device, 0);
    primitives::iota(variant.device, values, 0xffffff00u, {.tuning = variant.tuning});
    const auto host = values.download();
    bool same = true;
    for (std::size_t i = 0; i < host.size(); i++) same = same && host[i] == static_cast<std::uint32_t>(0xffffff00u + i);
    CHECK(same);
    primitives::iota(variant.device, none, 1u, {.tuning = variant.tuning});
  }
}

TEST_CASE("gather and scatter refuse what does not fit together") {
  for (const Variant& variant : main_variants()) {
    const genocl::Device& device = variant.device;
    Array<std::uint32_t> ten(device, 10), nine(device, 9), target(device, 10);
    const Array<std::uint32_t> indices(device, 10);
    CHECK_THROWS_AS(primitives::gather(device, ten, indices, nine), genocl::InputError);
    CHECK_THROWS_AS(primitives::scatter(device, nine, indices, ten), genocl::InputError);
    CHECK_THROWS_AS(primitives::gather(device, ten, indices, ten), genocl::InputError);
    CHECK_THROWS_AS(primitives::scatter(device, ten, indices, ten), genocl::InputError);
  }
}

}  // namespace
