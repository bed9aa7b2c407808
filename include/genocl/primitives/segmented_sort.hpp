// Sorts inside each of many segments of an array.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/tuning.hpp"

namespace genocl::primitives {

struct SegmentedSortOptions {
  /// No segment has more elements than this. Up to 256 the call does not wait for the device; longer ones are then left
  /// as they are.
  std::uint64_t longest_segment = std::numeric_limits<std::uint64_t>::max();
  Tuning tuning = {};
};

/// Sorts keys[offsets[s]] to keys[offsets[s+1] - 1] in ascending order for each segment s in [0, offsets.size() - 1);
/// values[i] goes where keys[i] goes. Stable. What lies before the first offset and from the last on stays as it is.
///
/// `offsets` must not fall; where they do, or reach past the keys, nothing outside the arrays is touched, but the order
/// is open. Segments may be empty.
///
/// A segment of L elements up to 256 is read and written once and costs L comparisons per element with `gpu` kernels, L
/// log L with `cpu` kernels; what is longer (with `cpu` kernels, than 16,384) is sorted all together by sort(), with
/// the number of its segment in front of the key. Scratch: 8 bytes per 2,048 elements; with `cpu` kernels 192 KiB per
/// worker; where there are longer segments a byte per segment and, for each of their elements, 12 bytes (36 when 64-bit
/// keys leave no room for the segment's number) and what sort() takes.
///
/// Waits for the device, to learn of longer segments, unless options.longest_segment is at most 256.
/// Throws InputError when there are not as many values as keys, no offset, or when two of the arrays share memory;
/// CapacityError when the scratch does not fit.
template <class Key, class Offset>
requires((std::same_as<Key, std::uint32_t> || std::same_as<Key, std::uint64_t>)&&(std::same_as<Offset, std::uint32_t> ||
                                                                                  std::same_as<Offset, std::uint64_t>))
    GENOCL_EXPORT void segmented_sort(const Device& device, Array<Key>& keys, Array<std::uint32_t>& values,
                                      const Array<Offset>& offsets, const SegmentedSortOptions& options = {});

}  // namespace genocl::primitives
