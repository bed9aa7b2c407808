#include <algorithm>
#include <array>
#include <numeric>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "primitives/radix_sort_cases.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;

TEST_CASE_TEMPLATE("tiny: sort, both families", Key, std::uint32_t, std::uint64_t) {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 21);
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    for (const bool with_values : {false, true}) {
      check_sort_all_bits(variant.device, make_input<Key>("random", 3000, random), with_values);
      check_sort<Key>(variant.device, make_input<Key>("few distinct", 300, random), with_values, 3, 11);
    }
  }
}

TEST_CASE_TEMPLATE("sort: sizes", Key, std::uint32_t, std::uint64_t) {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 22);
  // Around one and two tiles of each shape in use, and the size up to which one CPU worker sorts all.
  const std::vector<std::size_t> sizes = {0,     1,     2,     3,     31,    33,    255,  257,   2559,
                                          2560,  2561,  5119,  5121,  8192,  9216,  9217, 10239, 10240,
                                          10241, 16383, 20479, 20481, 32768, 32769, 40000};
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    for (const std::size_t size : sizes) check_sort_all_bits(variant.device, random.values<Key>(size), size % 2 == 0);
  }
}

TEST_CASE_TEMPLATE("sort: shapes of input", Key, std::uint32_t, std::uint64_t) {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 23);
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    for (const std::string& shape : input_shapes()) {
      CAPTURE(shape);
      check_sort_all_bits(variant.device, make_input<Key>(shape, 30011, random), true);
    }
  }
}

TEST_CASE_TEMPLATE("sort: ranges of bits", Key, std::uint32_t, std::uint64_t) {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 24);
  constexpr unsigned width = sizeof(Key) * 8;
  // None, one bit, within a byte, across bytes and words, an odd and an even number of digits.
  const std::vector<std::array<unsigned, 2>> ranges = {{7, 7},
                                                       {0, 1},
                                                       {width - 1, width},
                                                       {3, 6},
                                                       {5, 12},
                                                       {0, 8},
                                                       {4, 27},
                                                       {width - 13, width},
                                                       {width / 2 - 5, width / 2 + 9},
                                                       {1, width}};
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    bool with_values = false;
    for (const auto& [first, last] : ranges) {
      check_sort<Key>(variant.device, make_input<Key>("random", 20011, random), with_values = !with_values, first,
                      last);
      check_sort<Key>(variant.device, make_input<Key>("random", 777, random), !with_values, first, last);
    }
  }
}

TEST_CASE("sort: a large array") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 25);
  const genocl::Device& device = device_under_test();
  check_sort_all_bits(device, random.values<std::uint32_t>(2500000), true);
  check_sort_all_bits(device, make_input<std::uint32_t>("skewed", 2500000, random), true);
  check_sort_all_bits(device, random.values<std::uint64_t>(1100000), true);
}

TEST_CASE("sort: a part of a buffer, in place") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 26);
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    // One digit: with `gpu` kernels the result is in the scratch memory before it is copied.
    for (const unsigned last_bit : {8u, 16u}) {
      const std::vector<std::uint32_t> host = random.values<std::uint32_t>(20000);
      Array<std::uint32_t> keys(variant.device, std::span<const std::uint32_t>(host));
      Array<std::uint32_t> values(variant.device, std::span<const std::uint32_t>(host));
      const cl_mem before = keys.buffer()();
      primitives::sort(variant.device, keys.first(19000), values.first(19000), {.last_bit = last_bit});
      CHECK(keys.buffer()() == before);
      const std::span<const std::uint32_t> sorted(host.data(), 19000);
      const std::vector<std::uint32_t> order = genocl_reference::stable_order(sorted, 0, last_bit);
      std::vector<std::uint32_t> expected = host;
      for (std::size_t i = 0; i < order.size(); i++) expected[i] = host[order[i]];
      CHECK((keys.download() == expected));
      CHECK((values.download() == expected));
    }
  }
}

