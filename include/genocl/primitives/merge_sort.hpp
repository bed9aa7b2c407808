// Merge sort by a comparison, as std::stable_sort and CUB's DeviceMergeSort.
#pragma once

#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/element.hpp"
#include "genocl/primitives/expression.hpp"
#include "genocl/primitives/sort.hpp"

namespace genocl::primitives {

namespace detail {
/// `value_bytes`: 0 without values.
GENOCL_EXPORT void merge_sort(const Device& device, ElementType key_type, const runtime::MemoryView& keys,
                              const runtime::MemoryView& values, std::size_t value_bytes, const Comparison& comparison,
                              const Call& call);
}  // namespace detail

// Stable, in place, any number of elements. Use sort() for the order of keys or of some of their bits: it is faster.
//
// O(n log n): keys and values are read and written once for blocks that are sorted in caches or local memory (`cpu`
// kernels: 4,096 elements, `gpu` kernels: 448 or more), then once for each doubling of the sorted parts. Does not wait.
// Scratch memory: the size of keys and values, that of merge(), and that of the words or numbers that represent values
// (merge_sort_scratch_bytes()).
//
// Throw InputError if the numbers of keys and values differ or operands overlap, for a comparison without text, and,
// with a caller's comparison, for double on a device without fp64; BuildError for a comparison that does not compile;
// CapacityError if the scratch memory does not fit. May be called on several threads at once with different queues.

/// Sorts keys.
///
///   merge_sort(device, words, Comparison("popcount(a) < popcount(b)"));
template <WritableRange Keys>
requires Arithmetic<ElementOf<Keys>>
void merge_sort(const Device& device, Keys&& keys, const Comparison& comparison, const Call& call = {}) {
  detail::merge_sort(device, element_type<ElementOf<Keys>>(), as_span(keys).view(), {}, 0, comparison, call);
}

/// Sorts keys; values[i] moves with keys[i]. Words or numbers represent values of other sizes than 1, 2, 4, 8 and
/// 16 bytes, as in sort().
template <WritableRange Keys, WritableRange Values>
requires Arithmetic<ElementOf<Keys>> && SortableValue<ElementOf<Values>>
void merge_sort(const Device& device, Keys&& keys, Values&& values, const Comparison& comparison,
                const Call& call = {}) {
  detail::merge_sort(device, element_type<ElementOf<Keys>>(), as_span(keys).view(), as_span(values).view(),
                     sizeof(ElementOf<Values>), comparison, call);
}

/// Scratch memory of merge_sort() in bytes. `value_bytes`: size of a value, 0 without values.
GENOCL_EXPORT std::uint64_t merge_sort_scratch_bytes(const Device& device, std::uint64_t count, std::size_t key_bytes,
                                                     std::size_t value_bytes, const LaunchTuning& tuning = {});

}  // namespace genocl::primitives
