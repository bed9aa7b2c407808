// Reductions and scans of segments.
#include "genocl/primitives/segmented_reduce.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "drawn_variants.hpp"
#include "genocl/error.hpp"
#include "genocl/primitives/segmented_scan.hpp"
#include "primitives/operator_cases.hpp"
#include "primitives/variants.hpp"
#include "runtime/helpers.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;
using genocl::Device;
using primitives::Operator;

/// Any unsigned integers of at least 32 bits, which wrap around as in C++; otherwise mostly 1, and some 2.
template <class T>
std::vector<T> random_values(Random& random, std::size_t size) {
  if (std::is_integral_v<T> && sizeof(T) >= 4 && std::is_unsigned_v<T>) return random.values<T>(size);
  std::vector<T> values(size, T{1});
  for (T& value : values)
    if (random.below(std::max<std::uint64_t>(size / 4, 4)) == 0) value = T{2};
  return values;
}

/// Offsets of segments of the given lengths from `first` on.
template <class Offset>
std::vector<Offset> offsets_of(const std::vector<std::size_t>& lengths, std::size_t first) {
  std::vector<Offset> offsets{static_cast<Offset>(first)};
  for (const std::size_t length : lengths) offsets.push_back(static_cast<Offset>(offsets.back() + length));
  return offsets;
}

/// Lengths of 0 to `longest`, many of them 0, that add up to `total`.
std::vector<std::size_t> random_lengths(Random& random, std::size_t total, std::size_t longest) {
  std::vector<std::size_t> lengths;
  for (std::size_t sum = 0; sum < total; sum += lengths.back())
    lengths.push_back(random.below(5) == 0 ? 0 : std::min(total - sum, random.below(longest + 1)));
  return lengths;
}

/// `around`: elements before the first segment, and behind the last.
template <class T, class Offset>
void compare(const Variant& variant, Random& random, const std::vector<std::size_t>& lengths, std::size_t around) {
  const std::vector<Offset> offsets = offsets_of<Offset>(lengths, around);
  const std::size_t size = offsets.back() + around;
  const OperatorCase<T> one = random_case<T>(random);
  CAPTURE(variant.name);
  CAPTURE(sizeof(T));
  CAPTURE(std::is_floating_point_v<T>);
  CAPTURE(lengths.size());
  CAPTURE(size);
  CAPTURE(static_cast<int>(one.device.kind()));
  const std::vector<T> host = random_values<T>(random, size);
  std::vector<T> totals, inclusive(size), exclusive(size);
  for (std::size_t s = 0; s < lengths.size(); ++s)
    totals.push_back(std::accumulate(host.begin() + static_cast<std::ptrdiff_t>(offsets[s]),
                                     host.begin() + static_cast<std::ptrdiff_t>(offsets[s + 1]), one.identity,
                                     one.host));
  std::vector<std::size_t> starts(offsets.begin(), offsets.end());
  starts.insert(starts.begin(), 0);
  starts.push_back(size);
  for (std::size_t s = 0; s + 1 < starts.size(); ++s)
    for (std::size_t i = starts[s]; i < starts[s + 1]; ++i) {
      exclusive[i] = i == starts[s] ? one.identity : inclusive[i - 1];
      inclusive[i] = one.host(exclusive[i], host[i]);
    }
  const genocl::Call call{.tuning = variant.tuning};
  Array<T> values(variant.device, host), results(variant.device, lengths.size()), scanned(variant.device, size);
  const Array<Offset> device_offsets(variant.device, offsets);
  primitives::segmented_reduce(variant.device, values, device_offsets, results, one.device, call);
  CHECK(results.download() == totals);
  primitives::segmented_exclusive_scan(variant.device, values, device_offsets, scanned, one.device, call);
  CHECK(scanned.download() == exclusive);
  primitives::segmented_inclusive_scan(variant.device, values, device_offsets, values, one.device, call);
  CHECK(values.download() == inclusive);  // in place
}

TEST_CASE("tiny: segmented reduce and scan") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 201);
  // The last two are cut into one chunk and into two.
  for (const Variant& variant : main_variants())
    compare<std::uint32_t, std::uint32_t>(variant, random, {0, 1, 7, 0, 33, 2049, 8193}, 2);
}

