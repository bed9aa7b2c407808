#include "genocl/primitives/histogram.hpp"

#include "genocl/error.hpp"
#include "primitives/variants.hpp"
#include "reference/primitives/histogram.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;

template <class Count>
void compare(const Variant& variant, const std::vector<std::uint32_t>& host, std::size_t bins,
             primitives::BitField field = {}) {
  CAPTURE(variant.name);
  CAPTURE(host.size());
  CAPTURE(bins);
  CAPTURE(field.first);
  CAPTURE(field.count);
  const Array<std::uint32_t> keys(variant.device, host);
  Array<Count> counts(variant.device, bins);
  counts.fill(Count{12345});
  primitives::histogram(variant.device, keys, counts, field, {.tuning = variant.tuning});
  CHECK((counts.download() == genocl_reference::histogram<Count>(host, bins, field.first, field.count)));
}

TEST_CASE("tiny: histograms") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 31);
  for (const Variant& variant : main_variants()) {
    compare<std::uint32_t>(variant, random.values_below<std::uint32_t>(1500, 40), 33);
    compare<std::uint64_t>(variant, random.values<std::uint32_t>(1500), 256, {24, 8});
  }
}

TEST_CASE("histograms around tiles") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 32);
  for (const Variant& variant : all_variants())
    for (const std::size_t size : sizes_around_tiles(70'000))
      compare<std::uint32_t>(variant, random.values<std::uint32_t>(size), 256, {3, 8});
}

TEST_CASE("histograms of every number of bins") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 33);
  const auto spread = random.values<std::uint32_t>(300'001);
  for (const Variant& variant : main_variants()) {
    for (const unsigned bits : {1u, 5u, 11u, 12u, 13u, 16u})
      compare<std::uint64_t>(variant, spread, std::size_t{1} << bits, {9, bits});
    // Keys outside, above and not a power of two.
    for (const unsigned bins : {1u, 7u, 2047u, 2049u, 8193u, 20'000u, 65'535u})
      compare<std::uint32_t>(variant, random.values_below<std::uint32_t>(100'000, 70'000), bins);
    compare<std::uint32_t>(variant, spread, 65'536);
    compare<std::uint32_t>(variant, spread, 100, {31, 1});
  }
}

TEST_CASE("histograms of equal and of sorted keys") {
  for (const Variant& variant : main_variants()) {
    compare<std::uint32_t>(variant, std::vector<std::uint32_t>(2'000'001, 7), 256);
    compare<std::uint64_t>(variant, std::vector<std::uint32_t>(200'001, 0xffffffffu), 65'536, {16, 16});
    compare<std::uint32_t>(variant, std::vector<std::uint32_t>(200'001, 0xffffffffu), 65'536);  // all outside
    std::vector<std::uint32_t> sorted(1'000'000);
    for (std::size_t i = 0; i < sorted.size(); i++) sorted[i] = static_cast<std::uint32_t>(i / 300);
    compare<std::uint64_t>(variant, sorted, 5000);
  }
}

TEST_CASE("histograms refuse other bins and fields") {
  for (const Variant& variant : main_variants()) {
    const Array<std::uint32_t> keys(variant.device, 10);
    Array<std::uint32_t> none(variant.device, 0), many(variant.device, 65'537), counts(variant.device, 16);
    CHECK_THROWS_AS(primitives::histogram(variant.device, keys, none), genocl::InputError);
    CHECK_THROWS_AS(primitives::histogram(variant.device, keys, many), genocl::InputError);
    CHECK_THROWS_AS(primitives::histogram(variant.device, keys, counts, {30, 3}), genocl::InputError);
    CHECK_THROWS_AS(primitives::histogram(variant.device, keys, counts, {4, 0}), genocl::InputError);
  }
}

}  // namespace
