#include "callers_memory.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "genocl/primitives.hpp"
#include "primitives/variants.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;

/// 16 bytes, of which a driver knows no more than that they are bytes.
struct Sixteen {
  std::array<std::uint8_t, 16> bytes;
  friend bool operator==(const Sixteen&, const Sixteen&) = default;
};

constexpr std::size_t count = 70'000;  // several tiles of every kernel

TEST_CASE("callers' memory of any alignment: copy") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 61);
  const std::vector<std::uint8_t> host = random.values<std::uint8_t>((8u << 20) + 17), none(host.size());
  for (const Variant& variant : main_variants())
    for (const auto& offsets : {std::pair<std::size_t, std::size_t>{1, 0}, {0, 1}, {16, 16}, {4, 8}})
      for (const std::size_t bytes : {std::size_t{5000}, host.size()}) {
        const std::size_t from_offset = offsets.first, to_offset = offsets.second;
        CAPTURE(variant.name);
        CAPTURE(from_offset);
        CAPTURE(to_offset);
        CallersMemory<std::uint8_t> from(variant.device, host, from_offset), to(variant.device, none, to_offset);
        primitives::copy(variant.device, from->first(bytes), to->first(bytes), {.tuning = variant.tuning});
        const std::vector<std::uint8_t> copied = to->download();
        CHECK(std::equal(copied.begin(), copied.begin() + static_cast<std::ptrdiff_t>(bytes), host.begin()));
      }
}

TEST_CASE_TEMPLATE("callers' memory of any alignment: sums and scans", T, std::uint32_t, std::uint64_t) {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 62);
  const std::vector<T> host = random.values<T>(count), none(count);
  std::vector<T> up_to(count);
  std::partial_sum(host.begin(), host.end(), up_to.begin());
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    CallersMemory<T> values(variant.device, host, sizeof(T)), results(variant.device, none, sizeof(T));
    CHECK(primitives::sum(variant.device, *values, {.tuning = variant.tuning}) == up_to.back());
    CHECK(primitives::maximum(variant.device, *values, {.tuning = variant.tuning}) ==
          *std::max_element(host.begin(), host.end()));
    primitives::inclusive_scan(variant.device, *values, *results, {.tuning = variant.tuning});
    CHECK((results->download() == up_to));
    primitives::sort(variant.device, *values);
    std::vector<T> sorted = host;
    std::sort(sorted.begin(), sorted.end());
    CHECK((values->download() == sorted));
  }
}

TEST_CASE("callers' memory of any alignment: histogram, compaction, gather, scatter") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 63);
  const std::vector<std::uint32_t> host = random.values<std::uint32_t>(count);
  const std::vector<std::uint8_t> flags = random.values_below<std::uint8_t>(count, 2);
  std::vector<Sixteen> wide(count), none(count), chosen;
  for (Sixteen& one : wide)
    for (std::uint8_t& byte : one.bytes) byte = random.value<std::uint8_t>();
  std::vector<std::uint64_t> counts(256, 0);
  for (const std::uint32_t value : host) ++counts[value & 255];
  for (std::size_t i = 0; i < count; i++)
    if (flags[i] != 0) chosen.push_back(wide[i]);
  std::vector<std::uint32_t> reversed(count);
  for (std::size_t i = 0; i < count; i++) reversed[i] = static_cast<std::uint32_t>(count - 1 - i);
  const std::vector<Sixteen> backwards(wide.rbegin(), wide.rend());
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    CallersMemory<std::uint32_t> keys(variant.device, host, 4), indices(variant.device, reversed, 4);
    CallersMemory<std::uint8_t> set(variant.device, flags, 1);
    CallersMemory<Sixteen> elements(variant.device, wide, 3), results(variant.device, none, 5);
    Array<std::uint64_t> bins(variant.device, counts.size());
    primitives::histogram(variant.device, *keys, bins, {.first = 0, .count = 8}, {.tuning = variant.tuning});
    CHECK(bins.download() == counts);
    REQUIRE(primitives::select(variant.device, *elements, *set, *results, {.tuning = variant.tuning}) == chosen.size());
    std::vector<Sixteen> found = results->download();
    found.resize(chosen.size());
    CHECK((found == chosen));
    primitives::gather(variant.device, *elements, *indices, *results, {.tuning = variant.tuning});
    CHECK((results->download() == backwards));
    results->fill({});
    primitives::scatter(variant.device, *elements, *indices, *results, {.tuning = variant.tuning});
    CHECK((results->download() == backwards));
  }
}

}  // namespace
