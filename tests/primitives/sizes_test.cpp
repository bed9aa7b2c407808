// Primitives that keep the order of elements, on 37 sizes around tiles and all types, against std::.
#include "primitives/sizes.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "genocl/primitives.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;
using genocl::Device;
using primitives::Operator;

template <class T>
std::vector<T> first_of(const Array<T>& array, std::uint64_t number) {
  std::vector<T> host = array.download();
  REQUIRE(number <= host.size());
  host.resize(number);
  return host;
}

template <class T>
T plus(T a, T b) {
  return static_cast<T>(a + b);
}

/// Offsets of segments of 0 to 40 elements, some of them long.
std::vector<std::uint32_t> random_offsets(Random& random, std::size_t size) {
  std::vector<std::uint32_t> offsets{0};
  while (offsets.back() < size) {
    const std::uint64_t length = random.below(20) == 0 ? random.below(3000) : random.below(41);
    offsets.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(size, offsets.back() + length)));
  }
  return offsets;
}

struct Checks {
  template <class T>
  static void move(const Device& device, Random& random, const SizedInput<T>& input) {
    const std::size_t size = input.values.size();
    std::vector<std::uint32_t> places(size);
    std::iota(places.begin(), places.end(), 0u);
    std::shuffle(places.begin(), places.end(), random);
    std::vector<T> gathered(size), scattered(size);
    for (std::size_t i = 0; i < size; ++i) {
      gathered[i] = input.values[places[i]];
      scattered[places[i]] = input.values[i];
    }
    const Array<T> values(device, input.values);
    const Array<std::uint32_t> indices(device, places);
    Array<T> results(device, size);
    primitives::gather(device, values, indices, results);
    CHECK(results.download() == gathered);
    primitives::scatter(device, values, indices, results);
    CHECK(results.download() == scattered);
    primitives::copy(device, values, results);
    CHECK(results.download() == input.values);
    Array<std::uint32_t> numbers(device, size);
    primitives::iota(device, numbers);
    std::iota(places.begin(), places.end(), 0u);
    CHECK(numbers.download() == places);
  }

  template <class T>
  static void transform(const Device& device, Random&, const SizedInput<T>& input) {
    std::vector<T> doubled(input.values), differences(input.values);
    for (T& value : doubled) value = static_cast<T>(value * 2 + 1);
    for (std::size_t i = 1; i < differences.size(); ++i)
      differences[i] = static_cast<T>(input.values[i] - input.values[i - 1]);
    const Array<T> values(device, input.values);
    Array<T> results(device, input.values.size());
    primitives::transform(device, "x * 2 + 1", values, results);
    CHECK(results.download() == doubled);
    primitives::adjacent_difference(device, values, results);
    CHECK(results.download() == differences);
  }

  template <class T>
  static void reduce(const Device& device, Random&, const SizedInput<T>& input) {
    const Array<T> values(device, input.values);
    CHECK(primitives::reduce(device, values, Operator::sum()) ==
          std::accumulate(input.values.begin(), input.values.end(), T{}, plus<T>));
    if (input.values.empty()) return;
    const auto highest = std::max_element(input.values.begin(), input.values.end());
    CHECK(primitives::maximum(device, values) == *highest);
    const auto found = primitives::arg_max(device, values);
    CHECK(found.value == *highest);
    CHECK(found.index == static_cast<std::uint64_t>(highest - input.values.begin()));
    CHECK(primitives::transform_reduce<std::int32_t>(device, "(int)x * (int)x", values, Operator::maximum()) ==
          static_cast<std::int32_t>(*highest) * static_cast<std::int32_t>(*highest));
  }

