// A sort of arrays whose memory may be replaced, for callers inside the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "genocl/array.hpp"
#include "genocl/primitives/sort.hpp"
#include "runtime/launch.hpp"

namespace genocl::primitives {

/// True if a sort in place copies its result at the end.
template <class Key>
bool ends_in_alternate(const Device& device, const SortOptions& options) {
  const unsigned bits = options.last_bit.value_or(sizeof(Key) * 8) - options.first_bit;
  return !runtime::uses_cpu_kernels(device) && runtime::ceil_div(bits, 8) % 2 == 1;
}

/// Allocating and freeing an Array takes a GPU about as long as copying 128 MiB. A ScratchArray comes from a pool.
inline constexpr std::size_t min_replaced_bytes = std::size_t{128} << 20;

template <class Keys>
bool gains_by_replacing(const Device& device, const Keys& keys, const SortOptions& options) {
  using Key = typename Keys::value_type;
  const bool allocates = std::is_same_v<Keys, Array<Key>>;
  return keys.size() >= (allocates ? min_replaced_bytes / sizeof(Key) : 2) && ends_in_alternate<Key>(device, options);
}

/// Sorts owning arrays (Array or ScratchArray). Instead of a copy at the end, the arrays may get other memory.
template <class Keys>
void sort_replacing(const Device& device, Keys& keys, const SortOptions& options) {
  using Key = typename Keys::value_type;
  if (!gains_by_replacing(device, keys, options)) return sort(device, keys, options);
  Keys other(device, keys.size());
  DoubleBuffer<Key> buffers{keys.span(), other.span()};
  sort(device, buffers, options);
  if (buffers.current.view() == other.span().view()) std::swap(keys, other);
}
template <class Keys, class Values>
void sort_replacing(const Device& device, Keys& keys, Values& values, const SortOptions& options) {
  using Key = typename Keys::value_type;
  if (!gains_by_replacing(device, keys, options)) return sort(device, keys, values, options);
  Keys other_keys(device, keys.size());
  Values other_values(device, values.size());
  DoubleBuffer<Key> key_buffers{keys.span(), other_keys.span()};
  DoubleBuffer<std::uint32_t> value_buffers{values.span(), other_values.span()};
  sort(device, key_buffers, value_buffers, options);
  if (key_buffers.current.view() == other_keys.span().view()) {
    std::swap(keys, other_keys);
    std::swap(values, other_values);
  }
}

}  // namespace genocl::primitives
