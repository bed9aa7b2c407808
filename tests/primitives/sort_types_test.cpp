// Sorts of every key type, in both directions, with values of every size, in place and to other arrays.
#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>

#include "drawn_variants.hpp"
#include "genocl/error.hpp"
#include "genocl/primitives/segmented_sort.hpp"
#include "genocl/primitives/sort.hpp"
#include "primitives/variants.hpp"

namespace {

using namespace genocl_test;
namespace primitives = genocl::primitives;
using genocl::Array;
using genocl::Device;
using primitives::SortOptions;

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

template <class Key>
bool before(const Key& a, const Key& b) {
  if constexpr (std::is_floating_point_v<Key>)
    return std::strong_order(a, b) < 0;
  else
    return a < b;
}

/// Any bits, so that floating-point keys have NaNs of both signs; some infinities, zeros and equal keys.
template <class Key>
std::vector<Key> random_keys(Random& random, std::size_t size) {
  using Bits =
      std::conditional_t<sizeof(Key) == 8, std::uint64_t,
                         std::conditional_t<sizeof(Key) == 4, std::uint32_t,
                                            std::conditional_t<sizeof(Key) == 2, std::uint16_t, std::uint8_t>>>;
  const std::array<Key, 6> special{Key{0},
                                   static_cast<Key>(Key{0} * static_cast<Key>(-1)),
                                   std::numeric_limits<Key>::lowest(),
                                   std::numeric_limits<Key>::max(),
                                   std::numeric_limits<Key>::infinity(),
                                   std::numeric_limits<Key>::quiet_NaN()};
  std::vector<Key> keys(size);
  for (Key& key : keys)
    key = random.below(4) == 0 ? special[random.below(special.size())] : std::bit_cast<Key>(random.value<Bits>());
  return keys;
}

template <class Key>
std::vector<std::uint32_t> expected_order(const std::vector<Key>& keys, std::size_t first, std::size_t last,
                                          bool descending) {
  std::vector<std::uint32_t> order(last - first);
  std::iota(order.begin(), order.end(), static_cast<std::uint32_t>(first));
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return descending ? before(keys[b], keys[a]) : before(keys[a], keys[b]);
  });
  return order;
}

template <class T>
std::vector<T> in_order(const std::vector<T>& items, const std::vector<std::uint32_t>& order) {
  std::vector<T> moved(order.size());
  std::transform(order.begin(), order.end(), moved.begin(), [&](std::uint32_t i) { return items[i]; });
  return moved;
}

template <std::size_t bytes>
struct Value {
  std::array<unsigned char, bytes> content;
};

template <class V>
std::vector<V> numbered_values(std::size_t size) {
  std::vector<V> values(size);
  for (std::size_t i = 0; i < size; ++i) {
    std::array<unsigned char, sizeof(V)> bytes{};
    for (std::size_t k = 0; k < sizeof(V); ++k) bytes[k] = static_cast<unsigned char>((i + 1) * (2 * k + 3) >> (k % 3));
    values[i] = std::bit_cast<V>(bytes);
  }
  return values;
}

/// All forms of one sort of `size` keys.
template <class Key, class V>
void compare_forms(const Device& device, Random& random, std::size_t size, bool descending) {
  CAPTURE(size);
  CAPTURE(sizeof(Key));
  CAPTURE(std::is_floating_point_v<Key>);
  CAPTURE(std::is_signed_v<Key>);
  CAPTURE(sizeof(V));
  CAPTURE(descending);
  const SortOptions options{.descending = descending};
  const std::vector<Key> keys = random_keys<Key>(random, size);
  const std::vector<V> values = numbered_values<V>(size);
  const std::vector<std::uint32_t> order = expected_order(keys, 0, size, descending);
  const std::vector<Key> sorted_keys = in_order(keys, order);
  const std::vector<V> sorted_values = in_order(values, order);

  Array<Key> device_keys(device, keys), other_keys(device, size);
  Array<V> device_values(device, values), other_values(device, size);
  primitives::sort_copy(device, device_keys, other_keys, options);
  CHECK(same_bytes(other_keys.download(), sorted_keys));
  CHECK(same_bytes(device_keys.download(), keys));
  const std::uint64_t bytes = primitives::sort_copy_scratch_bytes<Key, V>(device, size, true, options);
  Array<std::byte> scratch(device, bytes + 1);
  primitives::sort_copy(device, device_keys, device_values, other_keys, other_values, options,
                        {.scratch = scratch.first(bytes)});
  CHECK(same_bytes(other_keys.download(), sorted_keys));
  CHECK(same_bytes(other_values.download(), sorted_values));
  CHECK(same_bytes(device_keys.download(), keys));
  CHECK(same_bytes(device_values.download(), values));
  primitives::sort(device, device_keys, device_values, options);
  CHECK(same_bytes(device_keys.download(), sorted_keys));
  CHECK(same_bytes(device_values.download(), sorted_values));
  device_keys.upload(keys);
  primitives::sort(device, device_keys, options);
  CHECK(same_bytes(device_keys.download(), sorted_keys));
}

