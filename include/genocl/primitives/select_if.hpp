// Selection and partition by an expression, as std::copy_if, CUB's DeviceSelect::If and std::stable_partition_copy.
#pragma once

#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/element.hpp"
#include "genocl/primitives/expression.hpp"

namespace genocl::primitives {

namespace detail {
/// `rejected`: where elements go for which the expression is 0; null: nowhere. `length`: a DeviceLength; empty: all
/// elements.
GENOCL_EXPORT void select_if(const Device& device, const Expression& expression, const ExpressionInput& values,
                             const runtime::MemoryView& selected, const runtime::MemoryView* rejected,
                             const runtime::MemoryView& count, const runtime::MemoryView& length, const Call& call);
/// Waits, and returns the number of selected elements.
GENOCL_EXPORT std::uint64_t select_if_to_host(const Device& device, const Expression& expression,
                                              const ExpressionInput& values, const runtime::MemoryView& selected,
                                              const runtime::MemoryView* rejected, const Call& call);
GENOCL_EXPORT std::uint64_t select_if_scratch_bytes(const Device& device, std::uint64_t elements, bool partitions,
                                                    const LaunchTuning& tuning);
}  // namespace detail

// Any number of elements. An element is selected if the expression, over x and i, is not 0; a NaN is not 0. The order
// is kept. Results beyond the end of a shorter result are counted but not written. Results must not overlap the input.
//
// On NVIDIA GPUs, without launch parameters of the caller, reads each value once. Else reads the values, writes and
// reads a byte of flags for each, then works as select(); partition twice. Scratch: 16 bytes for 4,608 elements if each
// value is read once, else a byte for each element, and that of select().
//
// The forms that return the number of selected elements wait for the device. The forms with `count` write it to
// count[0] on the device and do not wait. Throw InputError for an empty expression, operands that overlap, an empty
// `count`, and double on a device without fp64; BuildError for an expression that does not compile; CapacityError if
// the scratch memory does not fit. May be called on several threads at once with different queues.

/// selected[k] = the k-th element for which the expression is not 0. Returns their number.
///
///   const std::uint64_t count = select_if(device, "x > 0 && i % 2 == 0", values, selected);
template <DeviceRange Values, WritableRange Results>
requires Arithmetic<ElementOf<Values>> && RangeOf<Results, ElementOf<Values>> std::uint64_t select_if(
    const Device& device, const Expression& expression, const Values& values, Results&& selected,
    const Call& call = {}) {
  return detail::select_if_to_host(device, expression, detail::expression_input(values), as_span(selected).view(),
                                   nullptr, call);
}
template <DeviceRange Values, WritableRange Results, WritableRange Count>
requires Arithmetic<ElementOf<Values>> && RangeOf<Results, ElementOf<Values>> && RangeOf<Count, std::uint64_t>
void select_if(const Device& device, const Expression& expression, const Values& values, Results&& selected,
               Count&& count, const Call& call = {}) {
  detail::select_if(device, expression, detail::expression_input(values), as_span(selected).view(), nullptr,
                    as_span(count).view(), {}, call);
}
/// The same of the first `length` elements.
template <DeviceRange Values, WritableRange Results, WritableRange Count>
requires Arithmetic<ElementOf<Values>> && RangeOf<Results, ElementOf<Values>> && RangeOf<Count, std::uint64_t>
void select_if(const Device& device, const Expression& expression, const Values& values, Results&& selected,
               Count&& count, const DeviceLength& length, const Call& call = {}) {
  detail::select_if(device, expression, detail::expression_input(values), as_span(selected).view(), nullptr,
                    as_span(count).view(), length.view(), call);
}

/// The elements for which the expression is not 0 go to `selected`, the others to `rejected`, both in their order.
/// Returns the number of selected elements.
template <DeviceRange Values, WritableRange Selected, WritableRange Rejected>
requires Arithmetic<ElementOf<Values>> && RangeOf<Selected, ElementOf<Values>> && RangeOf<Rejected, ElementOf<Values>>
    std::uint64_t partition_copy(const Device& device, const Expression& expression, const Values& values,
                                 Selected&& selected, Rejected&& rejected, const Call& call = {}) {
  const runtime::MemoryView others = as_span(rejected).view();
  return detail::select_if_to_host(device, expression, detail::expression_input(values), as_span(selected).view(),
                                   &others, call);
}
template <DeviceRange Values, WritableRange Selected, WritableRange Rejected, WritableRange Count>
requires Arithmetic<ElementOf<Values>> && RangeOf<Selected, ElementOf<Values>> &&
    RangeOf<Rejected, ElementOf<Values>> && RangeOf<Count, std::uint64_t>
void partition_copy(const Device& device, const Expression& expression, const Values& values, Selected&& selected,
                    Rejected&& rejected, Count&& count, const Call& call = {}) {
  const runtime::MemoryView others = as_span(rejected).view();
  detail::select_if(device, expression, detail::expression_input(values), as_span(selected).view(), &others,
                    as_span(count).view(), {}, call);
}

/// Scratch memory of select_if() in bytes.
inline std::uint64_t select_if_scratch_bytes(const Device& device, std::uint64_t elements,
                                             const LaunchTuning& tuning = {}) {
  return detail::select_if_scratch_bytes(device, elements, false, tuning);
}
/// Scratch memory of partition_copy() in bytes.
inline std::uint64_t partition_copy_scratch_bytes(const Device& device, std::uint64_t elements,
                                                  const LaunchTuning& tuning = {}) {
  return detail::select_if_scratch_bytes(device, elements, true, tuning);
}

}  // namespace genocl::primitives
