// Radix sort by integer keys.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"

namespace genocl::primitives {

struct SortOptions {
  /// Sorts by bits [first_bit, last_bit) of the keys; bit 0 is the lowest. Without last_bit: all bits from first_bit
  /// on.
  unsigned first_bit = 0;
  std::optional<unsigned> last_bit = {};
};

template <class Key>
concept SortableKey = std::same_as<Key, std::uint32_t> || std::same_as<Key, std::uint64_t>;

namespace detail {
/// The operands of a sort with their types erased.
struct SortOperands {
  runtime::MemoryView keys, values;
  std::size_t key_bytes = 0;
  bool has_values = false;
};
GENOCL_EXPORT void sort(const Device& device, const SortOperands& operands, const SortOptions& options,
                        const Call& call);
/// True if the result is in `alternate`.
GENOCL_EXPORT bool sort(const Device& device, const SortOperands& current, const SortOperands& alternate,
                        const SortOptions& options, const Call& call);
GENOCL_EXPORT std::uint64_t sort_scratch_bytes(const Device& device, std::uint64_t count, std::size_t key_bytes,
                                               bool with_values, bool with_alternate, const SortOptions& options);
}  // namespace detail

// Ascending, stable, linear time, any number of items, also above 2^32. On a GPU all items are read and written once
// per digit of 8 bits; bound on a device that copies B bytes per second (read + written): B / (2 * item bytes * digits)
// items per second. On a CPU the items pass through memory twice and are sorted in cache in between; if nearly all keys
// share their highest bits, once per digit.
//
// `gpu` kernels do not wait. With an odd number of digits they copy the result once more; the forms with DoubleBuffers
// do not, and need no scratch memory for the items. `cpu` kernels wait for a survey of the keys from 2^15 items on.
//
// Throw InputError if first_bit > last_bit, last_bit exceeds the key width, the numbers of keys and values differ, or
// the operands overlap; CapacityError, before any command is enqueued, if the scratch memory does not fit.

/// Sorts in place.
template <WritableRange Keys>
requires SortableKey<ElementOf<Keys>>
void sort(const Device& device, Keys&& keys, const SortOptions& options = {}, const Call& call = {}) {
  detail::sort(device, {as_span(keys).view(), {}, sizeof(ElementOf<Keys>), false}, options, call);
}

/// Sorts in place; values[i], of 32 bits, moves with keys[i].
template <WritableRange Keys, WritableRange Values>
requires SortableKey<ElementOf<Keys>> && RangeOf<Values, std::uint32_t>
void sort(const Device& device, Keys&& keys, Values&& values, const SortOptions& options = {}, const Call& call = {}) {
  detail::sort(device, {as_span(keys).view(), as_span(values).view(), sizeof(ElementOf<Keys>), true}, options, call);
}

/// Sorts keys.current. The result is in keys.current afterwards, which may be the former keys.alternate.
template <SortableKey Key>
void sort(const Device& device, DoubleBuffer<Key>& keys, const SortOptions& options = {}, const Call& call = {}) {
  if (detail::sort(device, {keys.current.view(), {}, sizeof(Key), false},
                   {keys.alternate.view(), {}, sizeof(Key), false}, options, call))
    keys.swap();
}
template <SortableKey Key>
void sort(const Device& device, DoubleBuffer<Key>& keys, DoubleBuffer<std::uint32_t>& values,
          const SortOptions& options = {}, const Call& call = {}) {
  if (detail::sort(device, {keys.current.view(), values.current.view(), sizeof(Key), true},
                   {keys.alternate.view(), values.alternate.view(), sizeof(Key), true}, options, call)) {
    keys.swap();
    values.swap();
  }
}

/// Scratch memory of sort() for `count` keys in bytes, about the size of the operands.
template <SortableKey Key>
std::uint64_t sort_scratch_bytes(const Device& device, std::uint64_t count, bool with_values,
                                 const SortOptions& options = {}) {
  return detail::sort_scratch_bytes(device, count, sizeof(Key), with_values, false, options);
}
/// Scratch memory of the forms with DoubleBuffers.
template <SortableKey Key>
std::uint64_t double_buffer_sort_scratch_bytes(const Device& device, std::uint64_t count, bool with_values,
                                               const SortOptions& options = {}) {
  return detail::sort_scratch_bytes(device, count, sizeof(Key), with_values, true, options);
}

}  // namespace genocl::primitives
