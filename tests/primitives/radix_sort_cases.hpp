// What the tests of the radix sort share: inputs of every shape, and the comparison with the oracle.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/primitives/sort.hpp"
#include "primitives/radix_sort.hpp"
#include "primitives/variants.hpp"
#include "reference/primitives/radix_sort.hpp"

namespace genocl_test {

/// Inputs that are hard in different ways for different passes.
inline const std::vector<std::string>& input_shapes() {
  static const std::vector<std::string> shapes = {"random",        "all equal",      "sorted",
                                                  "reversed",      "few distinct",   "one far away",
                                                  "low bits only", "high bits only", "skewed"};
  return shapes;
}

template <class Key>
std::vector<Key> make_input(const std::string& shape, std::size_t count, Random& random) {
  constexpr unsigned width = sizeof(Key) * 8;
  std::vector<Key> keys = random.values<Key>(count);
  for (std::size_t i = 0; i < count; i++) {
    Key& key = keys[i];
    if (shape == "all equal") key = keys[0];
    if (shape == "sorted") key = static_cast<Key>(i);
    if (shape == "reversed") key = static_cast<Key>(~static_cast<Key>(i));
    if (shape == "few distinct") key = static_cast<Key>(key & ((Key{3} << (width - 7)) | (Key{3} << 9) | 1));
    if (shape == "one far away") key = i == count / 2 ? static_cast<Key>(~Key{0}) : static_cast<Key>(key & 0xff);
    if (shape == "low bits only") key = static_cast<Key>(key & 0x3fffff);
    if (shape == "high bits only") key = static_cast<Key>(key & ~(static_cast<Key>(~Key{0}) >> 9));
    // One bucket of the highest digit holds nearly everything.
    if (shape == "skewed" && random.below(100) != 0) key = static_cast<Key>(key & 0xfffff);
  }
  return keys;
}

/// Sorts what is in the two arrays.
template <class Key>
using Sorter = std::function<void(const genocl::Device&, genocl::Array<Key>&, genocl::Array<std::uint32_t>*,
                                  unsigned first_bit, unsigned last_bit)>;

template <class Key>
void public_sort(const genocl::Device& device, genocl::Array<Key>& keys, genocl::Array<std::uint32_t>* values,
                 unsigned first_bit, unsigned last_bit) {
  const genocl::primitives::SortOptions options{.first_bit = first_bit, .last_bit = last_bit};
  if (values != nullptr)
    genocl::primitives::sort(device, keys, *values, options);
  else
    genocl::primitives::sort(device, keys, options);
}

template <class Key>
void check_sort(const genocl::Device& device, const std::vector<Key>& host, bool with_values, unsigned first_bit,
                unsigned last_bit, const Sorter<Key>& sorter = public_sort<Key>) {
  CAPTURE(host.size());
  CAPTURE(with_values);
  CAPTURE(first_bit);
  CAPTURE(last_bit);
  const std::vector<std::uint32_t> order =
      genocl_reference::stable_order(std::span<const Key>(host), first_bit, last_bit);
  std::vector<Key> expected(host.size());
  std::transform(order.begin(), order.end(), expected.begin(), [&](std::uint32_t i) { return host[i]; });

  genocl::Array<Key> keys(device, std::span<const Key>(host));
  if (!with_values) {
    sorter(device, keys, nullptr, first_bit, last_bit);
    CHECK((keys.download() == expected));
    return;
  }
  // Not the identity, so that a value invented by the sort is noticed.
  const auto value_of = [](std::uint32_t i) { return i * 2654435761u + 12345u; };
  std::vector<std::uint32_t> host_values(host.size()), expected_values(host.size());
  for (std::uint32_t i = 0; i < host.size(); i++) {
    host_values[i] = value_of(i);
    expected_values[i] = value_of(order[i]);
  }
  genocl::Array<std::uint32_t> values(device, std::span<const std::uint32_t>(host_values));
  sorter(device, keys, &values, first_bit, last_bit);
  CHECK((keys.download() == expected));
  CHECK((values.download() == expected_values));
}

template <class Key>
void check_sort_all_bits(const genocl::Device& device, const std::vector<Key>& host, bool with_values,
                         const Sorter<Key>& sorter = public_sort<Key>) {
  check_sort<Key>(device, host, with_values, 0, sizeof(Key) * 8, sorter);
}

}  // namespace genocl_test
