// The first element of each run of equal elements, as std::unique_copy and CUB's DeviceSelect::Unique.
#pragma once

#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/element.hpp"

namespace genocl::primitives {

namespace detail {
/// The operands with their types erased. `values` and `unique_values` are empty for unique().
struct UniqueOperands {
  runtime::MemoryView keys, values, unique_keys, unique_values;
  std::size_t key_bytes = 0, value_bytes = 0;
};
GENOCL_EXPORT void unique(const Device& device, const UniqueOperands& operands, const runtime::MemoryView& count,
                          const Call& call);
/// Waits, and returns the number of runs.
GENOCL_EXPORT std::uint64_t unique(const Device& device, const UniqueOperands& operands, const Call& call);
GENOCL_EXPORT std::uint64_t unique_scratch_bytes(const Device& device, std::uint64_t elements,
                                                 const LaunchTuning& tuning);

template <DeviceRange Keys, DeviceRange Values, WritableRange UniqueKeys, WritableRange UniqueValues>
UniqueOperands unique_operands(const Keys& keys, const Values& values, UniqueKeys&& unique_keys,
                               UniqueValues&& unique_values) {
  return {as_span(keys).view(),          as_span(values).view(),  as_span(unique_keys).view(),
          as_span(unique_values).view(), sizeof(ElementOf<Keys>), sizeof(ElementOf<Values>)};
}
}  // namespace detail

// Any number of elements. Elements are equal if all their bytes are: of floats, 0 and -0 differ, and a NaN equals
// itself. Results beyond the end of a shorter result are counted but not written. Results must not overlap the input.
// The order is kept.
//
// O(n). NVIDIA GPUs, with values of at most 8 bytes: reads keys and values once; scratch: at most 24 bytes for each
// 2,048 elements. CPUs: reads the keys twice and the values once; scratch: 8 bytes and an element for each of four
// parts per worker. Else reads the keys twice, and writes and reads a byte of flags per element; scratch: that byte,
// and that of select().
//
// The forms that return the number of runs wait for the device. The forms with `count` write it to count[0] on the
// device and do not wait. Throw InputError if the numbers of keys and values differ, results, input or `count` overlap,
// or `count` is empty; CapacityError if the scratch memory does not fit. May be called on several threads at once with
// different queues.

/// results[k] = the first element of the k-th run of equal elements. Returns the number of runs.
template <DeviceRange Values, WritableRange Results>
requires MovableElement<ElementOf<Values>> && RangeOf<Results, ElementOf<Values>> std::uint64_t unique(
    const Device& device, const Values& values, Results&& results, const Call& call = {}) {
  return detail::unique(device, {as_span(values).view(), {}, as_span(results).view(), {}, sizeof(ElementOf<Values>), 0},
                        call);
}
template <DeviceRange Values, WritableRange Results, WritableRange Count>
requires MovableElement<ElementOf<Values>> && RangeOf<Results, ElementOf<Values>> && RangeOf<Count, std::uint64_t>
void unique(const Device& device, const Values& values, Results&& results, Count&& count, const Call& call = {}) {
  detail::unique(device, {as_span(values).view(), {}, as_span(results).view(), {}, sizeof(ElementOf<Values>), 0},
                 as_span(count).view(), call);
}

/// unique_keys[k], unique_values[k] = the first key of the k-th run of equal keys, and its value. Returns the number of
/// runs.
template <DeviceRange Keys, DeviceRange Values, WritableRange UniqueKeys, WritableRange UniqueValues>
requires MovableElement<ElementOf<Keys>> && MovableElement<ElementOf<Values>> && RangeOf<UniqueKeys, ElementOf<Keys>> &&
    RangeOf<UniqueValues, ElementOf<Values>>
        std::uint64_t unique_by_key(const Device& device, const Keys& keys, const Values& values,
                                    UniqueKeys&& unique_keys, UniqueValues&& unique_values, const Call& call = {}) {
  return detail::unique(device, detail::unique_operands(keys, values, unique_keys, unique_values), call);
}
template <DeviceRange Keys, DeviceRange Values, WritableRange UniqueKeys, WritableRange UniqueValues,
          WritableRange Count>
requires MovableElement<ElementOf<Keys>> && MovableElement<ElementOf<Values>> && RangeOf<UniqueKeys, ElementOf<Keys>> &&
    RangeOf<UniqueValues, ElementOf<Values>> && RangeOf<Count, std::uint64_t>
void unique_by_key(const Device& device, const Keys& keys, const Values& values, UniqueKeys&& unique_keys,
                   UniqueValues&& unique_values, Count&& count, const Call& call = {}) {
  detail::unique(device, detail::unique_operands(keys, values, unique_keys, unique_values), as_span(count).view(),
                 call);
}

/// Scratch memory of unique() and unique_by_key() in bytes.
inline std::uint64_t unique_scratch_bytes(const Device& device, std::uint64_t elements,
                                          const LaunchTuning& tuning = {}) {
  return detail::unique_scratch_bytes(device, elements, tuning);
}

}  // namespace genocl::primitives