TEST_CASE("segmented reduce and scan: lengths") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 202);
  const std::vector<Variant> variants = all_variants();
  const Variant& variant = variants[random.below(variants.size())];
  using Lengths = std::vector<std::size_t>;
  const std::vector<Lengths> all{{},
                                 {0},
                                 {1},
                                 Lengths(300, 0),
                                 {5, 8, 9, 16, 17, 31, 32, 33, 64, 65},
                                 Lengths(401, 3),
                                 Lengths(77, 50),
                                 Lengths(30, 255),
                                 {2047, 2048, 2049, 8191, 8192, 8193, 16'384, 16'385, 1000},
                                 random_lengths(random, 20'001, 20),
                                 random_lengths(random, 40'000, 2500),
                                 {100'003}};
  for (const Lengths& lengths : all) compare<std::uint32_t, std::uint32_t>(variant, random, lengths, random.below(4));
  // One huge segment among tiny ones, and more chunks than a combining group has lanes.
  Lengths skewed = random_lengths(random, 5000, 6);
  skewed.insert(skewed.begin() + static_cast<std::ptrdiff_t>(random.below(skewed.size())), 300 * 8192 + 77);
  compare<std::uint32_t, std::uint64_t>(variant, random, skewed, 3);
}

TEST_CASE("segmented reduce and scan: types and operators") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 203);
  using Check = void (*)(const Variant&, Random&, const std::vector<std::size_t>&, std::size_t);
  std::vector<Check> checks{compare<std::int8_t, std::uint32_t>,  compare<std::uint8_t, std::uint64_t>,
                            compare<std::int16_t, std::uint32_t>, compare<std::uint16_t, std::uint64_t>,
                            compare<std::int32_t, std::uint32_t>, compare<std::uint32_t, std::uint64_t>,
                            compare<std::int64_t, std::uint32_t>, compare<std::uint64_t, std::uint64_t>,
                            compare<float, std::uint32_t>};
  if (device_under_test().info().fp64) checks.push_back(compare<double, std::uint64_t>);
  for (const Check check : random.some_of(checks, 3)) {
    const std::vector<Variant> variants = all_variants();
    std::vector<std::size_t> lengths = random_lengths(random, 3000, 40);
    for (const std::size_t length : {1500u, 2500u, 9000u})
      lengths.insert(lengths.begin() + static_cast<std::ptrdiff_t>(random.below(lengths.size())), length);
    lengths.insert(lengths.end(), {12, 5});  // rows that the end of the array cuts off
    check(variants[random.below(variants.size())], random, lengths, random.below(2));
  }
}

/// A value of the documented order: `lanes` running results, folded by halves.
float ordered_sum(const std::vector<float>& values, std::size_t lanes) {
  std::vector<float> sums(lanes, 0.0f);
  for (std::size_t i = 0; i < values.size(); ++i) sums[i % lanes] += values[i];
  for (std::size_t half = lanes / 2; half > 0; half /= 2)
    for (std::size_t lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
  return sums[0];
}

float ordered_segment_sum(const std::vector<float>& values) {
  if (values.size() <= 2048) return ordered_sum(values, 32);
  std::vector<float> chunks;
  for (std::size_t first = 0; first < values.size(); first += 8192)
    chunks.push_back(ordered_sum({values.begin() + static_cast<std::ptrdiff_t>(first),
                                  values.begin() + static_cast<std::ptrdiff_t>(std::min(first + 8192, values.size()))},
                                 256));
  return chunks.size() == 1 ? chunks[0] : ordered_sum(chunks, 256);
}

TEST_CASE("segmented sums of floats have the documented order in every variant") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 204);
  std::vector<std::size_t> lengths = random_lengths(random, 3000, 100);
  lengths.insert(lengths.end(), {2048, 2049, 8192, 8193, 50'001, 1, 20});
  const std::vector<std::uint32_t> offsets = offsets_of<std::uint32_t>(lengths, 1);
  const std::vector<float> host = random.values<float>(offsets.back());
  std::vector<std::uint32_t> expected;
  for (std::size_t s = 0; s < lengths.size(); ++s)
    expected.push_back(
        std::bit_cast<std::uint32_t>(ordered_segment_sum({host.begin() + offsets[s], host.begin() + offsets[s + 1]})));
  for (const Variant& variant : all_variants()) {
    CAPTURE(variant.name);
    const Array<float> values(variant.device, host);
    const Array<std::uint32_t> device_offsets(variant.device, offsets);
    Array<float> results(variant.device, lengths.size());
    primitives::segmented_reduce(variant.device, values, device_offsets, results, Operator::sum(),
                                 {.tuning = variant.tuning});
    std::vector<std::uint32_t> bits;
    for (const float result : results.download()) bits.push_back(std::bit_cast<std::uint32_t>(result));
    CHECK(bits == expected);
  }
}

TEST_CASE("segmented reduce of expressions") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 205);
  for (const DeviceVariant& variant : drawn(device_variants())) {
    CAPTURE(variant.name);
    const std::vector<std::size_t> lengths = random_lengths(random, 20'000, 3000);
    const std::vector<std::uint32_t> offsets = offsets_of<std::uint32_t>(lengths, 0);
    const std::vector<std::uint8_t> host = random.values<std::uint8_t>(offsets.back());
    std::vector<std::uint32_t> large;
    std::vector<std::uint64_t> moments;
    for (std::size_t s = 0; s < lengths.size(); ++s) {
      large.push_back(0);
      moments.push_back(0);
      for (std::uint64_t i = offsets[s]; i < offsets[s + 1]; ++i) {
        large.back() += host[i] >= 200;
        moments.back() += std::uint64_t{host[i]} * host[i] * i;
      }
    }
    const Array<std::uint8_t> values(variant.device, host);
    const Array<std::uint32_t> device_offsets(variant.device, offsets);
    Array<std::uint32_t> counts(variant.device, lengths.size());
    Array<std::uint64_t> sums(variant.device, lengths.size());
    primitives::transform_segmented_reduce(variant.device, "x >= 200", values, device_offsets, counts, Operator::sum());
    CHECK(counts.download() == large);
    primitives::transform_segmented_reduce(variant.device, "(ulong)x0 * x1 * i", values, values, device_offsets, sums,
                                           Operator::sum());
    CHECK(sums.download() == moments);
  }
}

template <class T>
void compare_arg(const Device& device, const std::vector<T>& host, const std::vector<std::uint32_t>& offsets) {
  const Array<T> values(device, host);
  const Array<std::uint32_t> device_offsets(device, offsets);
  Array<primitives::IndexedElement<T>> least(device, offsets.size() - 1), greatest(device, offsets.size() - 1);
  primitives::segmented_arg_min(device, values, device_offsets, least);
  primitives::segmented_arg_max(device, values, device_offsets, greatest);
  const auto mins = least.download(), maxs = greatest.download();
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    CAPTURE(s);
    auto min = primitives::IndexedElement<T>::no_index, max = min;
    for (std::uint64_t i = offsets[s]; i < offsets[s + 1]; ++i) {
      if (host[i] != host[i]) continue;  // NaN
      const bool first = min == primitives::IndexedElement<T>::no_index;
      if (first || host[i] < host[offsets[s] + min]) min = i - offsets[s];
      if (first || host[i] > host[offsets[s] + max]) max = i - offsets[s];
    }
    REQUIRE(mins[s].index == min);
    REQUIRE(maxs[s].index == max);
    if (min == primitives::IndexedElement<T>::no_index) continue;
    REQUIRE(mins[s].value == host[offsets[s] + min]);
    REQUIRE(maxs[s].value == host[offsets[s] + max]);
  }
}