  template <class T>
  static void scan(const Device& device, Random&, const SizedInput<T>& input) {
    const std::size_t size = input.values.size();
    std::vector<T> inclusive(size), exclusive(size);
    std::inclusive_scan(input.values.begin(), input.values.end(), inclusive.begin(), plus<T>);
    std::exclusive_scan(input.values.begin(), input.values.end(), exclusive.begin(), T{}, plus<T>);
    const Array<T> values(device, input.values);
    Array<T> results(device, size);
    primitives::inclusive_scan(device, values, results, Operator::sum());
    CHECK(results.download() == inclusive);
    primitives::exclusive_scan(device, values, results, Operator::sum());
    CHECK(results.download() == exclusive);
    if constexpr (primitives::Scannable<T, T>) {
      primitives::inclusive_scan(device, values, results);
      CHECK(results.download() == inclusive);
      primitives::exclusive_scan(device, values, results);
      CHECK(results.download() == exclusive);
    }
  }

  template <class T>
  static void by_key(const Device& device, Random&, const SizedInput<T>& input) {
    const std::size_t size = input.values.size();
    std::vector<T> scanned(size), keys, totals;
    std::vector<std::uint32_t> lengths;
    for (std::size_t i = 0; i < size; ++i) {
      if (i == 0 || input.keys[i] != input.keys[i - 1]) {
        keys.push_back(input.keys[i]);
        totals.push_back(T{});
        lengths.push_back(0);
      }
      scanned[i] = totals.back() = plus(totals.back(), input.values[i]);
      ++lengths.back();
    }
    const Array<T> values(device, input.values), device_keys(device, input.keys);
    Array<T> results(device, size), found_keys(device, size);
    Array<std::uint32_t> found_lengths(device, size);
    primitives::inclusive_scan_by_key(device, device_keys, values, results, Operator::sum());
    CHECK(results.download() == scanned);
    REQUIRE(primitives::reduce_by_key(device, device_keys, values, found_keys, results, Operator::sum()) ==
            keys.size());
    CHECK(first_of(found_keys, keys.size()) == keys);
    CHECK(first_of(results, keys.size()) == totals);
    REQUIRE(primitives::run_length_encode(device, device_keys, found_keys, found_lengths) == keys.size());
    CHECK(first_of(found_keys, keys.size()) == keys);
    CHECK(first_of(found_lengths, keys.size()) == lengths);
  }

  template <class T>
  static void segments(const Device& device, Random& random, const SizedInput<T>& input) {
    const std::vector<std::uint32_t> host_offsets = random_offsets(random, input.values.size());
    const std::size_t segments = host_offsets.size() - 1;
    std::vector<T> sums(segments), scanned(input.values.size());
    std::vector<std::uint64_t> places(segments, primitives::IndexedElement<T>::no_index);
    for (std::size_t s = 0; s < segments; ++s) {
      const auto first = input.values.begin() + host_offsets[s], last = input.values.begin() + host_offsets[s + 1];
      std::inclusive_scan(first, last, scanned.begin() + host_offsets[s], plus<T>);
      sums[s] = std::accumulate(first, last, T{}, plus<T>);
      if (first != last) places[s] = static_cast<std::uint64_t>(std::max_element(first, last) - first);
    }
    const Array<T> values(device, input.values);
    const Array<std::uint32_t> offsets(device, host_offsets);
    Array<T> results(device, input.values.size()), found(device, segments);
    Array<primitives::IndexedElement<T>> elements(device, segments);
    primitives::segmented_reduce(device, values, offsets, found, Operator::sum());
    CHECK(found.download() == sums);
    primitives::segmented_inclusive_scan(device, values, offsets, results, Operator::sum());
    CHECK(results.download() == scanned);
    primitives::segmented_arg_max(device, values, offsets, elements);
    const auto host_elements = elements.download();
    for (std::size_t s = 0; s < segments; ++s) REQUIRE(host_elements[s].index == places[s]);
  }