using Check = void (*)(const Device&, Random&);

/// The sizes: none, one, odd, the limit of one CPU worker exceeded, several tiles of a GPU.
template <class Key>
void compare_sizes(const Device& device, Random& random) {
  const bool descending = random.below(2) == 0;
  for (const std::size_t size : {0u, 1u, 777u, 40'001u})
    compare_forms<Key, std::uint32_t>(device, random, size, descending);
}

const std::vector<Check>& checks_of_types() {
  static const std::vector<Check> all{compare_sizes<std::int8_t>,  compare_sizes<std::uint8_t>,
                                      compare_sizes<std::int16_t>, compare_sizes<std::uint16_t>,
                                      compare_sizes<std::int32_t>, compare_sizes<std::uint32_t>,
                                      compare_sizes<std::int64_t>, compare_sizes<std::uint64_t>,
                                      compare_sizes<float>,        compare_sizes<double>};
  return all;
}

// One digit: each costs seconds under Oclgrind.
TEST_CASE("tiny: sort of signed keys with values of three bytes, descending") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 71);
  for (const Variant& variant : main_variants()) {
    CAPTURE(variant.name);
    compare_forms<std::int8_t, Value<3>>(variant.device, random, 40, true);
  }
}

TEST_CASE("sort of keys of every type") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 72);
  for (const Check check : random.some_of(checks_of_types(), 5))
    for (const DeviceVariant& variant : drawn(device_variants())) {
      CAPTURE(variant.name);
      check(variant.device, random);
    }
}

TEST_CASE("sort with values of every size") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 73);
  const std::vector<Check> checks{
      [](const Device& d, Random& r) { compare_forms<std::uint16_t, std::uint8_t>(d, r, 3001, false); },
      [](const Device& d, Random& r) { compare_forms<std::uint16_t, std::uint16_t>(d, r, 3001, false); },
      [](const Device& d, Random& r) { compare_forms<std::uint16_t, Value<3>>(d, r, 3001, false); },
      [](const Device& d, Random& r) { compare_forms<std::uint16_t, float>(d, r, 3001, false); },
      [](const Device& d, Random& r) { compare_forms<std::uint16_t, double>(d, r, 3001, false); },
      [](const Device& d, Random& r) { compare_forms<std::uint16_t, Value<10>>(d, r, 3001, false); },
      [](const Device& d, Random& r) { compare_forms<std::uint16_t, std::array<int, 3>>(d, r, 3001, false); },
      [](const Device& d, Random& r) { compare_forms<std::uint16_t, Value<13>>(d, r, 3001, false); },
      [](const Device& d, Random& r) { compare_forms<std::uint16_t, Value<16>>(d, r, 3001, false); },
      [](const Device& d, Random& r) { compare_forms<std::uint16_t, Value<20>>(d, r, 3001, false); },
      [](const Device& d, Random& r) { compare_forms<std::uint16_t, Value<40>>(d, r, 3001, false); }};
  for (const Check check : random.some_of(checks, 5))
    for (const DeviceVariant& variant : drawn(device_variants())) {
      CAPTURE(variant.name);
      check(variant.device, random);
    }
}

/// Values of 8 bytes in double buffers.
template <class Key>
void compare_double_buffers(const Device& device, Random& random, std::size_t size) {
  const std::vector<Key> keys = random_keys<Key>(random, size);
  const std::vector<double> values = numbered_values<double>(size);
  const std::vector<std::uint32_t> order = expected_order(keys, 0, size, false);
  Array<Key> current_keys(device, keys), other_keys(device, size);
  Array<double> current_values(device, values), other_values(device, size);
  genocl::DoubleBuffer<Key> key_buffers{current_keys.span(), other_keys.span()};
  genocl::DoubleBuffer<double> value_buffers{current_values.span(), other_values.span()};
  Array<std::byte> scratch(device, primitives::double_buffer_sort_scratch_bytes<Key, double>(device, size, true) + 1);
  primitives::sort(device, key_buffers, value_buffers, {}, {.scratch = scratch.span()});
  const bool swapped = key_buffers.current.view() == other_keys.span().view();
  CHECK(same_bytes((swapped ? other_keys : current_keys).download(), in_order(keys, order)));
  CHECK(same_bytes((swapped ? other_values : current_values).download(), in_order(values, order)));
}