TEST_CASE("tiny: segmented arg_min and arg_max: the first of equal elements, no NaN") {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    compare_arg<float>(variant.device, {nan, 3, -1, 5, nan, -1, 5, infinity, nan, nan, 7, 7, 0.0f, -0.0f},
                       {0, 7, 7, 8, 10, 12, 14});
  }
}

TEST_CASE("segmented minima and maxima ignore NaN, sums do not") {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  std::vector<float> host{nan, 3, -1, nan, nan, 4};
  host.resize(3006, 2);
  host.back() = nan;
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    const Array<float> values(variant.device, host);
    const Array<std::uint32_t> offsets(variant.device, std::vector<std::uint32_t>{0, 3, 5, 6, 6, 3006});
    Array<float> results(variant.device, 5);
    primitives::segmented_reduce(variant.device, values, offsets, results, Operator::minimum());
    CHECK(results.download() == std::vector<float>{-1, infinity, 4, infinity, 2});
    primitives::segmented_reduce(variant.device, values, offsets, results, Operator::maximum());
    CHECK(results.download() == std::vector<float>{3, -infinity, 4, -infinity, 2});
    primitives::segmented_reduce(variant.device, values, offsets, results, Operator::sum());
    const std::vector<float> sums = results.download();
    CHECK((std::isnan(sums[0]) && std::isnan(sums[1]) && sums[2] == 4 && sums[3] == 0 && std::isnan(sums[4])));
  }
}

