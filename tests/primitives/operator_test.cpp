// Reductions and scans with operators and expressions.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "drawn_variants.hpp"
#include "genocl/error.hpp"
#include "genocl/primitives/reduce.hpp"
#include "genocl/primitives/scan.hpp"
#include "primitives/operator_cases.hpp"
#include "primitives/variants.hpp"
#include "reference/primitives/reduce.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;
using genocl::Device;
using primitives::Operator;

/// Values for which the result of no operator depends on the order: mostly 1, and some 2.
template <class T>
std::vector<T> exact_values(Random& random, std::size_t size) {
  std::vector<T> values(size, T{1});
  for (T& value : values)
    if (random.below(std::max<std::uint64_t>(size / 4, 4)) == 0) value = T{2};
  return values;
}

template <class T>
void compare(const Variant& variant, Random& random) {
  CAPTURE(variant.name);
  CAPTURE(sizeof(T));
  CAPTURE(std::is_floating_point_v<T>);
  CAPTURE(std::is_signed_v<T>);
  const OperatorCase<T> one = random_case<T>(random);
  CAPTURE(static_cast<int>(one.device.kind()));
  const genocl::Call call{.tuning = variant.tuning};
  for (const std::size_t size : {0u, 1u, 1025u, 16'385u, 50'001u}) {
    CAPTURE(size);
    const bool integers = std::is_integral_v<T> && sizeof(T) >= 4 && std::is_unsigned_v<T>;
    const std::vector<T> host = integers ? random.values<T>(size) : exact_values<T>(random, size);
    std::vector<T> inclusive(size), exclusive(size + 1, one.identity);
    for (std::size_t i = 0; i < size; ++i) exclusive[i + 1] = inclusive[i] = one.host(exclusive[i], host[i]);
    const Array<T> values(variant.device, host);
    CHECK(primitives::reduce(variant.device, values, one.device, call) == exclusive.back());
    Array<T> results(variant.device, size), with_total(variant.device, size + 1);
    primitives::inclusive_scan(variant.device, values, results, one.device, call);
    CHECK(results.download() == inclusive);
    primitives::exclusive_scan(variant.device, values, with_total, one.device, call);
    CHECK(with_total.download() == exclusive);
  }
}

TEST_CASE("tiny: reduce and scan with operators") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 91);
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    const std::vector<std::uint32_t> host = random.values<std::uint32_t>(1200);
    const Array<std::uint32_t> values(variant.device, host);
    const Operator either("a | b", "0");
    std::uint32_t expected = 0;
    for (const std::uint32_t value : host) expected |= value;
    CHECK(primitives::reduce(variant.device, values, either) == expected);
    Array<std::uint32_t> results(variant.device, host.size());
    primitives::inclusive_scan(variant.device, values, results, either);
    CHECK(results.download().back() == expected);
  }
}

// Two stages of reduce_partials: more than a tile of tiles needs 2^28 elements.
TEST_CASE("tiny: reduction of two tiles") {
  for (const Variant& variant : main_variants()) {
    const Array<std::uint32_t> values(variant.device, std::vector<std::uint32_t>(16'385, 3));
    CHECK(primitives::reduce(variant.device, values, Operator::sum()) == 3 * 16'385);
  }
}

TEST_CASE("reduce and scan: types and operators") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 92);
  using Check = void (*)(const Variant&, Random&);
  const std::vector<Check> checks{compare<std::int8_t>,   compare<std::uint8_t>,  compare<std::int16_t>,
                                  compare<std::uint16_t>, compare<std::int32_t>,  compare<std::uint32_t>,
                                  compare<std::int64_t>,  compare<std::uint64_t>, compare<float>,
                                  compare<double>};
  for (const Check check : random.some_of(checks, 5)) {
    const std::vector<Variant> variants = all_variants();
    check(variants[random.below(variants.size())], random);
  }
}

TEST_CASE("scan with an operator that does not commute") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 93);
  // Of two elements the second counts unless it is 0.
  const Operator last("b != 0 ? b : a", "0");
  const std::vector<Variant> variants = all_variants();
  const Variant& variant = variants[random.below(variants.size())];
  CAPTURE(variant.name);
  std::vector<std::uint16_t> host(70'003), expected(host.size());
  std::uint16_t now = 0;
  for (std::size_t i = 0; i < host.size(); ++i) {
    if (random.below(100) == 0) host[i] = static_cast<std::uint16_t>(random.below(65'536));
    if (host[i] != 0) now = host[i];
    expected[i] = now;
  }
  Array<std::uint16_t> values(variant.device, host);
  primitives::inclusive_scan(variant.device, values, values, last, {.tuning = variant.tuning});
  CHECK(values.download() == expected);
}

TEST_CASE("sums of floats by an operator have the bits of sum()") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 94);
  const std::vector<float> host = random.values<float>(40'001);
  const auto expected = std::bit_cast<std::uint32_t>(genocl_reference::ordered_sum(host));
  for (const DeviceVariant& variant : drawn(device_variants())) {
    const Array<float> values(variant.device, host);
    CHECK(std::bit_cast<std::uint32_t>(primitives::reduce(variant.device, values, Operator::sum())) == expected);
    const std::vector<double> wide(host.begin(), host.end());
    const Array<double> wide_values(variant.device, wide);
    const double sum = primitives::sum(variant.device, wide_values);
    CHECK(std::bit_cast<std::uint64_t>(sum) == std::bit_cast<std::uint64_t>(primitives::transform_reduce<double>(
                                                   variant.device, "x", values, Operator::sum())));
    CHECK(primitives::minimum(variant.device, wide_values) == *std::min_element(wide.begin(), wide.end()));
  }
}

TEST_CASE("reductions and scans of expressions") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 95);
  const std::vector<std::uint32_t> host = random.values_below<std::uint32_t>(20'001, 1000);
  for (const DeviceVariant& variant : drawn(device_variants())) {
    CAPTURE(variant.name);
    const Array<std::uint32_t> values(variant.device, host);
    std::uint64_t squares = 0, bits = 0;
    std::vector<std::uint64_t> before(host.size());
    for (std::size_t i = 0; i < host.size(); ++i) {
      before[i] = bits;
      bits += static_cast<std::uint64_t>(std::popcount(host[i]));
      squares += std::uint64_t{host[i]} * host[i];
    }
    CHECK(primitives::transform_reduce<std::uint64_t>(variant.device, "(ulong)x0 * x1", values, values,
                                                      Operator::sum()) == squares);
    Array<std::uint64_t> results(variant.device, host.size());
    primitives::transform_exclusive_scan(variant.device, "popcount(x)", values, results, Operator::sum());
    CHECK(results.download() == before);
    Array<std::uint64_t> total(variant.device, 1);
    primitives::transform_reduce(variant.device, "popcount(x)", values, Operator::sum(), total);
    CHECK(total.download().front() == bits);
  }
}

