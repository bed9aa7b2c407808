// Past 2^32 elements. Takes 56 GB of device memory: runs only with GENOCL_TEST_LARGE set.
#include <algorithm>
#include <cstdlib>

#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/gather.hpp"
#include "genocl/primitives/histogram.hpp"
#include "genocl/primitives/reduce.hpp"
#include "genocl/primitives/scan.hpp"
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

}  // namespace