TEST_CASE("segmented arg_min and arg_max of short and long segments") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 206);
  std::vector<std::size_t> lengths = random_lengths(random, 5000, 100);
  lengths.insert(lengths.begin() + static_cast<std::ptrdiff_t>(random.below(lengths.size())), {3000, 70'001});
  const std::vector<std::uint32_t> offsets = offsets_of<std::uint32_t>(lengths, 2);
  for (const DeviceVariant& variant : drawn(device_variants())) {
    CAPTURE(variant.name);
    compare_arg(variant.device, random.values_below<std::int16_t>(offsets.back(), 500), offsets);
    compare_arg(variant.device, random.values<std::uint64_t>(offsets.back()), offsets);
  }
}

TEST_CASE("segmented reduce and scan keep inside their arrays whatever the offsets say") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 207);
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    const std::vector<std::uint32_t> offsets = random.values_below<std::uint32_t>(500, 40'000), host(30'000, 1);
    const Array<std::uint32_t> values(variant.device, host), falling(variant.device, offsets);
    Array<std::uint32_t> results(variant.device, 600), scanned(variant.device, 31'000);
    results.fill(7);
    scanned.fill(7);
    primitives::segmented_reduce(variant.device, values, falling, results.first(499), Operator::sum());
    primitives::segmented_inclusive_scan(variant.device, values, falling, scanned.first(30'000), Operator::sum());
    const std::vector<std::uint32_t> after = results.download(), scan_after = scanned.download();
    CHECK(std::all_of(after.begin() + 499, after.end(), [](std::uint32_t value) { return value == 7; }));
    CHECK(std::all_of(scan_after.begin() + 30'000, scan_after.end(), [](std::uint32_t value) { return value == 7; }));
    const Array<std::uint32_t> good(variant.device, std::vector<std::uint32_t>{0, 30'000});
    primitives::segmented_reduce(variant.device, values, good, results.first(1), Operator::sum());
    CHECK(results.download()[0] == 30'000);
  }
}

TEST_CASE("segmented reduce and scan: the caller's scratch memory, wrong arguments") {
  for (const DeviceVariant& variant : drawn(device_variants())) {
    CAPTURE(variant.name);
    const Device& device = variant.device;
    const std::vector<std::uint32_t> host(10'000, 2);
    Array<std::uint32_t> values(device, host), sums(device, 2), three(device, 3), fewer(device, 9999);
    const Array<std::uint32_t> offsets(device, std::vector<std::uint32_t>{0, 9000, 10'000}), none(device, 0);
    Array<std::byte> scratch(device, primitives::segmented_reduce_scratch_bytes(device, host.size(), 4)),
        scan_scratch(device, primitives::segmented_scan_scratch_bytes(device, host.size(), 4)), little(device, 1);
    const Operator sum = Operator::sum();
    primitives::segmented_reduce(device, values, offsets, sums, sum, {.scratch = scratch.span()});
    CHECK(sums.download() == std::vector<std::uint32_t>{18'000, 2000});
    CHECK_THROWS_AS(primitives::segmented_reduce(device, values, offsets, sums, sum, {.scratch = little.span()}),
                    genocl::CapacityError);
    CHECK_THROWS_AS(primitives::segmented_reduce(device, values, offsets, three, sum), genocl::InputError);
    CHECK_THROWS_AS(primitives::segmented_reduce(device, values, none, sums, sum), genocl::InputError);
    CHECK_THROWS_AS(primitives::segmented_reduce(device, values, offsets, values.first(2), sum), genocl::InputError);
    CHECK_THROWS_AS(primitives::segmented_reduce(device, values, offsets, sums, Operator("a +", "0")),
                    genocl::BuildError);
    CHECK_THROWS_AS(primitives::transform_segmented_reduce(device, "x0 + x1", values, fewer, offsets, sums, sum),
                    genocl::InputError);
    CHECK_THROWS_AS(primitives::segmented_inclusive_scan(device, values, offsets, fewer, sum), genocl::InputError);
    CHECK_THROWS_AS(primitives::segmented_inclusive_scan(device, values, none, values, sum), genocl::InputError);
    CHECK_THROWS_AS(
        primitives::segmented_inclusive_scan(device, values, offsets, values, sum, {.scratch = little.span()}),
        genocl::CapacityError);
    primitives::segmented_inclusive_scan(device, values, offsets, values, sum, {.scratch = scan_scratch.span()});
    CHECK(values.download()[8999] == 18'000);
    CHECK(values.download()[9999] == 2000);
  }
}

TEST_CASE("GENOCL_CHECK=1 reports wrong offsets of segmented reductions and scans") {
  const Environment on("GENOCL_CHECK", "1");
  const Device device = device_under_test();
  const Array<float> values(device, 10);
  Array<float> sums(device, 2), scanned(device, 10);
  const Array<std::uint64_t> falling(device, std::vector<std::uint64_t>{0, 8, 7}),
      outside(device, std::vector<std::uint64_t>{0, 8, 11}), good(device, std::vector<std::uint64_t>{1, 1, 10});
  const auto error_of = [](const std::function<void()>& call) -> std::string {
    try {
      call();
    } catch (const genocl::InputError& error) {
      return error.what();
    }
    return "no error";
  };
  CHECK(error_of([&] { primitives::segmented_reduce(device, values, falling, sums, Operator::sum()); }) ==
        "segmented_reduce: offsets[2] is 7; expected 8 to 10");
  CHECK(error_of([&] { primitives::segmented_inclusive_scan(device, values, outside, scanned, Operator::sum()); }) ==
        "segmented_scan: offsets[2] is 11; expected 8 to 10");
  CHECK(error_of([&] { primitives::segmented_reduce(device, values, good, sums, Operator::sum()); }) == "no error");
}

}  // namespace
