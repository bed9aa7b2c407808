// Merges of two sorted ranges, as std::merge and CUB's DeviceMerge.
#pragma once

#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/element.hpp"
#include "genocl/primitives/expression.hpp"

namespace genocl::primitives {

namespace detail {
/// A sorted range with its types erased. Without values: empty.
struct MergeRange {
  runtime::MemoryView keys, values;
};
/// The types of a merge. `value_bytes`: 0 without values.
struct MergeTypes {
  ElementType key_type;
  std::size_t value_bytes = 0;
};
GENOCL_EXPORT void merge(const Device& device, const MergeTypes& types, const MergeRange& first,
                         const MergeRange& second, const MergeRange& results, const Comparison& comparison,
                         const Call& call);
}  // namespace detail

// Stable: of equal elements those of the first range come first, each in their order. Any number of elements; the
// results have the size of both ranges together and must not overlap them. The ranges must be sorted by the comparison;
// otherwise the order of the results is unspecified, and nothing outside the operands is accessed.
//
// O(n): each key and value is read once and written once, after a binary search for each part of the results. Do not
// wait. Scratch memory of `gpu` kernels: 8 bytes for each tile of 448 or more results.
//
// Throw InputError if sizes differ or operands overlap, for a comparison without text, and, with a caller's comparison,
// for double on a device without fp64; BuildError for a comparison that does not compile; CapacityError if the scratch
// memory does not fit. May be called on several threads at once with different queues.

/// Merges keys.
///
///   merge(device, old_keys, new_keys, all_keys);
///   merge(device, old_keys, new_keys, all_keys, Comparison::greater());
template <DeviceRange First, DeviceRange Second, WritableRange Results>
requires Arithmetic<ElementOf<First>> && RangeOf<Second, ElementOf<First>> && RangeOf<Results, ElementOf<First>>
void merge(const Device& device, const First& first, const Second& second, Results&& results,
           const Comparison& comparison = Comparison::less(), const Call& call = {}) {
  detail::merge(device, {element_type<ElementOf<First>>()}, {as_span(first).view(), {}}, {as_span(second).view(), {}},
                {as_span(results).view(), {}}, comparison, call);
}

/// Merges keys, each with its value of 1, 2, 4, 8 or 16 bytes.
template <DeviceRange FirstKeys, DeviceRange FirstValues, DeviceRange SecondKeys, DeviceRange SecondValues,
          WritableRange Keys, WritableRange Values>
requires Arithmetic<ElementOf<FirstKeys>> && RangeOf<SecondKeys, ElementOf<FirstKeys>> &&
    RangeOf<Keys, ElementOf<FirstKeys>> && MovableElement<ElementOf<FirstValues>> &&
    RangeOf<SecondValues, ElementOf<FirstValues>> && RangeOf<Values, ElementOf<FirstValues>>
void merge(const Device& device, const FirstKeys& first_keys, const FirstValues& first_values,
           const SecondKeys& second_keys, const SecondValues& second_values, Keys&& keys, Values&& values,
           const Comparison& comparison = Comparison::less(), const Call& call = {}) {
  detail::merge(device, {element_type<ElementOf<FirstKeys>>(), sizeof(ElementOf<FirstValues>)},
                {as_span(first_keys).view(), as_span(first_values).view()},
                {as_span(second_keys).view(), as_span(second_values).view()},
                {as_span(keys).view(), as_span(values).view()}, comparison, call);
}

/// Scratch memory of merge() with `count` results in bytes.
GENOCL_EXPORT std::uint64_t merge_scratch_bytes(const Device& device, std::uint64_t count,
                                                const LaunchTuning& tuning = {});

}  // namespace genocl::primitives
