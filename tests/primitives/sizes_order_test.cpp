// Primitives that order elements, on 37 sizes around tiles and all types, against std::.
#include <algorithm>
#include <functional>
#include <numeric>

#include "genocl/primitives.hpp"
#include "primitives/sizes.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;
using genocl::Device;
using primitives::Comparison;

/// The stable order of keys.
template <class T>
std::vector<std::uint32_t> order_of(const std::vector<T>& keys, bool descending) {
  std::vector<std::uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return descending ? keys[b] < keys[a] : keys[a] < keys[b];
  });
  return order;
}

template <class T>
std::vector<T> in_order(const std::vector<T>& items, const std::vector<std::uint32_t>& order) {
  std::vector<T> moved(order.size());
  std::transform(order.begin(), order.end(), moved.begin(), [&](std::uint32_t i) { return items[i]; });
  return moved;
}

std::vector<std::uint32_t> numbers(std::size_t size) {
  std::vector<std::uint32_t> all(size);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

template <class T>
std::vector<T> first_of(const Array<T>& array, std::uint64_t number) {
  std::vector<T> host = array.download();
  REQUIRE(number <= host.size());
  host.resize(number);
  return host;
}

struct Checks {
  template <class T>
  static void sort(const Device& device, Random& random, const SizedInput<T>& input) {
    const bool descending = random.below(2) == 0;
    CAPTURE(descending);
    const std::vector<std::uint32_t> order = order_of(input.values, descending);
    Array<T> keys(device, input.values), sorted(device, input.values.size());
    Array<std::uint32_t> values(device, numbers(input.values.size()));
    primitives::sort_copy(device, keys, sorted, {.descending = descending});
    CHECK(sorted.download() == in_order(input.values, order));
    primitives::sort(device, keys, values, {.descending = descending});
    CHECK(keys.download() == in_order(input.values, order));
    CHECK(values.download() == order);
  }

  template <class T>
  static void merge_sort(const Device& device, Random&, const SizedInput<T>& input) {
    std::vector<std::uint32_t> order = numbers(input.values.size());
    const auto rest = [&](std::uint32_t i) { return static_cast<int>(input.values[i]) % 7; };
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return rest(a) > rest(b); });
    Array<T> keys(device, input.values);
    Array<std::uint32_t> values(device, numbers(input.values.size()));
    primitives::merge_sort(device, keys, values, Comparison("(int)a % 7 > (int)b % 7"));
    CHECK(keys.download() == in_order(input.values, order));
    CHECK(values.download() == order);
  }

  template <class T>
  static void segmented_sort(const Device& device, Random& random, const SizedInput<T>& input) {
    const std::size_t size = input.values.size();
    std::vector<std::uint32_t> host_offsets{0}, order = numbers(size);
    while (host_offsets.back() < size) {
      const std::uint64_t length = random.below(30) == 0 ? random.below(3000) : random.below(41);
      const std::uint64_t first = host_offsets.back(), last = std::min<std::uint64_t>(size, first + length);
      host_offsets.push_back(static_cast<std::uint32_t>(last));
      std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(first),
                       order.begin() + static_cast<std::ptrdiff_t>(last),
                       [&](std::uint32_t a, std::uint32_t b) { return input.values[a] < input.values[b]; });
    }
    const Array<std::uint32_t> offsets(device, host_offsets);
    Array<T> keys(device, input.values);
    Array<std::uint32_t> values(device, numbers(size));
    primitives::segmented_sort(device, keys, values, offsets);
    CHECK(keys.download() == in_order(input.values, order));
    CHECK(values.download() == order);
  }

  template <class T>
  static void merge(const Device& device, Random& random, const SizedInput<T>& input) {
    const auto middle = input.values.begin() + static_cast<std::ptrdiff_t>(random.below(input.values.size() + 1));
    std::vector<T> a(input.values.begin(), middle), b(middle, input.values.end()), merged;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(merged));
    const Array<T> first(device, a), second(device, b);
    Array<T> results(device, input.values.size());
    primitives::merge(device, first, second, results);
    CHECK(results.download() == merged);
    const auto check = [&](auto call, auto algorithm) {
      std::vector<T> expected;
      algorithm(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
      REQUIRE(call(device, first, second, results) == expected.size());
      CHECK(first_of(results, expected.size()) == expected);
    };
#define SAME_AS_STD(name) \
  check([](auto&&... all) { return primitives::name(all...); }, [](auto... all) { return std::name(all...); })
    SAME_AS_STD(set_union);
    SAME_AS_STD(set_intersection);
    SAME_AS_STD(set_difference);
    SAME_AS_STD(set_symmetric_difference);
#undef SAME_AS_STD
  }

  template <class T>
  static void top_k(const Device& device, Random& random, const SizedInput<T>& input) {
    const std::size_t size = input.values.size();
    if (size == 0) return;
    const std::size_t k = 1 + random.below(size);
    CAPTURE(k);
    const auto largest = order_of(input.values, true), smallest = order_of(input.values, false);
    // The numbers of the keys before the k-th one, then of those equal to it, each in their order.
    const T kth = input.values[largest[k - 1]];
    std::vector<std::uint32_t> expected(largest.begin(), largest.begin() + static_cast<std::ptrdiff_t>(k));
    const auto equal =
        std::partition_point(expected.begin(), expected.end(), [&](std::uint32_t i) { return input.values[i] != kth; });
    std::sort(expected.begin(), equal);
    Array<T> keys(device, input.values), best(device, k);
    Array<std::uint32_t> values(device, numbers(size)), best_values(device, k);
    primitives::top_k(device, keys, values, best, best_values);
    CHECK(best_values.download() == expected);
    CHECK(best.download() == in_order(input.values, expected));
    primitives::nth_element(device, keys, k - 1);
    const std::vector<T> found = keys.download();
    CHECK(found[k - 1] == input.values[smallest[k - 1]]);
    CHECK(std::is_permutation(found.begin(), found.end(), input.values.begin()));
    CHECK(std::all_of(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(k - 1),
                      [&](T value) { return value <= found[k - 1]; }));
    CHECK(std::all_of(found.begin() + static_cast<std::ptrdiff_t>(k), found.end(),
                      [&](T value) { return value >= found[k - 1]; }));
  }

  template <class T>
  static constexpr std::array<SizeCheck<T>, 5> all() {
    return {sort<T>, merge_sort<T>, segmented_sort<T>, merge<T>, top_k<T>};
  }
};

TEST_CASE("primitives that order elements: sizes around tiles, every type") {
  GENOCL_SHOW_SEED();
  run_checks(checks_of_every_type<Checks>(), 202);
}

}  // namespace