TEST_CASE("tiny: arg_min and arg_max: the first of equal elements, no NaN") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    const Device& device = variant.device;
    const Array<float> values(device, std::vector<float>{nan, 3, -1, 5, nan, -1, 5});
    const auto least = primitives::arg_min(device, values), greatest = primitives::arg_max(device, values);
    CHECK(least.value == -1);
    CHECK(least.index == 2);
    CHECK(greatest.value == 5);
    CHECK(greatest.index == 3);
    const Array<float> none(device, std::vector<float>{nan, nan});
    CHECK(primitives::arg_min(device, none).index == primitives::IndexedElement<float>::no_index);
  }
}

TEST_CASE("arg_min and arg_max of several tiles, to the device") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 96);
  const std::vector<std::int16_t> host = random.values_below<std::int16_t>(40'001, 100);
  for (const DeviceVariant& variant : drawn(device_variants())) {
    CAPTURE(variant.name);
    const Array<std::int16_t> values(variant.device, host);
    Array<primitives::IndexedElement<std::int16_t>> result(variant.device, 1);
    primitives::arg_max(variant.device, values, result);
    const auto place = std::max_element(host.begin(), host.end());
    CHECK(result.download().front().value == *place);
    CHECK(result.download().front().index == static_cast<std::uint64_t>(place - host.begin()));
  }
}

TEST_CASE("operators: errors") {
  const Device device = device_under_test();
  const Array<float> values(device, 10);
  Array<float> none(device, 0), fewer(device, 9);
  try {
    primitives::reduce(device, values, Operator("a +", "0"));
    CHECK(false);
  } catch (const genocl::BuildError& error) {
    CHECK(error.file() == "operator");
    CHECK_MESSAGE(std::string(error.what()).find("operator:") != std::string::npos, error.what());
  }
  CHECK_THROWS_AS(primitives::reduce(device, values, Operator("", "0")), genocl::InputError);
  CHECK_THROWS_AS(primitives::reduce(device, values, Operator::sum(), none), genocl::InputError);
  CHECK_THROWS_AS(primitives::inclusive_scan(device, values, fewer, Operator::sum()), genocl::InputError);
  Array<std::byte> little(device, 1);
  CHECK_THROWS_AS(
      primitives::inclusive_scan(device, values, fewer.first(9), Operator::sum(), {.scratch = little.span()}),
      genocl::InputError);
}

TEST_CASE("reduce: groups of any size give the same") {
  const std::vector<float> host = Random(3).values<float>(100'000);
  for (const Variant& variant : main_variants()) {
    if (variant.device.family() == genocl::KernelFamily::cpu) continue;
    CAPTURE(variant.name);
    const genocl::Device& device = variant.device;
    const Array<float> values(device, host);
    const auto expected = primitives::reduce(device, values, Operator::sum());
    const auto largest = primitives::arg_max(device, values);
    for (const unsigned size : {64u, 1024u, 2048u, 1u << 20}) {  // at most the device's
      CAPTURE(size);
      genocl::Call call;
      call.tuning.group_size = size;
      CHECK(primitives::reduce(device, values, Operator::sum(), call) == expected);
      CHECK(primitives::sum(device, values, call) == expected);
      CHECK(primitives::arg_max(device, values, call).index == largest.index);
    }
  }
}

}  // namespace
