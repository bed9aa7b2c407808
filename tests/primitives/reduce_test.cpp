#include "genocl/primitives/reduce.hpp"

#include <bit>
#include <cmath>

#include "genocl/error.hpp"
#include "primitives/variants.hpp"
#include "reference/primitives/reduce.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;

template <class T>
void compare_integers(const Variant& variant, const std::vector<T>& host) {
  CAPTURE(variant.name);
  CAPTURE(host.size());
  const std::span<const T> span(host);
  const genocl::Array<T> values(variant.device, span);
  CHECK(primitives::sum(variant.device, values, {.tuning = variant.tuning}) == genocl_reference::sum<T>(span));
  CHECK(primitives::minimum(variant.device, values, {.tuning = variant.tuning}) == genocl_reference::minimum(span));
  CHECK(primitives::maximum(variant.device, values, {.tuning = variant.tuning}) == genocl_reference::maximum(span));
}

TEST_CASE("tiny: reductions of every type") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 1);
  for (const Variant& variant : main_variants()) {
    compare_integers(variant, random.values<std::uint32_t>(1500));
    compare_integers(variant, random.values<std::int32_t>(1500));
    compare_integers(variant, random.values<std::uint64_t>(1500));
    compare_integers(variant, random.values<std::int64_t>(1500));
    const std::vector<float> floats = random.values<float>(1500);
    const genocl::Array<float> values(variant.device, floats);
    CHECK(primitives::sum(variant.device, values) == genocl_reference::ordered_sum(floats));
    CHECK(primitives::minimum(variant.device, values) == genocl_reference::minimum<float>(floats));
    CHECK(primitives::maximum(variant.device, values) == genocl_reference::maximum<float>(floats));
  }
}

TEST_CASE("reductions around tiles") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 2);
  for (const Variant& variant : main_variants())
    for (const std::size_t size : sizes_around_tiles(70'000))
      compare_integers(variant, random.values<std::uint32_t>(size));
  for (const Variant& variant : all_variants())
    for (const std::size_t size : sizes_around_tiles(70'000)) {
      CAPTURE(variant.name);
      CAPTURE(size);
      const std::vector<std::uint32_t> host = random.values<std::uint32_t>(size);
      const genocl::Array<std::uint32_t> values(variant.device, host);
      CHECK(primitives::wide_sum(variant.device, values, {.tuning = variant.tuning}) ==
            genocl_reference::sum<std::uint64_t>(std::span(host)));
    }
}

TEST_CASE("reductions of some million elements") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 3);
  const auto host = random.values<std::int64_t>(3'000'001);
  for (const Variant& variant : main_variants()) compare_integers(variant, host);
}

TEST_CASE("reductions of equal and extreme values") {
  for (const Variant& variant : main_variants()) {
    compare_integers(variant, std::vector<std::uint32_t>(20'000, 0xffffffffu));  // the sum wraps round
    compare_integers(variant, std::vector<std::int32_t>(20'000, std::numeric_limits<std::int32_t>::min()));
    compare_integers(variant, std::vector<std::int64_t>(20'000, std::numeric_limits<std::int64_t>::max()));
    compare_integers(variant, std::vector<std::uint64_t>(20'000, 0));
    const genocl::Array<std::uint32_t> values(variant.device, std::vector<std::uint32_t>(20'000, 0xffffffffu));
    CHECK(primitives::wide_sum(variant.device, values) == 20'000u * 0xffffffffull);
  }
}

TEST_CASE("float sums have the same bits in every variant") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 4);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{1025}, std::size_t{16'385}, std::size_t{1'000'003}}) {
    const std::vector<float> host = random.values<float>(size);
    const auto expected = std::bit_cast<std::uint32_t>(genocl_reference::ordered_sum(host));
    for (const Variant& variant : all_variants()) {
      CAPTURE(variant.name);
      CAPTURE(size);
      const genocl::Array<float> values(variant.device, host);
      CHECK(std::bit_cast<std::uint32_t>(primitives::sum(variant.device, values, {.tuning = variant.tuning})) ==
            expected);
    }
  }
}

TEST_CASE("NaNs and infinities in reductions") {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    const genocl::Device& device = variant.device;
    const genocl::Array<float> values(device, std::vector<float>{3, nan, -2, infinity, nan});
    CHECK(std::isnan(primitives::sum(device, values)));
    CHECK(primitives::minimum(device, values) == -2);
    CHECK(primitives::maximum(device, values) == infinity);
    const genocl::Array<float> none(device, 0);
    CHECK(primitives::sum(device, none) == 0);
    CHECK(primitives::minimum(device, none) == infinity);
    CHECK(primitives::maximum(device, none) == -infinity);
  }
}

TEST_CASE("reductions leave the result on the device") {
  for (const Variant& variant : main_variants()) {
    const genocl::Device& device = variant.device;
    const genocl::Array<std::uint32_t> values(device, std::vector<std::uint32_t>{5, 0xffffffffu, 7});
    genocl::Array<std::uint32_t> result(device, 2);
    result.fill(9);
    primitives::sum(device, values, result);
    CHECK(result.download() == std::vector<std::uint32_t>{11, 9});
    primitives::minimum(device, values, result);
    CHECK(result.download() == std::vector<std::uint32_t>{5, 9});
    primitives::maximum(device, values, result);
    CHECK(result.download() == std::vector<std::uint32_t>{0xffffffffu, 9});
    genocl::Array<std::uint64_t> wide(device, 1), empty(device, 0);
    primitives::wide_sum(device, values, wide);
    CHECK(wide.download()[0] == 0xffffffffull + 12);
    CHECK_THROWS_AS(primitives::wide_sum(device, values, empty), genocl::InputError);
  }
}

TEST_CASE("reductions of part of a caller's buffer") {
  for (const Variant& variant : main_variants()) {
    const genocl::Array<std::uint32_t> all(variant.device, std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6});
    const genocl::Span<const std::uint32_t> part = all.first(4);
    CHECK(primitives::sum(variant.device, part) == 10);
    CHECK(primitives::maximum(variant.device, part) == 4);
  }
}

}  // namespace
