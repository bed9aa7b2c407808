#include "genocl/primitives/copy.hpp"

#include "genocl/error.hpp"
#include "primitives/variants.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;

// Bytes of any number, and nothing written past them.
void check_copy(const Variant& variant, const std::vector<std::uint8_t>& host) {
  CAPTURE(variant.name);
  CAPTURE(host.size());
  const genocl::Array<std::uint8_t> from(variant.device, host);
  genocl::Array<std::uint8_t> to(variant.device, host.size() + 100);
  to.fill(0xee);
  primitives::copy(variant.device, from, to, {.tuning = variant.tuning});
  std::vector<std::uint8_t> expected = host;
  expected.resize(host.size() + 100, 0xee);
  CHECK((to.download() == expected));
}

TEST_CASE("tiny: copies") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 51);
  for (const Variant& variant : main_variants())
    for (const std::size_t size : {0, 1, 63, 1000}) check_copy(variant, random.values<std::uint8_t>(size));
}

TEST_CASE("copies around tiles, and past the cache") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 52);
  for (const Variant& variant : all_variants()) {
    for (const std::size_t size : sizes_around_tiles(300'000)) check_copy(variant, random.values<std::uint8_t>(size));
    check_copy(variant, random.values<std::uint8_t>((8u << 20) + 17));
  }
}

TEST_CASE("copies of wider elements, and into less room") {
  for (const Variant& variant : main_variants()) {
    const std::vector<std::uint64_t> host = {1, 2, ~std::uint64_t{0}};
    const genocl::Array<std::uint64_t> from(variant.device, host);
    genocl::Array<std::uint64_t> to(variant.device, 3), small(variant.device, 2);
    primitives::copy(variant.device, from, to);
    CHECK(to.download() == host);
    CHECK_THROWS_AS(primitives::copy(variant.device, from, small), genocl::InputError);
  }
}

}  // namespace