  template <class T>
  static void select(const Device& device, Random& random, const SizedInput<T>& input) {
    const std::size_t size = input.values.size();
    const std::vector<std::uint8_t> host_flags = random.values_below<std::uint8_t>(size, 2);
    std::vector<T> flagged, small, others;
    std::vector<std::uint32_t> places;
    for (std::size_t i = 0; i < size; ++i) {
      if (host_flags[i] != 0) {
        flagged.push_back(input.values[i]);
        places.push_back(static_cast<std::uint32_t>(i));
      }
      (input.values[i] < 20 && i % 3 != 0 ? small : others).push_back(input.values[i]);
    }
    const Array<T> values(device, input.values);
    const Array<std::uint8_t> flags(device, host_flags);
    Array<T> results(device, size), rejected(device, size);
    Array<std::uint32_t> indices(device, size);
    REQUIRE(primitives::select(device, values, flags, results) == flagged.size());
    CHECK(first_of(results, flagged.size()) == flagged);
    REQUIRE(primitives::select_indices(device, flags, indices) == places.size());
    CHECK(first_of(indices, places.size()) == places);
    REQUIRE(primitives::select_if(device, "x < 20 && i % 3 != 0", values, results) == small.size());
    CHECK(first_of(results, small.size()) == small);
    REQUIRE(primitives::partition_copy(device, "x < 20 && i % 3 != 0", values, results, rejected) == small.size());
    CHECK(first_of(results, small.size()) == small);
    CHECK(first_of(rejected, others.size()) == others);
  }

  template <class T>
  static void unique(const Device& device, Random&, const SizedInput<T>& input) {
    const std::size_t size = input.keys.size();
    std::vector<T> keys, firsts;
    for (std::size_t i = 0; i < size; ++i)
      if (i == 0 || input.keys[i] != input.keys[i - 1]) {
        keys.push_back(input.keys[i]);
        firsts.push_back(input.values[i]);
      }
    const Array<T> device_keys(device, input.keys), values(device, input.values);
    Array<T> found_keys(device, size), found(device, size);
    REQUIRE(primitives::unique(device, device_keys, found_keys) == keys.size());
    CHECK(first_of(found_keys, keys.size()) == keys);
    REQUIRE(primitives::unique_by_key(device, device_keys, values, found_keys, found) == keys.size());
    CHECK(first_of(found_keys, keys.size()) == keys);
    CHECK(first_of(found, keys.size()) == firsts);
  }

  template <class T>
  static void histogram(const Device& device, Random&, const SizedInput<T>& input) {
    const std::vector<T> host_levels{T{5}, T{6}, T{20}, T{49}};
    std::vector<std::uint32_t> even(8), ranges(3);
    for (const T value : input.values) {
      if (value < 40) ++even[static_cast<std::size_t>(value) / 5];
      if (value >= 5 && value < 49) ++ranges[value < 6 ? 0 : value < 20 ? 1 : 2];
    }
    const Array<T> values(device, input.values), levels(device, host_levels);
    Array<std::uint32_t> counts(device, 8), few(device, 3);
    primitives::histogram_even(device, values, counts, 0, 40);
    CHECK(counts.download() == even);
    primitives::histogram_range(device, values, levels, few);
    CHECK(few.download() == ranges);
  }

  template <class T>
  static constexpr std::array<SizeCheck<T>, 9> all() {
    return {move<T>, transform<T>, reduce<T>, scan<T>, by_key<T>, segments<T>, select<T>, unique<T>, histogram<T>};
  }
};

TEST_CASE("primitives that keep the order: sizes around tiles, every type") {
  GENOCL_SHOW_SEED();
  run_checks(checks_of_every_type<Checks>(), 201);
}

TEST_CASE("random numbers: sizes around tiles") {
  for (const DeviceVariant& variant : device_variants()) {
    CAPTURE(variant.name);
    Array<std::uint32_t> longest(variant.device, tile_sizes.back());
    primitives::random_words(variant.device, longest, {.seed = 5});
    const std::vector<std::uint32_t> host = longest.download();
    for (const std::size_t size : tile_sizes) {
      CAPTURE(size);
      Array<std::uint32_t> words(variant.device, size);
      primitives::random_words(variant.device, words, {.seed = 5});
      const std::vector<std::uint32_t> found = words.download();
      CHECK(std::equal(found.begin(), found.end(), host.begin()));
    }
  }
}

}  // namespace
