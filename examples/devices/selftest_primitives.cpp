// Checks of the primitives, and of the stencil.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <utility>

#include "devices/selftest.hpp"
#include "genocl/array.hpp"
#include "genocl/jacobi.hpp"
#include "genocl/primitives.hpp"

namespace program {
namespace {

using genocl::Array;
using genocl::Device;
namespace primitives = genocl::primitives;

/// A number of elements that is no multiple of any work-group size, and exceeds the largest several times.
constexpr std::size_t count = 100'003;

template <class T>
std::vector<T> random_numbers(unsigned seed, std::size_t size, std::uint64_t below) {
  std::mt19937_64 random(seed);
  std::vector<T> numbers(size);
  for (T& number : numbers) number = static_cast<T>(random() % below);
  return numbers;
}

template <class T>
Array<T> on(const Device& device, const std::vector<T>& values) {
  return Array<T>(device, std::span<const T>(values));
}

void check_reduce(const Device& device) {
  const auto values = random_numbers<std::uint32_t>(1, count, std::uint64_t{1} << 32);
  const Array<std::uint32_t> array = on(device, values);
  const std::uint64_t total = std::accumulate(values.begin(), values.end(), std::uint64_t{0});
  expect_value("the sum of 32 bits", primitives::sum(device, array), static_cast<std::uint32_t>(total));
  expect_value("the sum of 64 bits", primitives::wide_sum(device, array), total);
  expect_value("the minimum", primitives::minimum(device, array), *std::ranges::min_element(values));
  expect_value("the maximum", primitives::maximum(device, array), *std::ranges::max_element(values));
}

void check_scan(const Device& device) {
  const auto values = random_numbers<std::uint32_t>(2, count, std::uint64_t{1} << 32);
  const Array<std::uint32_t> array = on(device, values);
  std::vector<std::uint64_t> sums(count);
  std::exclusive_scan(values.begin(), values.end(), sums.begin(), std::uint64_t{0});
  Array<std::uint64_t> wide(device, count);
  primitives::exclusive_scan(device, array, wide);
  expect_equal("exclusive sums", wide.download(), sums);
  std::vector<std::uint32_t> running(count);
  std::inclusive_scan(values.begin(), values.end(), running.begin(),
                      [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
  Array<std::uint32_t> narrow(device, count);
  primitives::inclusive_max_scan(device, array, narrow);
  expect_equal("running maxima", narrow.download(), running);
}

void check_select(const Device& device) {
  const auto values = random_numbers<std::uint32_t>(3, count, std::uint64_t{1} << 32);
  const auto flags = random_numbers<std::uint8_t>(4, count, 2);
  std::vector<std::uint32_t> expected;
  for (std::size_t i = 0; i < count; ++i)
    if (flags[i] != 0) expected.push_back(values[i]);
  Array<std::uint32_t> selected(device, count);
  const std::uint64_t found = primitives::select(device, on(device, values), on(device, flags), selected);
  expect_value("the number of selected elements", found, std::uint64_t{expected.size()});
  std::vector<std::uint32_t> results = selected.download();
  results.resize(expected.size());
  expect_equal("selected elements", results, expected);
}

void check_gather(const Device& device) {
  const auto values = random_numbers<std::uint64_t>(5, count, ~std::uint64_t{0});
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::shuffle(order, std::mt19937(6));
  const Array<std::uint32_t> indices = on(device, order);
  Array<std::uint64_t> gathered(device, count), scattered(device, count);
  primitives::gather(device, on(device, values), indices, gathered);
  std::vector<std::uint64_t> expected(count);
  for (std::size_t i = 0; i < count; ++i) expected[i] = values[order[i]];
  expect_equal("gathered elements", gathered.download(), expected);
  primitives::scatter(device, gathered, indices, scattered);
  expect_equal("scattered elements", scattered.download(), values);
}

void check_histogram(const Device& device) {
  constexpr std::size_t bins = 777;
  const auto keys = random_numbers<std::uint32_t>(7, count, bins);
  std::vector<std::uint32_t> expected(bins);
  for (const std::uint32_t key : keys) ++expected[key];
  Array<std::uint32_t> counts(device, bins);
  primitives::histogram(device, on(device, keys), counts);
  expect_equal("counts of bins", counts.download(), expected);
}

void check_sort(const Device& device) {
  std::vector<std::uint32_t> keys = random_numbers<std::uint32_t>(8, count, std::uint64_t{1} << 32);
  Array<std::uint32_t> array = on(device, keys);
  primitives::sort(device, array);
  std::ranges::sort(keys);
  expect_equal("sorted keys of 32 bits", array.download(), keys);

  // Few keys, so that many are equal and the order of values shows that the sort is stable.
  const auto wide = random_numbers<std::uint64_t>(9, count, 5'000);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> pairs(count);
  for (std::uint32_t i = 0; i < count; ++i) pairs[i] = {wide[i] << 30, i};
  std::vector<std::uint64_t> pair_keys(count), sorted_keys(count);
  std::vector<std::uint32_t> pair_values(count), sorted_values(count);
  for (std::size_t i = 0; i < count; ++i) std::tie(pair_keys[i], pair_values[i]) = pairs[i];
  std::ranges::stable_sort(pairs, {}, &std::pair<std::uint64_t, std::uint32_t>::first);
  for (std::size_t i = 0; i < count; ++i) std::tie(sorted_keys[i], sorted_values[i]) = pairs[i];
  Array<std::uint64_t> device_keys = on(device, pair_keys);
  Array<std::uint32_t> device_values = on(device, pair_values);
  primitives::sort(device, device_keys, device_values);
  expect_equal("sorted keys of 64 bits", device_keys.download(), sorted_keys);
  expect_equal("values of sorted keys", device_values.download(), sorted_values);
}

void check_segments(const Device& device) {
  const auto values = random_numbers<std::uint32_t>(10, count, std::uint64_t{1} << 32);
  const std::vector<std::uint32_t> offsets{0, 5, 5, 50'000, 50'003, static_cast<std::uint32_t>(count)};
  std::vector<std::uint32_t> sums, running(count);
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    const auto first = values.begin() + offsets[s], last = values.begin() + offsets[s + 1];
    sums.push_back(std::accumulate(first, last, 0u));
    std::partial_sum(first, last, running.begin() + offsets[s]);
  }
  const Array<std::uint32_t> array = on(device, values), device_offsets = on(device, offsets);
  Array<std::uint32_t> totals(device, sums.size()), scanned(device, count);
  primitives::segmented_reduce(device, array, device_offsets, totals, primitives::Operator::sum());
  expect_equal("sums of segments", totals.download(), sums);
  primitives::segmented_inclusive_scan(device, array, device_offsets, scanned, primitives::Operator::sum());
  expect_equal("running sums of segments", scanned.download(), running);
}

void check_segmented_sort(const Device& device) {
  std::vector<std::uint32_t> offsets = {0};
  std::mt19937 random(10);
  // Segments: empty, short, longer than a work-group, and one for the sort of long segments.
  while (offsets.back() < count - 21'000)
    offsets.push_back(offsets.back() + static_cast<std::uint32_t>(random() % 900));
  offsets.push_back(offsets.back());
  offsets.push_back(count);
  std::vector<std::uint32_t> keys = random_numbers<std::uint32_t>(11, count, 300);
  std::vector<std::uint32_t> values(count);
  std::iota(values.begin(), values.end(), 0U);
  Array<std::uint32_t> device_keys = on(device, keys), device_values = on(device, values);
  primitives::segmented_sort(device, device_keys, device_values, on(device, offsets));
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
    std::stable_sort(values.begin() + offsets[s], values.begin() + offsets[s + 1],
                     [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  std::vector<std::uint32_t> expected(count);
  for (std::size_t i = 0; i < count; ++i) expected[i] = keys[values[i]];
  expect_equal("keys of segments", device_keys.download(), expected);
  expect_equal("values of segments", device_values.download(), values);
}

/// One iteration: each interior cell becomes the mean of itself and its neighbours.
template <class T>
void relax_once(const genocl::jacobi::Grid<T>& from, genocl::jacobi::Grid<T>& to) {
  const genocl::jacobi::Shape& shape = from.shape();
  const bool deep = shape.three_dimensional();
  for (std::uint64_t z = deep ? 1 : 0; z < (deep ? shape.depth - 1 : 1); ++z)
    for (std::uint64_t y = 1; y + 1 < shape.height; ++y)
      for (std::uint64_t x = 1; x + 1 < shape.width; ++x) {
        double sum =
            double{from(x, y, z)} + from(x - 1, y, z) + from(x + 1, y, z) + from(x, y - 1, z) + from(x, y + 1, z);
        if (deep) sum += double{from(x, y, z - 1)} + from(x, y, z + 1);
        to(x, y, z) = static_cast<T>(sum / (deep ? 7 : 5));
      }
}

/// Values are in [0, 100]. The mean of the device is rounded in another order.
template <class T>
void check_jacobi(const Device& device, const genocl::jacobi::Shape& shape) {
  constexpr unsigned iterations = 37;
  const double tolerance = sizeof(T) == sizeof(float) ? 1e-3 : 1e-11;
  genocl::jacobi::Grid<T> grid(shape), before(shape), after(shape);
  const genocl::jacobi::Boundary<T> boundary{.top = 100, .left = 25, .right = 75, .front = 50};
  for (genocl::jacobi::Grid<T>* one : {&grid, &before, &after}) one->fill(boundary, 10);
  genocl::jacobi::solve<T>(device, grid, {.iterations = iterations});
  for (unsigned i = 0; i < iterations; ++i) {
    relax_once(before, after);
    std::swap(before, after);
  }
  for (std::size_t i = 0; i < grid.cells().size(); ++i)
    if (!(std::abs(double{grid.cells()[i]} - double{before.cells()[i]}) <= tolerance))
      throw Mismatch("cell " + std::to_string(i) + " of " + shape.text() + " is " + std::to_string(grid.cells()[i]) +
                     " instead of " + std::to_string(before.cells()[i]));
}

template <class T>
void check_jacobi_shapes(const Device& device) {
  check_jacobi<T>(device, {301, 203, 1});
  check_jacobi<T>(device, {45, 37, 29});
}

}  // namespace

std::vector<SelftestCheck> primitive_checks() {
  return {{"primitives reduce", check_reduce},
          {"primitives scan", check_scan},
          {"primitives select", check_select},
          {"primitives gather", check_gather},
          {"primitives histogram", check_histogram},
          {"primitives sort", check_sort},
          {"primitives segmented_reduce", check_segments},
          {"primitives segmented_sort", check_segmented_sort}};
}

std::vector<SelftestCheck> stencil_checks(bool fp64) {
  std::vector<SelftestCheck> checks = {{"jacobi float", check_jacobi_shapes<float>}};
  if (fp64) checks.push_back({"jacobi double", check_jacobi_shapes<double>});
  return checks;
}

}  // namespace program
