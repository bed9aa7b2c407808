// GENOCL_CHECK=1: indices and offsets outside the operands are errors.
#include <functional>
#include <limits>
#include <numeric>

#include "genocl/error.hpp"
#include "genocl/primitives/gather.hpp"
#include "genocl/primitives/segmented_sort.hpp"
#include "primitives/variants.hpp"
#include "runtime/helpers.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const genocl::InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST_CASE("tiny: GENOCL_CHECK=1 reports the first index outside before it writes") {
  const Environment on("GENOCL_CHECK", "1");
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    const genocl::Device& device = variant.device;
    const Array<std::uint32_t> values(device, std::vector<std::uint32_t>{1, 2, 3, 4});
    const Array<std::uint32_t> good(device, std::vector<std::uint32_t>{3, 0, 3, 2}),
        bad(device, std::vector<std::uint32_t>{3, 0, 4, 9});
    const std::vector<std::uint32_t> untouched(4, 77);
    Array<std::uint32_t> to(device, untouched);
    CHECK(error_of([&] { primitives::gather(device, values, bad, to); }) ==
          "gather: indices[2] is 4; expected a number below 4");
    CHECK(error_of([&] { primitives::scatter(device, values, bad, to); }) ==
          "scatter: indices[2] is 4; expected a number below 4");
    CHECK(to.download() == untouched);
    primitives::gather(device, values, good, to);
    CHECK(to.download() == std::vector<std::uint32_t>{4, 1, 4, 3});
  }
}

TEST_CASE("GENOCL_CHECK=1: wide indices of any number, and offsets") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 171);
  const Environment on("GENOCL_CHECK", "1");
  const std::vector<Variant> variants = main_variants();
  const genocl::Device& device = variants[random.below(variants.size())].device;
  std::vector<std::uint64_t> host(70'001);
  std::iota(host.begin(), host.end(), std::uint64_t{0});
  const Array<std::uint8_t> values(device, host.size());
  Array<std::uint8_t> to(device, host.size());
  primitives::gather(device, values, Array<std::uint64_t>(device, host), to);
  const std::size_t place = random.below(host.size());
  host[place] = std::numeric_limits<std::uint64_t>::max();
  host.back() = host.size();
  CHECK(error_of([&] { primitives::gather(device, values, Array<std::uint64_t>(device, host), to); }) ==
        "gather: indices[" + std::to_string(place) + "] is " + std::to_string(host[place]) +
            "; expected a number below 70001");

  Array<std::uint32_t> keys(device, std::vector<std::uint32_t>{4, 3, 2, 1});
  const Array<std::uint32_t> offsets(device, std::vector<std::uint32_t>{0, 3, 2, 4}),
      outside(device, std::vector<std::uint32_t>{0, 5}), right(device, std::vector<std::uint32_t>{1, 3});
  CHECK(error_of([&] { primitives::segmented_sort(device, keys, offsets); }) ==
        "segmented_sort: offsets[2] is 2; expected 3 to 4");
  CHECK(error_of([&] { primitives::segmented_sort(device, keys, outside); }) ==
        "segmented_sort: offsets[1] is 5; expected 0 to 4");
  primitives::segmented_sort(device, keys, right);
  CHECK(keys.download() == std::vector<std::uint32_t>{4, 2, 3, 1});
}

TEST_CASE("GENOCL_CHECK takes 0 and 1") {
  const Environment other("GENOCL_CHECK", "yes");
  const genocl::Device device = device_under_test();
  const Array<std::uint32_t> values(device, 4), indices(device, 4);
  Array<std::uint32_t> to(device, 4);
  CHECK_THROWS_AS(primitives::gather(device, values, indices, to), genocl::InputError);
}

}  // namespace