TEST_CASE_TEMPLATE("sort: double buffers", Key, std::uint32_t, std::uint64_t) {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 28);
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    for (const unsigned last_bit : {0u, 8u, 16u, 24u, 32u})
      for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{777}, std::size_t{40000}}) {
        CAPTURE(last_bit);
        CAPTURE(size);
        const std::vector<Key> host = random.values<Key>(size);
        std::vector<std::uint32_t> numbers(size);
        std::iota(numbers.begin(), numbers.end(), 0u);
        Array<Key> keys(variant.device, host), other_keys(variant.device, size);
        Array<std::uint32_t> values(variant.device, numbers), other_values(variant.device, size);
        genocl::DoubleBuffer<Key> key_buffers{keys, other_keys};
        genocl::DoubleBuffer<std::uint32_t> value_buffers{values, other_values};
        primitives::sort(variant.device, key_buffers, value_buffers, {.last_bit = last_bit});
        const bool swapped = key_buffers.current.view() == other_keys.span().view() && size != 0;
        CHECK((key_buffers.alternate.view() == other_keys.span().view()) == (!swapped || size == 0));
        const std::vector<std::uint32_t> order =
            genocl_reference::stable_order(std::span<const Key>(host), 0, last_bit);
        std::vector<Key> expected(size);
        for (std::size_t i = 0; i < size; ++i) expected[i] = host[order[i]];
        CHECK(((swapped ? other_keys : keys).download() == expected));
        CHECK(((swapped ? other_values : values).download() == order));
        // Without values.
        keys.upload(host);
        genocl::DoubleBuffer<Key> alone{keys, other_keys};
        primitives::sort(variant.device, alone, {.last_bit = last_bit});
        CHECK(((alone.current.view() == keys.span().view() ? keys : other_keys).download() == expected));
      }
    Array<Key> keys(variant.device, 10), fewer(variant.device, 9);
    genocl::DoubleBuffer<Key> uneven{keys, fewer}, same{keys, keys};
    CHECK_THROWS_AS(primitives::sort(variant.device, uneven), genocl::InputError);
    CHECK_THROWS_AS(primitives::sort(variant.device, same), genocl::InputError);
  }
}

TEST_CASE("sort: arrays that own their buffer can be sorted again and again") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 27);
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    const std::vector<std::uint32_t> host = random.values<std::uint32_t>(12000);
    Array<std::uint32_t> keys(variant.device, std::span<const std::uint32_t>(host)),
        values(variant.device, host.size());
    values.copy_from(keys, host.size());
    // Digit by digit, lowest first, is the whole sort.
    for (unsigned bit = 0; bit < 32; bit += 8)
      primitives::sort(variant.device, keys, values, {.first_bit = bit, .last_bit = bit + 8});
    std::vector<std::uint32_t> expected = host;
    std::sort(expected.begin(), expected.end());
    CHECK((keys.download() == expected));
    CHECK((values.download() == expected));
    Array<std::uint32_t> moved(std::move(keys));
    primitives::sort(variant.device, moved, {.last_bit = 24});
    CHECK((moved.download() == [&] {
      std::vector<std::uint32_t> again = expected;
      std::stable_sort(again.begin(), again.end(), [](auto a, auto b) { return (a & 0xffffff) < (b & 0xffffff); });
      return again;
    }()));
  }
}

TEST_CASE("sort: wrong arguments") {
  const genocl::Device& device = device_under_test();
  Array<std::uint32_t> keys(device, 10), values(device, 9);
  Array<std::uint64_t> long_keys(device, 10);
  CHECK_THROWS_AS(primitives::sort(device, keys, values), genocl::InputError);
  CHECK_THROWS_AS(primitives::sort(device, keys, keys), genocl::InputError);
  CHECK_THROWS_AS(primitives::sort(device, keys, {.first_bit = 0, .last_bit = 33}), genocl::InputError);
  CHECK_THROWS_AS(primitives::sort(device, keys, {.first_bit = 9, .last_bit = 8}), genocl::InputError);
  CHECK_THROWS_AS(primitives::sort(device, keys, {.first_bit = 33}), genocl::InputError);
  CHECK_THROWS_AS(primitives::sort(device, long_keys, {.last_bit = 65}), genocl::InputError);
  Array<std::uint32_t> none;
  CHECK_NOTHROW(primitives::sort(device, none));
}

TEST_CASE("sort: what does not fit is refused before it starts") {
  const genocl::Device& device = device_under_test();
  Array<std::uint32_t> small(device, 100);
  const std::uint64_t too_many = device.info().global_memory / 4 + 1;
  genocl::runtime::MemoryView claimed = small.span().view();
  claimed.bytes = too_many * 4;
  CHECK_THROWS_AS(primitives::sort(device, genocl::Span<std::uint32_t>(claimed)), genocl::CapacityError);
  CHECK(primitives::sort_scratch_bytes<std::uint32_t>(device, too_many, false) > too_many * 4);
  CHECK(primitives::sort_scratch_bytes<std::uint32_t>(device, 1, true) == 0);
  CHECK(primitives::sort_scratch_bytes<std::uint64_t>(device, 1000, true) >= 12000);
}

}  // namespace