TEST_CASE("sort with values of eight bytes: many items, keys of 32 and 64 bits, double buffers") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 75);
  for (const DeviceVariant& variant : drawn(device_variants())) {
    CAPTURE(variant.name);
    compare_forms<float, std::uint64_t>(variant.device, random, 100'003, true);
    compare_forms<std::int64_t, std::uint64_t>(variant.device, random, 70'001, false);
    compare_double_buffers<std::uint32_t>(variant.device, random, 50'001);
  }
}

TEST_CASE("sort by some bits of signed keys, to other arrays, and by none") {
  const std::vector<std::int32_t> keys{5, -1, 4, -2, 260};
  for (const DeviceVariant& variant : drawn(device_variants())) {
    const Array<std::int32_t> device_keys(variant.device, keys);
    Array<std::int32_t> sorted(variant.device, keys.size());
    primitives::sort_copy(variant.device, device_keys, sorted, {.last_bit = 8});
    CHECK(sorted.download() == std::vector<std::int32_t>{4, 260, 5, -2, -1});
    primitives::sort_copy(variant.device, device_keys, sorted, {.last_bit = 0});
    CHECK(sorted.download() == keys);
    Array<std::int32_t> fewer(variant.device, 4);
    CHECK_THROWS_AS(primitives::sort_copy(variant.device, device_keys, fewer), genocl::InputError);
    CHECK_THROWS_AS(primitives::sort_copy(variant.device, sorted, sorted), genocl::InputError);
  }
}

TEST_CASE("sort of equal keys to other arrays keeps the order of the values") {
  for (const DeviceVariant& variant : drawn(device_variants())) {
    const std::vector<std::int16_t> keys(50'000, -3);
    const std::vector<std::uint32_t> values = numbered_values<std::uint32_t>(keys.size());
    const Array<std::int16_t> device_keys(variant.device, keys);
    const Array<std::uint32_t> device_values(variant.device, values);
    Array<std::int16_t> sorted_keys(variant.device, keys.size());
    Array<std::uint32_t> sorted_values(variant.device, keys.size());
    primitives::sort_copy(variant.device, device_keys, device_values, sorted_keys, sorted_values, {.descending = true});
    CHECK(sorted_keys.download() == keys);
    CHECK(sorted_values.download() == values);
  }
}

template <class Key, class V>
void compare_segments(const Device& device, Random& random) {
  const bool descending = random.below(2) == 0;
  CAPTURE(sizeof(Key));
  CAPTURE(std::is_floating_point_v<Key>);
  CAPTURE(sizeof(V));
  CAPTURE(descending);
  std::vector<std::uint32_t> offsets{2};
  for (const std::size_t length : {0, 1, 2, 3, 4, 5, 30, 256, 257, 700, 9, 20'000, 17'000, 1})
    offsets.push_back(offsets.back() + static_cast<std::uint32_t>(length));
  const std::vector<Key> keys = random_keys<Key>(random, offsets.back() + 3);
  const std::vector<V> values = numbered_values<V>(keys.size());
  std::vector<Key> sorted_keys = keys;
  std::vector<V> sorted_values = values;
  for (std::size_t segment = 0; segment + 1 < offsets.size(); ++segment) {
    const auto order = expected_order(keys, offsets[segment], offsets[segment + 1], descending);
    for (std::size_t i = 0; i < order.size(); ++i) {
      sorted_keys[offsets[segment] + i] = keys[order[i]];
      sorted_values[offsets[segment] + i] = values[order[i]];
    }
  }
  const Array<std::uint32_t> device_offsets(device, offsets);
  Array<Key> device_keys(device, keys);
  Array<V> device_values(device, values);
  const std::uint64_t bytes = primitives::segmented_sort_scratch_bytes<Key>(device, keys.size(), offsets.size() - 1,
                                                                            {.descending = descending}, {}, false);
  Array<std::byte> scratch(device, bytes);
  primitives::segmented_sort(device, device_keys, device_offsets, {.descending = descending},
                             {.scratch = scratch.span()});
  CHECK(same_bytes(device_keys.download(), sorted_keys));
  device_keys.upload(keys);
  Array<std::byte> more_scratch(device, primitives::segmented_sort_scratch_bytes<Key, V>(
                                            device, keys.size(), offsets.size() - 1, {.descending = descending}));
  primitives::segmented_sort(device, device_keys, device_values, device_offsets, {.descending = descending},
                             {.scratch = more_scratch.span()});
  CHECK(same_bytes(device_keys.download(), sorted_keys));
  CHECK(same_bytes(device_values.download(), sorted_values));
}

TEST_CASE("segmented sort of keys of every type, with values and without") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 74);
  const std::vector<Check> checks{compare_segments<std::int8_t, float>,
                                  compare_segments<std::uint16_t, std::uint8_t>,
                                  compare_segments<std::int32_t, std::uint16_t>,
                                  compare_segments<std::uint32_t, Value<3>>,
                                  compare_segments<std::int64_t, float>,
                                  compare_segments<std::uint64_t, std::uint64_t>,
                                  compare_segments<float, Value<12>>,
                                  compare_segments<double, Value<16>>,
                                  compare_segments<std::uint32_t, Value<20>>,
                                  compare_segments<std::uint32_t, Value<40>>};
  for (const Check check : random.some_of(checks, 8))
    for (const DeviceVariant& variant : drawn(device_variants())) {
      CAPTURE(variant.name);
      check(variant.device, random);
    }
}

}  // namespace
