// Past 2^32 elements. Takes 56 GB of device memory: runs only with GENOCL_TEST_LARGE set.
#include <algorithm>
#include <cstdlib>

#include "genocl/primitives.hpp"
#include "primitives/variants.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;

constexpr std::uint64_t size = (std::uint64_t{1} << 32) + 12'345;

TEST_CASE("primitives past 2^32 elements" * doctest::skip(std::getenv("GENOCL_TEST_LARGE") == nullptr)) {
  for (const Variant& variant : main_variants()) {
    if (variant.device.family() == genocl::KernelFamily::cpu && variant.device.info().type == genocl::DeviceType::gpu)
      continue;
    CAPTURE(variant.name);
    const genocl::Device& device = variant.device;
    {
      Array<std::uint32_t> ones(device, size);
      ones.fill(1u);
      CHECK(primitives::wide_sum(device, ones) == size);
      CHECK(primitives::sum(device, ones) == 12'345);
      ones.upload(std::vector<std::uint32_t>{9, 3}, size - 2);
      CHECK(primitives::maximum(device, ones) == 9);
      Array<std::uint64_t> counts(device, 10), results(device, size);
      primitives::histogram(device, ones, counts);
      CHECK(counts.download() == std::vector<std::uint64_t>{0, size - 2, 0, 1, 0, 0, 0, 0, 0, 1});
      primitives::exclusive_scan(device, ones, results);
      std::vector<std::uint64_t> last(3);
      results.download(std::span(last), size - 3);
      CHECK(last == std::vector<std::uint64_t>{size - 3, size - 2, size + 7});
      // 0 + 1 + ... + (size - 1), and 8 more at the end.
      CHECK(primitives::sum(device, results) == (size % 2 == 0 ? size / 2 * (size - 1) : (size - 1) / 2 * size) + 8);

      const Array<std::uint64_t> indices(device, std::vector<std::uint64_t>{size - 1, 5, size - 2, size});
      Array<std::uint32_t> gathered(device, 4);
      primitives::gather(device, ones, indices, gathered);
      CHECK(gathered.download() == std::vector<std::uint32_t>{3, 1, 9, 0});
      primitives::iota(device, results);
      primitives::scatter(device, gathered, indices, ones);
      CHECK(primitives::wide_sum(device, ones) == size + 10);
      results.download(std::span(last), size - 3);
      CHECK(last == std::vector<std::uint64_t>{size - 3, size - 2, size - 1});
    }
    Array<std::uint8_t> flags(device, size);
    flags.fill(std::uint8_t{0});
    const std::vector<std::uint64_t> places = {0, 77, (std::uint64_t{1} << 32) - 1, std::uint64_t{1} << 32, size - 1};
    for (const std::uint64_t place : places) flags.upload(std::vector<std::uint8_t>{1}, place);
    Array<std::uint64_t> found(device, places.size());
    CHECK(primitives::select_indices(device, flags, found) == places.size());
    CHECK(found.download() == places);
    flags.fill(std::uint8_t{1});
    CHECK(primitives::select_indices(device, flags, found) == size);
  }
}

// Bytes whose element i is i / run: 65 runs, the last one of 12,345 elements.
TEST_CASE("primitives of bytes past 2^32 elements" * doctest::skip(std::getenv("GENOCL_TEST_LARGE") == nullptr)) {
  using primitives::Comparison;
  using primitives::Expression;
  using primitives::Operator;
  using Bytes = std::vector<std::uint8_t>;
  constexpr std::uint64_t run = std::uint64_t{1} << 26, tail = size - 64 * run;
  for (const Variant& variant : main_variants()) {
    if (variant.device.family() == genocl::KernelFamily::cpu && variant.device.info().type == genocl::DeviceType::gpu)
      continue;
    CAPTURE(variant.name);
    const genocl::Device& device = variant.device;
    Array<std::uint8_t> values(device, size), results(device, size);
    const auto results_at = [&](std::uint64_t first, std::size_t number) {
      Bytes some(number);
      results.download(std::span(some), first);
      return some;
    };
    results.fill(std::uint8_t{1});
    primitives::transform(device, Expression("i / " + std::to_string(run)), results, values);

    CHECK(primitives::transform_reduce<std::uint64_t>(device, "(ulong)x", values, Operator::sum()) ==
          63 * 64 / 2 * run + 64 * tail);
    CHECK(primitives::reduce(device, values, Operator::maximum()) == 64);
    const auto largest = primitives::arg_max(device, values);
    CHECK(largest.index == 64 * run);
    CHECK(largest.value == 64);

    // Sums modulo 256, at the end and around element 2^32.
    primitives::inclusive_scan_by_key(device, values, results, results, Operator::sum());
    CHECK(results_at(64 * run - 2, 4) == Bytes{255, 0, 1, 2});
    primitives::adjacent_difference(device, values, results);
    CHECK(primitives::select_if(device, "x != 0", results, Array<std::uint8_t>(device, 64)) == 64);
    primitives::inclusive_scan(device, results, results, Operator::sum());
    CHECK(results_at(64 * run - 1, 2) == Bytes{63, 64});
    CHECK(primitives::select_if(device, "x == 64 || i == 5", values, results) == tail + 1);
    CHECK(results_at(0, 2) == Bytes{0, 64});
    Array<std::uint8_t> rejected(device, tail);
    CHECK(primitives::partition_copy(device, "x < 64", values, results, rejected) == 64 * run);
    CHECK(results_at(64 * run - 1, 1) == Bytes{63});
    CHECK(primitives::minimum(device, rejected) == 64);

    Array<std::uint8_t> keys(device, 65);
    Array<std::uint64_t> lengths(device, 65);
    CHECK(primitives::run_length_encode(device, values, keys, lengths) == 65);
    CHECK(keys.download()[64] == 64);
    CHECK(lengths.download()[63] == run);
    CHECK(lengths.download()[64] == tail);
    CHECK(primitives::unique(device, values, results) == 65);
    CHECK(results_at(63, 2) == Bytes{63, 64});
    Array<std::uint64_t> counts(device, 65);
    primitives::histogram_even(device, values, counts, 0, 65);
    CHECK(counts.download() == lengths.download());
    const Array<std::uint64_t> offsets(device, std::vector<std::uint64_t>{0, 64 * run, size});
    Array<std::uint8_t> minima(device, 2);
    primitives::segmented_reduce(device, values, offsets, minima, Operator::minimum());
    CHECK(minima.download() == Bytes{0, 64});

    const Array<std::uint8_t> few(device, Bytes{5, 64, 64, 70});
    {
      Array<std::uint8_t> merged(device, size + 4);
      primitives::merge(device, values, few, merged);
      Bytes some(4);
      merged.download(std::span(some), size);
      CHECK(some == Bytes{64, 64, 64, 70});
      CHECK(primitives::set_union(device, few, values, merged) == size + 1);
      CHECK(primitives::set_intersection(device, values, few, merged) == 3);
    }
    Array<std::uint8_t> top(device, 3);
    primitives::top_k(device, values, top);
    CHECK(top.download() == Bytes{64, 64, 64});
    // Sorts of values that are not in order. 151 is odd: all bytes are equally frequent among the first 2^32.
    primitives::transform(device, "i * 151", values, results);
    primitives::sort(device, results);
    CHECK(results_at(0, 1) == Bytes{0});
    CHECK(results_at(size - 1, 1) == Bytes{255});
    primitives::adjacent_difference(device, results, values);
    CHECK(primitives::select_if(device, "x != 0", values, Array<std::uint8_t>(device, 256)) == 255);
    primitives::transform(device, "i * 151", values, results);
    primitives::nth_element(device, results, size / 2 + 1000);  // 127 ends about 1,000 before
    CHECK(results_at(size / 2 + 1000, 1) == Bytes{128});
    primitives::transform(device, "i * 151", values, results);
    primitives::merge_sort(device, results, Comparison("a > b"));
    primitives::adjacent_difference(device, results, values);
    CHECK(primitives::select_if(device, "x != 0 && x != 255", values, Array<std::uint8_t>(device, 256)) == 0);
    CHECK(results_at(size - 1, 1) == Bytes{0});
  }
}

}  // namespace
