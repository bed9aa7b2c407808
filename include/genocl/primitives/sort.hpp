// Radix sort by integer keys.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "genocl/array.hpp"
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

// Ascending, stable, linear time, any number of items, also above 2^32. On a GPU all items are read and written once
// per digit of 8 bits; bound on a device that copies B bytes per second (read + written): B / (2 * item bytes * digits)
// items per second. On a CPU the items pass through memory twice and are sorted in cache in between; if nearly all keys
// share their highest bits, once per digit.
//
// Sorts in place. An array that owns its memory may own other memory afterwards, unless its buffer() was called before.
// An adopted buffer keeps its memory.
//
// `gpu` kernels do not wait. `cpu` kernels wait for a survey of the keys from 2^15 items on.
//
// Throw InputError if first_bit > last_bit, last_bit exceeds the key width, the numbers of keys and values differ, or
// they overlap; CapacityError, before any command is enqueued, if the scratch memory (sort_scratch_bytes()) does not
// fit.

template <SortableKey Key>
GENOCL_EXPORT void sort(const Device& device, Array<Key>& keys, const SortOptions& options = {});

/// values[i] moves with keys[i].
template <SortableKey Key>
GENOCL_EXPORT void sort(const Device& device, Array<Key>& keys, Array<std::uint32_t>& values,
                        const SortOptions& options = {});

/// The scratch memory for `count` keys in bytes, about the size of the arrays. It stays in the pool for later calls
/// until Device::release_scratch().
template <SortableKey Key>
GENOCL_EXPORT std::uint64_t sort_scratch_bytes(const Device& device, std::uint64_t count, bool with_values,
                                               const SortOptions& options = {});

}  // namespace genocl::primitives
