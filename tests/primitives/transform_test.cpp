#include "genocl/primitives/transform.hpp"

#include <functional>

#include "drawn_variants.hpp"
#include "genocl/error.hpp"
#include "primitives/variants.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;
using genocl::Device;

template <class To, class From>
void compare_types(const Variant& variant, Random& random) {
  CAPTURE(variant.name);
  CAPTURE(sizeof(From));
  CAPTURE(sizeof(To));
  const genocl::Call call{.tuning = variant.tuning};
  for (const std::size_t size : {0u, 1u, 1023u, 20'001u}) {
    CAPTURE(size);
    const std::vector<From> host = random.values_below<From>(size, 100);
    std::vector<To> expected(size);
    for (std::size_t i = 0; i < size; ++i) expected[i] = static_cast<To>(host[i] + 3);
    const Array<From> input(variant.device, host);
    Array<To> results(variant.device, size);
    primitives::transform(variant.device, "x + 3", input, results, call);
    CHECK(results.download() == expected);
  }
}

TEST_CASE("tiny: transform of one, two and no inputs") {
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    const Device& device = variant.device;
    Array<std::uint32_t> numbers(device, 100);
    primitives::transform(device, "i * i", numbers);
    std::vector<std::uint32_t> expected(100);
    for (std::uint32_t i = 0; i < 100; ++i) expected[i] = i * i;
    CHECK(numbers.download() == expected);
    Array<float> halves(device, 100);
    primitives::transform(device, "x0 * 0.5f + x1", numbers, numbers, halves);
    CHECK(halves.download()[9] == 81 * 0.5f + 81);
    primitives::transform(device, {"twice(x)", "uint twice(uint a) { return 2 * a; }"}, numbers, numbers);  // in place
    CHECK(numbers.download()[9] == 162);
  }
}

TEST_CASE("transform between types") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 81);
  using Check = void (*)(const Variant&, Random&);
  const std::vector<Check> checks{compare_types<std::int8_t, std::uint8_t>,   compare_types<std::uint16_t, float>,
                                  compare_types<double, std::int16_t>,        compare_types<std::int64_t, double>,
                                  compare_types<std::uint32_t, std::int32_t>, compare_types<float, std::uint64_t>,
                                  compare_types<std::uint64_t, std::int64_t>};
  for (const Check check : random.some_of(checks)) {
    const std::vector<Variant> variants = all_variants();
    check(variants[random.below(variants.size())], random);
  }
}

TEST_CASE("transform of three and four inputs, in parts of buffers") {
  for (const DeviceVariant& variant : drawn(device_variants())) {
    const Device& device = variant.device;
    const Array<std::uint32_t> a(device, std::vector<std::uint32_t>{9, 1, 2, 3});
    const Array<std::int64_t> c(device, std::vector<std::int64_t>{9, 10, 20, 30});
    const Array<std::uint8_t> d(device, std::vector<std::uint8_t>{9, 100, 200, 255});
    Array<std::int64_t> results(device, std::vector<std::int64_t>(5, -7));
    primitives::transform(device, "x0 + x1 - x2", a.subspan(1, 3), c.subspan(1, 3), d.subspan(1, 3),
                          results.subspan(1, 3));
    CHECK(results.download() == std::vector<std::int64_t>{-7, -89, -178, -222, -7});
    primitives::transform(device, "x0 * x1 - x2 + x3", a.subspan(1, 3), a.subspan(1, 3), c.subspan(1, 3),
                          d.subspan(1, 3), results.subspan(1, 3));
    CHECK(results.download() == std::vector<std::int64_t>{-7, 91, 184, 234, -7});
  }
}

TEST_CASE("transform reports errors of the expression with their line") {
  const Device device = device_under_test();
  const Array<float> input(device, 10);
  Array<float> results(device, 10), fewer(device, 9);
  try {
    primitives::transform(device, "x *\n  unknown_name", input, results);
    CHECK(false);
  } catch (const genocl::BuildError& error) {
    CHECK(error.file() == "expression");
    const std::string message = error.what();
    CHECK_MESSAGE(message.find("expression:2:") != std::string::npos, message);
    CHECK_MESSAGE(message.find("unknown_name") != std::string::npos, message);
  }
  CHECK_THROWS_AS(primitives::transform(device, " ", input, results), genocl::InputError);
  CHECK_THROWS_AS(primitives::transform(device, "x", input, fewer), genocl::InputError);
  CHECK_THROWS_AS(primitives::transform(device, "x", results.first(9), results.subspan(1, 9)), genocl::InputError);
  Array<double> wide(device, 5);
  CHECK_THROWS_AS(primitives::transform(device, "x", genocl::Span<const float>(wide.span().view()).first(5), wide),
                  genocl::InputError);
}

TEST_CASE("transform compiles an expression once") {
  const Device device = device_of_other_context();
  const Array<float> input(device, std::vector<float>(10, 2.0f));
  Array<float> results(device, 10);
  primitives::transform(device, "x * x", input, results);
  const double seconds = device.compile_seconds();
  for (int k = 0; k < 3; ++k) primitives::transform(device, "x * x", input, results);
  CHECK(results.download() == std::vector<float>(10, 4.0f));
  CHECK(device.compile_seconds() == seconds);
  primitives::transform(device, "x + x * x", input, results);
  CHECK(results.download() == std::vector<float>(10, 6.0f));
  CHECK(device.compile_seconds() > seconds);
}

}  // namespace
