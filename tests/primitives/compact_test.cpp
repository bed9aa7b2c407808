#include "genocl/primitives/compact.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "genocl/error.hpp"
#include "primitives/variants.hpp"
#include "reference/primitives/compact.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;

/// `set_in`: one flag in so many is set; 0: none.
template <class Flag>
std::vector<Flag> random_flags(Random& random, std::size_t size, std::uint64_t set_in) {
  std::vector<Flag> flags(size, 0);
  for (Flag& flag : flags)
    if (set_in != 0 && random.below(set_in) == 0) flag = static_cast<Flag>(1 + random.below(255));
  return flags;
}

template <class T, class Flag>
void compare_select(const Variant& variant, Random& random, const std::vector<Flag>& flags) {
  CAPTURE(variant.name);
  CAPTURE(flags.size());
  CAPTURE(sizeof(T));
  std::vector<T> host(flags.size());
  for (T& value : host)
    for (std::size_t byte = 0; byte < sizeof(T); byte++)
      reinterpret_cast<unsigned char*>(&value)[byte] = random.value<unsigned char>();
  std::vector<T> expected;
  for (const std::uint64_t i : genocl_reference::set_indices(std::span(flags))) expected.push_back(host[i]);

  const Array<T> values(variant.device, std::span<const T>(host));
  const Array<Flag> device_flags(variant.device, flags);
  Array<T> selected(variant.device, flags.size());
  const std::uint64_t count =
      primitives::select(variant.device, values, device_flags, selected, {.tuning = variant.tuning});
  REQUIRE(count == expected.size());
  std::vector<T> result(expected.size());
  selected.download(result);
  CHECK((result == expected));
}

template <class Index, class Flag>
void compare_indices(const Variant& variant, const std::vector<Flag>& flags) {
  CAPTURE(variant.name);
  CAPTURE(flags.size());
  const std::vector<std::uint64_t> expected = genocl_reference::set_indices(std::span(flags));
  const Array<Flag> device_flags(variant.device, flags);
  Array<Index> indices(variant.device, flags.size());
  REQUIRE(primitives::select_indices(variant.device, device_flags, indices, {.tuning = variant.tuning}) ==
          expected.size());
  std::vector<Index> result(expected.size());
  indices.download(result);
  CHECK(std::equal(result.begin(), result.end(), expected.begin(), expected.end()));
}

TEST_CASE("tiny: compaction") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 21);
  // Up to 2,048 elements are one launch.
  for (const Variant& variant : main_variants())
    for (const std::size_t size : {1500, 2500}) {
      compare_select<std::uint32_t>(variant, random, random_flags<std::uint8_t>(random, size, 3));
      compare_indices<std::uint64_t>(variant, random_flags<std::uint32_t>(random, size, 3));
    }
}

TEST_CASE("compaction around tiles") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 22);
  for (const Variant& variant : all_variants())
    for (const std::size_t size : sizes_around_tiles(70'000)) {
      compare_select<std::uint32_t>(variant, random, random_flags<std::uint8_t>(random, size, 2));
      compare_indices<std::uint32_t>(variant, random_flags<std::uint8_t>(random, size, 50));
    }
}

TEST_CASE("compaction of elements of every size") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 23);
  for (const Variant& variant : main_variants()) {
    const auto flags = random_flags<std::uint32_t>(random, 9001, 2);
    compare_select<std::uint8_t>(variant, random, flags);
    compare_select<std::uint16_t>(variant, random, flags);
    compare_select<std::uint64_t>(variant, random, flags);
    compare_select<std::array<std::uint32_t, 4>>(variant, random, flags);
  }
}

TEST_CASE("compaction of some million elements: none, few, half, all") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 24);
  for (const std::uint64_t set_in : {0u, 1u, 2u, 1000u}) {
    const auto flags = random_flags<std::uint8_t>(random, 2'000'003, set_in);
    for (const Variant& variant : main_variants()) {
      compare_select<std::uint32_t>(variant, random, flags);
      compare_indices<std::uint32_t>(variant, flags);
    }
  }
}

TEST_CASE("compaction into a shorter array counts what it drops") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 25);
  const auto flags = random_flags<std::uint8_t>(random, 50'000, 2);
  const std::vector<std::uint64_t> expected = genocl_reference::set_indices(std::span(flags));
  for (const Variant& variant : all_variants())
    for (const std::size_t room : {std::size_t{0}, std::size_t{1}, std::size_t{1001}, expected.size() - 1}) {
      CAPTURE(variant.name);
      CAPTURE(room);
      const Array<std::uint8_t> device_flags(variant.device, flags);
      Array<std::uint32_t> whole(variant.device, flags.size());
      whole.fill(7);
      CHECK(primitives::select_indices(variant.device, device_flags, whole.first(room), {.tuning = variant.tuning}) ==
            expected.size());
      const std::vector<std::uint32_t> result = whole.download();
      const auto middle = result.begin() + static_cast<std::ptrdiff_t>(room);
      CHECK(std::equal(result.begin(), middle, expected.begin()));
      CHECK(std::all_of(middle, result.end(), [](std::uint32_t index) { return index == 7; }));
    }
}

TEST_CASE("compaction leaves the count on the device") {
  for (const Variant& variant : main_variants()) {
    const genocl::Device& device = variant.device;
    const Array<std::uint8_t> flags(device, std::vector<std::uint8_t>{0, 1, 0, 255, 1}), none(device, 0);
    const Array<float> values(device, std::vector<float>{1, 2, 3, 4, 5}), no_values(device, 0);
    Array<float> selected(device, 5), nothing(device, 0);
    Array<std::uint64_t> count(device, 2), no_count(device, 0);
    count.fill(99);
    primitives::select(device, values, flags, selected, count);
    CHECK(count.download() == std::vector<std::uint64_t>{3, 99});
    std::vector<float> result(3);
    selected.download(result);
    CHECK(result == std::vector<float>{2, 4, 5});
    primitives::select(device, no_values, none, nothing, count);
    CHECK(count.download() == std::vector<std::uint64_t>{0, 99});
    CHECK_THROWS_AS(primitives::select(device, values, flags, selected, no_count), genocl::InputError);
  }
}

TEST_CASE("compaction refuses what does not fit together") {
  for (const Variant& variant : main_variants()) {
    const genocl::Device& device = variant.device;
    const Array<std::uint8_t> flags(device, 9);
    Array<std::uint32_t> values(device, 10), selected(device, 10);
    CHECK_THROWS_AS(primitives::select(device, values, flags, selected), genocl::InputError);
    const Array<std::uint8_t> ten(device, 10);
    CHECK_THROWS_AS(primitives::select(device, values, ten, values), genocl::InputError);
  }
}

}  // namespace
