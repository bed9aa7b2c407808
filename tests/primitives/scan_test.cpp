#include <algorithm>
#include <limits>

#include "genocl/opencl.hpp"
#include "genocl/primitives/scan.hpp"

#include "genocl/error.hpp"
#include "primitives/variants.hpp"
#include "reference/primitives/scan.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;

/// Both sums, into an array that held something else.
template <class In, class Out>
void compare_sums(const Variant& variant, const std::vector<In>& host) {
  CAPTURE(variant.name);
  CAPTURE(host.size());
  const std::span<const In> span(host);
  const std::vector<Out> with_total = genocl_reference::exclusive_scan_with_total<Out>(span);
  const Array<In> values(variant.device, span);
  Array<Out> results(variant.device, host.size()), offsets(variant.device, host.size() + 1);
  const Out poison = static_cast<Out>(0xdeadbeefu);
  results.fill(poison);
  offsets.fill(poison);

  primitives::exclusive_scan(variant.device, values, results, {.tuning = variant.tuning});
  const std::vector<Out> exclusive = results.download();
  CHECK(std::equal(exclusive.begin(), exclusive.end(), with_total.begin()));
  primitives::exclusive_scan(variant.device, values, offsets, {.tuning = variant.tuning});
  CHECK((offsets.download() == with_total));
  primitives::inclusive_scan(variant.device, values, results, {.tuning = variant.tuning});
  CHECK((results.download() == genocl_reference::inclusive_scan<Out>(span)));
}

template <class T>
void compare_maxima(const Variant& variant, const std::vector<T>& host) {
  CAPTURE(variant.name);
  CAPTURE(host.size());
  const Array<T> values(variant.device, std::span<const T>(host));
  Array<T> results(variant.device, host.size());
  results.fill(T{77});
  primitives::inclusive_max_scan(variant.device, values, results, {.tuning = variant.tuning});
  CHECK((results.download() == genocl_reference::inclusive_max_scan(std::span<const T>(host))));
}

TEST_CASE("tiny: scans of every type") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 11);
  for (const Variant& variant : main_variants()) {
    // A chunk or less is one launch.
    for (const std::size_t size : {1500, 10'000}) {
      compare_sums<std::uint32_t, std::uint32_t>(variant, random.values<std::uint32_t>(size));
      compare_sums<std::int32_t, std::int32_t>(variant, random.values<std::int32_t>(size));
      compare_sums<std::uint64_t, std::uint64_t>(variant, random.values<std::uint64_t>(size));
      compare_sums<std::uint32_t, std::uint64_t>(variant, random.values<std::uint32_t>(size));
      compare_maxima(variant, random.values<std::uint32_t>(size));
      compare_maxima(variant, random.values<std::int32_t>(size));
      compare_maxima(variant, random.values<std::uint64_t>(size));
    }
    // By lanes a whole share and another worker's few.
    if (variant.device.family() == genocl::KernelFamily::cpu)
      compare_sums<std::uint32_t, std::uint32_t>(variant, random.values<std::uint32_t>(8300));
  }
}

