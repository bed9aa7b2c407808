// Reductions, scans and selections of a number of elements that only the device knows.
#include <algorithm>
#include <numeric>

#include "drawn_variants.hpp"
#include "genocl/error.hpp"
#include "genocl/primitives/reduce.hpp"
#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/select_if.hpp"
#include "genocl/primitives/unique.hpp"
#include "primitives/variants.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;
using primitives::DeviceLength;
using primitives::Operator;

void compare(const Variant& variant, Random& random, std::size_t size, std::uint64_t given) {
  CAPTURE(variant.name);
  CAPTURE(size);
  CAPTURE(given);
  const genocl::Call call{.tuning = variant.tuning};
  const std::size_t length = std::min<std::size_t>(size, given);
  const std::vector<std::uint32_t> host = random.values<std::uint32_t>(size);
  std::vector<std::uint32_t> inclusive(size), exclusive(size), even;
  std::uint32_t total = 0;
  for (std::size_t i = 0; i < size; ++i) {
    exclusive[i] = total;
    if (i < length) total += host[i];
    if (i < length && host[i] % 2 == 0) even.push_back(host[i]);
    inclusive[i] = total;
  }
  const Array<std::uint32_t> values(variant.device, host);
  const Array<std::uint64_t> word(variant.device, std::vector<std::uint64_t>{given});
  Array<std::uint32_t> result(variant.device, 1), results(variant.device, size);
  Array<std::uint64_t> count(variant.device, 1);
  primitives::reduce(variant.device, values, Operator::sum(), result, DeviceLength(word), call);
  CHECK(result.download().front() == total);
  primitives::inclusive_scan(variant.device, values, results, Operator::sum(), DeviceLength(word), call);
  CHECK(results.download() == inclusive);
  primitives::exclusive_scan(variant.device, values, results, Operator::sum(), DeviceLength(word), call);
  CHECK(results.download() == exclusive);
  primitives::select_if(variant.device, "x % 2 == 0", values, results, count, DeviceLength(word), call);
  REQUIRE(count.download().front() == even.size());
  std::vector<std::uint32_t> found = results.download();
  found.resize(even.size());
  CHECK(found == even);
}

TEST_CASE("tiny: lengths on the device") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 161);
  for (const Variant& variant : main_variants()) compare(variant, random, 1000, 600);
}

TEST_CASE("lengths on the device: sizes") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 162);
  const std::vector<Variant> variants = all_variants();
  const Variant& variant = variants[random.below(variants.size())];
  for (const std::size_t size : {0u, 1u, 40'001u})
    for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{size}, ~std::uint64_t{0}})
      compare(variant, random, size, length);
  compare(variant, random, 40'001, 16'385);
}

TEST_CASE("the sum of distinct keys without waiting for their number") {
  for (const DeviceVariant& variant : drawn(device_variants())) {
    const Array<std::uint32_t> keys(variant.device, std::vector<std::uint32_t>{3, 3, 4, 4, 4, 9});
    Array<std::uint32_t> distinct(variant.device, std::vector<std::uint32_t>(6, 1000)), sum(variant.device, 1);
    Array<std::uint64_t> count(variant.device, 1), none(variant.device, 0);
    primitives::unique(variant.device, keys, distinct, count);
    primitives::reduce(variant.device, distinct, Operator::sum(), sum, DeviceLength(count));
    CHECK(sum.download().front() == 16);
    CHECK_THROWS_AS(DeviceLength{none}, genocl::InputError);
  }
}

}  // namespace
