// The split radix sort of Blelloch ("Prefix sums and their applications", 1990): one bit at a time, by a scan and a
// scatter. For what was published with it; primitives::sort() is many times as fast.
#pragma once

#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/device.hpp"

namespace genocl::overlap {

/// Sorts by the lowest `bits` bits of the keys, ascending and stable; values[i] goes where keys[i] goes. Both have the
/// same size, at most 2^32 - 1. All is enqueued, nothing waited for. O(size * bits).
void split_sort(const Device& device, Array<std::uint32_t>& keys, Array<std::uint32_t>& values, unsigned bits);

/// What that takes on the device besides the arrays.
std::uint64_t split_sort_bytes(const Device& device, std::uint64_t size);

}  // namespace genocl::overlap
