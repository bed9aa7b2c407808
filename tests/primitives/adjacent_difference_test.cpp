#include "genocl/primitives/adjacent_difference.hpp"

#include <numeric>

#include "drawn_variants.hpp"
#include "genocl/error.hpp"
#include "primitives/variants.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;

template <class T>
void compare(const Variant& variant, Random& random) {
  CAPTURE(variant.name);
  CAPTURE(sizeof(T));
  const genocl::Call call{.tuning = variant.tuning};
  for (const std::size_t size : {0u, 1u, 2u, 8193u, 50'001u}) {
    CAPTURE(size);
    const std::vector<T> host = random.values<T>(size);
    std::vector<T> expected(size);
    std::adjacent_difference(host.begin(), host.end(), expected.begin(),
                             [](T a, T b) { return static_cast<T>(a - b); });
    const Array<T> values(variant.device, host);
    Array<T> results(variant.device, size);
    primitives::adjacent_difference(variant.device, values, results, call);
    CHECK(results.download() == expected);
  }
}

TEST_CASE("tiny: adjacent_difference by subtraction and by an expression") {
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    const Array<std::uint32_t> values(variant.device, std::vector<std::uint32_t>{5, 7, 4, 4, 10});
    Array<std::uint32_t> results(variant.device, 5);
    primitives::adjacent_difference(variant.device, values, results);
    CHECK(results.download() == std::vector<std::uint32_t>{5, 2, 0xfffffffdu, 0, 6});
    Array<float> distances(variant.device, 5);
    primitives::adjacent_difference(variant.device, "abs_diff(x0, x1) + 0.5f * i", values, distances);
    CHECK(distances.download() == std::vector<float>{5, 2.5f, 4, 1.5f, 8});
  }
}

TEST_CASE("adjacent_difference: sizes and types") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 121);
  using Check = void (*)(const Variant&, Random&);
  const std::vector<Check> checks{compare<std::uint8_t>, compare<std::uint32_t>, compare<std::uint64_t>, compare<float>,
                                  compare<double>};
  const std::vector<Variant> variants = all_variants();
  for (const Check check : random.some_of(checks)) check(variants[random.below(variants.size())], random);
}

TEST_CASE("adjacent_difference in parts of buffers, errors") {
  for (const DeviceVariant& variant : drawn(device_variants())) {
    const genocl::Device& device = variant.device;
    const Array<std::uint32_t> values(device, std::vector<std::uint32_t>{9, 5, 7, 4, 9});
    Array<std::uint32_t> results(device, std::vector<std::uint32_t>(5, 77));
    primitives::adjacent_difference(device, values.subspan(1, 3), results.subspan(2, 3));
    CHECK(results.download() == std::vector<std::uint32_t>{77, 77, 5, 2, 0xfffffffdu});
    CHECK_THROWS_AS(primitives::adjacent_difference(device, values, results.first(4)), genocl::InputError);
    CHECK_THROWS_AS(primitives::adjacent_difference(device, results, results), genocl::InputError);
    CHECK_THROWS_AS(primitives::adjacent_difference(device, "", values, results), genocl::InputError);
    try {
      primitives::adjacent_difference(device, "x0 - x2", values, results);
      CHECK(false);
    } catch (const genocl::BuildError& error) {
      CHECK(error.file() == "expression");
      CHECK_MESSAGE(std::string(error.what()).find("x2") != std::string::npos, error.what());
    }
  }
}

}  // namespace
