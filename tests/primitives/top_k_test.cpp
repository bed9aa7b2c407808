#include "genocl/primitives/top_k.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <limits>
#include <numeric>

#include "drawn_variants.hpp"
#include "genocl/error.hpp"
#include "primitives/variants.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;

template <class T>
bool is_less(T a, T b) {
  return std::strong_order(a, b) < 0;
}

/// The oracle: the numbers of the elements before the k-th one, equal to it, and after it, each in their order.
template <class T>
std::vector<std::uint32_t> selection_order(const std::vector<T>& host, std::uint64_t k, bool descending) {
  const auto before = [&](T a, T b) { return descending ? is_less(b, a) : is_less(a, b); };
  std::vector<T> sorted = host;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(k - 1), sorted.end(), before);
  const T kth = sorted[k - 1];
  std::vector<std::uint32_t> order(host.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto kind = [&](T x) { return before(x, kth) ? 0 : before(kth, x) ? 2 : 1; };
    return kind(host[a]) < kind(host[b]);
  });
  return order;
}

template <class T>
std::vector<T> chosen(const std::vector<T>& host, const std::vector<std::uint32_t>& order, std::uint64_t k) {
  std::vector<T> all;
  for (std::uint64_t i = 0; i < k; ++i) all.push_back(host[order[i]]);
  return all;
}

template <class K>
void compare(const Variant& variant, Random& random, const std::vector<K>& host, std::uint64_t k) {
  CAPTURE(variant.name);
  CAPTURE(host.size());
  CAPTURE(k);
  CAPTURE(sizeof(K));
  const genocl::Call call{.tuning = variant.tuning};
  const bool smallest = random.below(2) == 0;
  CAPTURE(smallest);
  std::vector<std::uint32_t> numbers(host.size());
  for (std::size_t i = 0; i < host.size(); ++i) numbers[i] = static_cast<std::uint32_t>(i) * 7 + 5;
  const std::vector<std::uint32_t> order = selection_order(host, k, !smallest);
  const Array<K> keys(variant.device, host);
  Array<K> top(variant.device, k);
  Array<std::uint32_t> top_values(variant.device, k), values(variant.device, numbers);
  primitives::top_k(variant.device, keys, values, top, top_values, {.smallest = smallest}, call);
  CHECK(top.download() == chosen(host, order, k));
  CHECK(top_values.download() == chosen(numbers, order, k));
  Array<K> rearranged(variant.device, host);
  primitives::nth_element(variant.device, rearranged, values, k - 1, {.descending = !smallest}, call);
  CHECK(rearranged.download() == chosen(host, order, host.size()));
  CHECK(values.download() == chosen(numbers, order, host.size()));
}

TEST_CASE("tiny: top_k and nth_element") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 151);
  // Explicit launch parameters are those of the kernels for many keys.
  for (const Variant& variant : all_variants()) {
    compare<std::uint32_t>(variant, random, random.values<std::uint32_t>(1500), 10);
    const Array<float> scores(variant.device, std::vector<float>{3, -1, 7, 7, 0.5f});
    Array<float> best(variant.device, 2);
    primitives::top_k(variant.device, scores, best);
    CHECK(best.download() == std::vector<float>{7, 7});
  }
}

