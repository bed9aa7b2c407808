// Sorts each of many segments of an array.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/tuning.hpp"

namespace genocl::primitives {

struct SegmentedSortOptions {
  /// Upper bound of the segment lengths. Up to 256 the call does not wait for the device, and longer segments stay
  /// unsorted.
  std::uint64_t longest_segment = std::numeric_limits<std::uint64_t>::max();
  Tuning tuning = {};
};

/// Sorts keys[offsets[s]] to keys[offsets[s+1] - 1] in ascending order for each segment s in [0, offsets.size() - 1);
/// values[i] moves with keys[i]. Stable. Elements before the first and from the last offset on do not change.
///
/// `offsets` must not decrease. If they do, or exceed the keys, nothing outside the arrays is accessed, but the order
/// is unspecified. Segments may be empty.
///
/// A segment of L <= 256 elements is read and written once, with L comparisons per element by `gpu` kernels and L log L
/// by `cpu` kernels. All longer segments (`cpu` kernels: longer than 16,384) are sorted together by sort(), with the
/// segment number in front of the key. Scratch: 8 bytes per 2,048 elements; with `cpu` kernels 192 KiB per worker; for
/// longer segments one byte per segment, 12 bytes for each of their elements (36 if 64-bit keys leave no bits for the
/// segment number), and the scratch memory of sort().
///
/// Waits for the device to find longer segments, unless options.longest_segment <= 256. Throws InputError if the
/// numbers of keys and values differ, without offsets, or if two arrays overlap; CapacityError if the scratch memory
/// does not fit.
template <class Key, class Offset>
requires((std::same_as<Key, std::uint32_t> || std::same_as<Key, std::uint64_t>)&&(std::same_as<Offset, std::uint32_t> ||
                                                                                  std::same_as<Offset, std::uint64_t>))
    GENOCL_EXPORT void segmented_sort(const Device& device, Array<Key>& keys, Array<std::uint32_t>& values,
                                      const Array<Offset>& offsets, const SegmentedSortOptions& options = {});

}  // namespace genocl::primitives