TEST_CASE("scans around tiles") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 12);
  for (const Variant& variant : all_variants())
    for (const std::size_t size : sizes_around_tiles(70'000))
      compare_sums<std::uint32_t, std::uint32_t>(variant, random.values<std::uint32_t>(size));
  for (const Variant& variant : main_variants()) {
    for (const std::size_t size : sizes_around_tiles(70'000))
      compare_sums<std::uint32_t, std::uint64_t>(variant, random.values<std::uint32_t>(size));
    compare_maxima(variant, random.values<std::int32_t>(70'001));
  }
}

TEST_CASE("scans of some million elements") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 13);
  const auto words = random.values<std::uint32_t>((std::size_t{1} << 22) + 3);
  const auto longs = random.values<std::uint64_t>(2'000'001);
  for (const Variant& variant : main_variants()) {
    compare_sums<std::uint32_t, std::uint32_t>(variant, words);
    compare_sums<std::uint32_t, std::uint64_t>(variant, words);
    compare_sums<std::uint64_t, std::uint64_t>(variant, longs);
  }
}

TEST_CASE("scans of equal and extreme values") {
  for (const Variant& variant : main_variants()) {
    compare_sums<std::uint32_t, std::uint32_t>(variant, std::vector<std::uint32_t>(50'000, 0xffffffffu));
    compare_sums<std::uint32_t, std::uint64_t>(variant, std::vector<std::uint32_t>(50'000, 0xffffffffu));
    compare_sums<std::int32_t, std::int32_t>(
        variant, std::vector<std::int32_t>(50'000, std::numeric_limits<std::int32_t>::min()));
    compare_sums<std::uint64_t, std::uint64_t>(variant, std::vector<std::uint64_t>(50'000, ~0ull));
    compare_maxima(variant, std::vector<std::int32_t>(50'000, std::numeric_limits<std::int32_t>::min()));
    compare_maxima(variant, std::vector<std::uint32_t>(50'000, 0));
    std::vector<std::uint32_t> falling(50'000);  // the first decides all
    for (std::size_t i = 0; i < falling.size(); i++) falling[i] = static_cast<std::uint32_t>(falling.size() - i);
    compare_maxima(variant, falling);
  }
}

TEST_CASE("scans in place") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 14);
  const auto host = random.values<std::uint32_t>(300'007);
  const std::span<const std::uint32_t> span(host);
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    Array<std::uint32_t> values(variant.device, span);
    primitives::inclusive_scan(variant.device, values, values, {.tuning = variant.tuning});
    CHECK((values.download() == genocl_reference::inclusive_scan<std::uint32_t>(span)));
    values.upload(span);
    primitives::exclusive_scan(variant.device, values, values, {.tuning = variant.tuning});
    std::vector<std::uint32_t> expected = genocl_reference::exclusive_scan_with_total<std::uint32_t>(span);
    expected.pop_back();
    CHECK((values.download() == expected));
    values.upload(span);
    primitives::inclusive_max_scan(variant.device, values, values, {.tuning = variant.tuning});
    CHECK((values.download() == genocl_reference::inclusive_max_scan(span)));
  }
}

TEST_CASE("a scan writes only its results") {
  for (const Variant& variant : all_variants()) {
    CAPTURE(variant.name);
    const Array<std::uint32_t> values(variant.device, std::vector<std::uint32_t>(5001, 2));
    Array<std::uint32_t> whole(variant.device, 6000);
    whole.fill(9);
    primitives::exclusive_scan(variant.device, values, whole.first(5002), {.tuning = variant.tuning});
    const std::vector<std::uint32_t> host = whole.download();
    CHECK(host[5001] == 10'002);
    CHECK(std::all_of(host.begin() + 5002, host.end(), [](std::uint32_t value) { return value == 9; }));
  }
}

TEST_CASE("scans refuse sizes that do not match") {
  for (const Variant& variant : main_variants()) {
    const genocl::Device& device = variant.device;
    const Array<std::uint32_t> values(device, 10);
    Array<std::uint32_t> fewer(device, 9), one_more(device, 11), two_more(device, 12);
    CHECK_THROWS_AS(primitives::exclusive_scan(device, values, fewer), genocl::InputError);
    CHECK_THROWS_AS(primitives::exclusive_scan(device, values, two_more), genocl::InputError);
    CHECK_THROWS_AS(primitives::inclusive_scan(device, values, one_more), genocl::InputError);
    CHECK_THROWS_AS(primitives::inclusive_max_scan(device, values, fewer), genocl::InputError);
    const Array<std::uint32_t> memory(device, 20);
    const genocl::Span<std::uint64_t> same(memory.buffer(), 10);
    CHECK_THROWS_AS(primitives::exclusive_scan(device, memory.first(10), same), genocl::InputError);
  }
}

TEST_CASE("two devices scan independently") {
  const std::vector<std::uint32_t> host(100'000, 3);
  const genocl::Device first = device_under_test(), second = genocl::Device::pick();
  CHECK(!(first == second));
  const Array<std::uint32_t> on_first(first, host), on_second(second, host);
  Array<std::uint32_t> result_first(first, host.size()), result_second(second, host.size());
  primitives::inclusive_scan(first, on_first, result_first);
  primitives::exclusive_scan(second, on_second, result_second);
  CHECK(result_first.download().back() == 300'000);
  CHECK(result_second.download().back() == 299'997);
}

}  // namespace
