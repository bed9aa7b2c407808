// Sorts each of many segments of an array.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/element.hpp"
#include "genocl/primitives/sort.hpp"

namespace genocl::primitives {

struct SegmentedSortOptions {
  /// Upper bound of the segment lengths. Up to 256 the call does not wait for the device, and longer segments stay
  /// unsorted.
  std::uint64_t longest_segment = std::numeric_limits<std::uint64_t>::max();
  /// Largest key of each segment first. Equal keys keep their order.
  bool descending = false;
};

namespace detail {
GENOCL_EXPORT void segmented_sort(const Device& device, const SortOperands& operands,
                                  const runtime::MemoryView& offsets, std::size_t offset_bytes,
                                  const SegmentedSortOptions& options, const Call& call);
GENOCL_EXPORT std::uint64_t segmented_sort_scratch_bytes(const Device& device, std::uint64_t keys,
                                                         std::uint64_t segments, std::size_t key_bytes,
                                                         std::size_t value_bytes, const SegmentedSortOptions& options,
                                                         const LaunchTuning& tuning);
}  // namespace detail

/// Sorts keys[offsets[s]] to keys[offsets[s+1] - 1] for each segment s in [0, offsets.size() - 1); values[i]
/// moves with keys[i]. Stable. Keys are ordered as by sort(). Elements before the first and from the last offset
/// on do not change.
///
/// `offsets` must not decrease. If they do, or exceed the keys, nothing outside the operands is accessed, but the order
/// is unspecified; with GENOCL_CHECK=1 in the environment they throw InputError. Segments may be empty.
///
/// A segment of L <= 256 elements is read and written once, with L comparisons per element by `gpu` kernels and L log L
/// by `cpu` kernels. All longer segments (`cpu` kernels: longer than 16,384) are sorted together by sort(), with the
/// segment number in front of the key. Scratch: 8 bytes per 2,048 elements; with `cpu` kernels up to 192 KiB per
/// worker; for longer segments one byte per segment, 12 bytes for each of their elements (36 if 64-bit keys leave no
/// bits for the segment number), and the scratch memory of sort(). Without values 4 to 12 bytes less, and 64 KiB less
/// per worker. Values of other sizes than 4 bytes cost 4 bytes per element, and those of more than 4 bytes their own
/// size and a random read of each, as in sort().
///
/// Waits for the device to find longer segments, unless options.longest_segment <= 256. Throws InputError if the
/// numbers of keys and values differ, for more than 2^32 values of more than 4 bytes, without offsets, or if two
/// operands overlap; CapacityError if the scratch memory does not fit.
template <WritableRange Keys, WritableRange Values, DeviceRange Offsets>
requires SortableKey<ElementOf<Keys>> && SortableValue<ElementOf<Values>> && ElementIndex<ElementOf<Offsets>>
void segmented_sort(const Device& device, Keys&& keys, Values&& values, const Offsets& offsets,
                    const SegmentedSortOptions& options = {}, const Call& call = {}) {
  detail::segmented_sort(device, detail::sort_operands(keys, values), as_span(offsets).view(),
                         sizeof(ElementOf<Offsets>), options, call);
}
/// Sorts keys alone.
template <WritableRange Keys, DeviceRange Offsets>
requires SortableKey<ElementOf<Keys>> && ElementIndex<ElementOf<Offsets>>
void segmented_sort(const Device& device, Keys&& keys, const Offsets& offsets, const SegmentedSortOptions& options = {},
                    const Call& call = {}) {
  detail::segmented_sort(device, detail::sort_operands(keys), as_span(offsets).view(), sizeof(ElementOf<Offsets>),
                         options, call);
}

/// Scratch memory of segmented_sort() in bytes, for any offsets: an upper bound that assumes long segments unless
/// options.longest_segment says otherwise.
template <SortableKey Key, SortableValue Value = std::uint32_t>
std::uint64_t segmented_sort_scratch_bytes(const Device& device, std::uint64_t keys, std::uint64_t segments,
                                           const SegmentedSortOptions& options = {}, const LaunchTuning& tuning = {},
                                           bool with_values = true) {
  return detail::segmented_sort_scratch_bytes(device, keys, segments, sizeof(Key), with_values ? sizeof(Value) : 0,
                                              options, tuning);
}

}  // namespace genocl::primitives
