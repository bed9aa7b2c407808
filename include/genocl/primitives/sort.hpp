// Sorts by integer keys, on the device.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "genocl/array.hpp"
#include "genocl/device.hpp"

namespace genocl::primitives {

struct SortOptions {
  /// Only bits [first_bit, last_bit) of a key count, bit 0 being the lowest. Without last_bit: all from first_bit on.
  unsigned first_bit = 0;
  std::optional<unsigned> last_bit = {};
};

template <class Key>
concept SortableKey = std::same_as<Key, std::uint32_t> || std::same_as<Key, std::uint64_t>;

// Ascending and stable: items whose keys agree in the given bits keep their order. Any number of items, past 2^32 too.
// Linear. On a GPU all items are read and written once for each digit of 8 bits, so a device that copies at B bytes per
// second (read + written) is bound to B / (2 * item bytes * digits) items per second. On a CPU they go through memory
// twice, and are sorted in cache in between; once for each digit where nearly all keys share their highest bits.
//
// The arrays are sorted in place. One that owns its memory may own other memory afterwards, unless its buffer() was
// asked for before; what was adopted from the caller stays in the caller's buffer.
//
// `gpu` kernels: enqueued only, the call does not wait. `cpu` kernels: from 2^15 items on the call waits for a look
// at the keys.
//
// Throw InputError when first_bit > last_bit or last_bit is more than the bits of a key, when there are not as many
// values as keys, or when they share memory; CapacityError, before anything has been enqueued, when the scratch
// (sort_scratch_bytes()) does not fit.

template <SortableKey Key>
GENOCL_EXPORT void sort(const Device& device, Array<Key>& keys, const SortOptions& options = {});

/// values[i] goes where keys[i] goes.
template <SortableKey Key>
GENOCL_EXPORT void sort(const Device& device, Array<Key>& keys, Array<std::uint32_t>& values,
                        const SortOptions& options = {});

/// The device memory that sorting `count` keys takes besides the arrays: about the bytes of the arrays. It is kept for
/// the next call until Device::release_scratch().
template <SortableKey Key>
GENOCL_EXPORT std::uint64_t sort_scratch_bytes(const Device& device, std::uint64_t count, bool with_values,
                                               const SortOptions& options = {});

}  // namespace genocl::primitives