TEST_CASE("top_k and nth_element: sizes and types") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 152);
  using Check = void (*)(const Variant&, Random&);
  const std::vector<Check> checks{
      [](const Variant& v, Random& r) {
        for (const std::size_t size : {1u, 2u, 2049u, 70'001u})
          for (const std::uint64_t k : {std::uint64_t{1}, std::uint64_t{size + 1} / 2, std::uint64_t{size}})
            compare(v, r, r.values<std::uint32_t>(size), k);
        compare(v, r, r.values_below<std::uint32_t>(50'000, 3), 30'000);
        compare(v, r, std::vector<std::uint32_t>(50'000, 7), 20'000);
      },
      [](const Variant& v, Random& r) { compare(v, r, r.values<std::int8_t>(30'001), 1000); },
      [](const Variant& v, Random& r) { compare(v, r, r.values<std::uint16_t>(30'001), 29'000); },
      [](const Variant& v, Random& r) { compare(v, r, r.values<std::int64_t>(60'001), 100); },
      [](const Variant& v, Random& r) { compare(v, r, r.values<double>(60'001), 5000); }};
  const std::vector<Variant> variants = all_variants();
  for (const Check check : random.some_of(checks)) check(variants[random.below(variants.size())], random);
}

// `cpu` kernels filter the keys of large shares by a limit.
TEST_CASE("tiny: top_k of 2 among many keys on CPUs") {
  for (const Variant& variant : main_variants()) {
    if (variant.device.family() != genocl::KernelFamily::cpu) continue;
    std::vector<std::uint32_t> host(33'000);
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<std::uint32_t>(i * 7919 % 33'000);
    Array<std::uint32_t> top(variant.device, 2);
    primitives::top_k(variant.device, Array<std::uint32_t>(variant.device, host), top);
    std::vector<std::uint32_t> found = top.download();
    std::sort(found.begin(), found.end());
    CHECK(found == std::vector<std::uint32_t>{32'998, 32'999});
  }
}

TEST_CASE("top_k of few among many keys: orders, ties, types, scratch memory") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 153);
  constexpr std::size_t size = 600'001;
  std::vector<std::uint32_t> ascending(size), ends(size, 5);
  std::iota(ascending.begin(), ascending.end(), 0u);
  for (std::size_t i = size - 3'000; i < size; ++i) ends[i] = static_cast<std::uint32_t>(i % 11);
  const std::vector<std::uint32_t> descending(ascending.rbegin(), ascending.rend());
  using Check = void (*)(const Variant&, Random&);
  const std::vector<Check> types{
      [](const Variant& v, Random& r) { compare(v, r, r.values<std::uint32_t>(size), 2048); },
      [](const Variant& v, Random& r) { compare(v, r, r.values<std::int64_t>(size), 777); },
      [](const Variant& v, Random& r) { compare(v, r, r.values<std::int8_t>(size), 1000); },
      [](const Variant& v, Random& r) { compare(v, r, r.values<float>(size), 1); }};
  for (const Variant& variant : all_variants()) {
    for (const std::vector<std::uint32_t>& host : {ascending, descending, ends}) compare(variant, random, host, 1000);
    compare(variant, random, random.values_below<std::uint32_t>(size, 7), 100);
    for (const Check check : random.some_of(types)) check(variant, random);
    const std::size_t bytes = primitives::top_k_scratch_bytes(variant.device, size, variant.tuning);
    Array<std::byte> scratch(variant.device, bytes);
    const Array<std::uint32_t> keys(variant.device, ascending);
    Array<std::uint32_t> top(variant.device, 2048);
    primitives::top_k(variant.device, keys, top, {}, {.scratch = scratch.span(), .tuning = variant.tuning});
    std::vector<std::uint32_t> expected(ascending.end() - 2047, ascending.end());
    expected.push_back(ascending[size - 2048]);  // the k-th key is behind larger ones
    CHECK(top.download() == expected);
  }
}

TEST_CASE("top_k: NaN, wide values, parts of buffers, scratch memory, errors") {
  for (const DeviceVariant& variant : drawn(device_variants())) {
    const genocl::Device& device = variant.device;
    using Wide = std::array<std::uint64_t, 2>;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Array<float> keys(device, std::vector<float>{100, 1, nan, -nan, 5, 3});
    const Array<Wide> values(device, std::vector<Wide>{{}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}});
    Array<float> top(device, 3);
    Array<Wide> top_values(device, 2);
    Array<std::byte> scratch(device, primitives::top_k_scratch_bytes(device, 5)), little(device, 1);
    primitives::top_k(device, keys.subspan(1, 5), values.subspan(1, 5), top.subspan(1, 2), top_values, {},
                      {.scratch = scratch.span()});
    CHECK(top_values.download() == std::vector<Wide>{{2, 2}, {4, 4}});
    CHECK(top.download()[2] == 5);
    primitives::top_k(device, keys, top.first(0));
    CHECK_THROWS_AS(primitives::top_k(device, keys.first(2), top), genocl::InputError);
    CHECK_THROWS_AS(primitives::top_k(device, keys, values, top, top_values), genocl::InputError);
    CHECK_THROWS_AS(primitives::top_k(device, keys, top, {}, {.scratch = little.span()}), genocl::CapacityError);
    CHECK_THROWS_AS(primitives::nth_element(device, top, 3), genocl::InputError);
  }
}

}  // namespace
