#include "genocl/primitives/select_if.hpp"

#include "drawn_variants.hpp"
#include "genocl/error.hpp"
#include "primitives/variants.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;

template <class T>
void compare(const Variant& variant, Random& random, std::size_t size) {
  CAPTURE(variant.name);
  CAPTURE(size);
  CAPTURE(sizeof(T));
  const std::vector<T> host = random.values_below<T>(size, 100);
  std::vector<T> selected, rejected;
  for (std::size_t i = 0; i < size; ++i) (host[i] > 30 && i % 7 != 0 ? selected : rejected).push_back(host[i]);
  const genocl::Call call{.tuning = variant.tuning};
  const Array<T> values(variant.device, host);
  Array<T> first(variant.device, size), second(variant.device, size);
  REQUIRE(primitives::select_if(variant.device, "x > 30 && i % 7 != 0", values, first, call) == selected.size());
  std::vector<T> found = first.download();
  found.resize(selected.size());
  CHECK(found == selected);
  REQUIRE(primitives::partition_copy(variant.device, "x > 30 && i % 7 != 0", values, first, second, call) ==
          selected.size());
  found = first.download();
  found.resize(selected.size());
  CHECK(found == selected);
  found = second.download();
  found.resize(rejected.size());
  CHECK(found == rejected);
}

TEST_CASE("tiny: select_if and partition_copy") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 111);
  for (const Variant& variant : main_variants())
    for (const std::size_t size : {700u, 3000u}) compare<std::int32_t>(variant, random, size);
}

TEST_CASE("select_if and partition_copy: sizes and types") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 112);
  using Check = void (*)(const Variant&, Random&);
  const std::vector<Check> checks{[](const Variant& v, Random& r) {
                                    for (const std::size_t size : {0u, 1u, 8191u, 9216u, 70'001u})
                                      compare<std::uint8_t>(v, r, size);
                                  },
                                  [](const Variant& v, Random& r) {
                                    for (const std::size_t size : {0u, 1u, 9215u, 9217u, 70'001u})
                                      compare<float>(v, r, size);
                                  },
                                  [](const Variant& v, Random& r) {
                                    for (const std::size_t size : {0u, 1u, 4608u, 4609u, 70'001u})
                                      compare<std::int64_t>(v, r, size);
                                  }};
  const std::vector<Variant> variants = all_variants();
  for (const Check check : random.some_of(checks)) check(variants[random.below(variants.size())], random);
}

TEST_CASE("select_if: values that a flag of one byte cannot hold, short results, scratch memory, errors") {
  for (const DeviceVariant& variant : drawn(device_variants())) {
    const genocl::Device& device = variant.device;
    const Array<std::uint32_t> values(device, std::vector<std::uint32_t>{256, 0, 512, 1});
    Array<std::uint32_t> selected(device, 2), rejected(device, 4);
    Array<std::uint64_t> count(device, 1), none(device, 0);
    Array<std::byte> scratch(device, primitives::select_if_scratch_bytes(device, 4)), little(device, 1);
    primitives::select_if(device, "x // not 0", values, selected, count, {.scratch = scratch.span()});
    CHECK(count.download().front() == 3);
    CHECK(selected.download() == std::vector<std::uint32_t>{256, 512});
    Array<std::byte> more(device, primitives::partition_copy_scratch_bytes(device, 4));
    primitives::partition_copy(device, "x // not 0", values, selected, rejected, count, {.scratch = more.span()});
    CHECK(rejected.download().front() == 0);
    CHECK_THROWS_AS(primitives::select_if(device, "x", values, selected, count, {.scratch = little.span()}),
                    genocl::CapacityError);
    CHECK_THROWS_AS(primitives::select_if(device, "x", values, selected, none), genocl::InputError);
    CHECK_THROWS_AS(primitives::select_if(device, " ", values, selected), genocl::InputError);
    CHECK_THROWS_AS(primitives::partition_copy(device, "x", values, selected, selected), genocl::InputError);
    try {
      primitives::select_if(device, "x > nothing", values, selected);
      CHECK(false);
    } catch (const genocl::BuildError& error) {
      CHECK_MESSAGE(std::string(error.what()).find("expression:1:5") != std::string::npos, error.what());
    }
  }
}

}  // namespace
