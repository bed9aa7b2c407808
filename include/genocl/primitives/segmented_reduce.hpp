// Reductions of each of many segments of an array, as CUB's DeviceSegmentedReduce.
#pragma once

#include <cstddef>
#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/element.hpp"
#include "genocl/primitives/expression.hpp"
#include "genocl/primitives/reduce.hpp"

namespace genocl::primitives {

namespace detail {
struct SegmentOffsets {
  runtime::MemoryView view;
  std::size_t offset_bytes;
};
template <DeviceRange Offsets>
SegmentOffsets segment_offsets(const Offsets& offsets) {
  return {as_span(offsets).view(), sizeof(ElementOf<Offsets>)};
}
GENOCL_EXPORT void segmented_reduce(const Device& device, const OperatorReduction& job, const SegmentOffsets& offsets,
                                    const runtime::MemoryView& results, const Call& call);
}  // namespace detail

// Segment s has elements offsets[s] to offsets[s + 1] - 1, for s in [0, offsets.size() - 1). `offsets` must not
// decrease; elements before the first and from the last offset on are ignored. An empty segment has the identity as its
// result. `combine` must be associative and commutative. Do not wait. Any number of elements and segments.
//
// Reads each element and each offset once, and writes one result per segment. Segments of more than 2,048 elements are
// cut into chunks of 8,192, so that devices are busy with one long segment, with many short ones, and with both.
// Scratch: 16 bytes and a result for each 2,048 elements, on NVIDIA GPUs 4 bytes more
// (segmented_reduce_scratch_bytes()).
//
// Integer sums and products wrap around. The order of combining depends on the length of a segment alone: lane l of 32
// combines elements l, l + 32, ..., and the lanes are folded by halves; chunks are combined likewise with 256 lanes,
// and so are the results of the chunks of a segment. So a segment has the same bits in every call, with any offset and
// any launch shape. Integers have them on all devices; floats combined by a built-in operator have them on all devices
// with denormals; callers' operators and expressions where devices compute them alike. Sums of floats differ in the
// last bits from those of sum(), whose order is another. A NaN makes sums and products NaN; minimum and maximum ignore
// NaNs.
//
// Offsets that decrease or exceed the number of elements access nothing outside the operands, but the results are
// unspecified; with GENOCL_CHECK=1 in the environment they throw InputError, and the call waits.
//
// Throw InputError if the number of results is not that of the segments, without offsets, if `results` overlaps another
// operand, for inputs of different sizes, and for double on a device without fp64; BuildError for a text that does not
// compile; CapacityError if the scratch memory does not fit. May be called on several threads at once with different
// queues.

/// results[s] combines the elements of segment s.
///
///   segmented_reduce(device, depths, offsets, sums, Operator::sum());
template <DeviceRange Values, DeviceRange Offsets, WritableRange Results>
requires Reducible<ElementOf<Values>> && ElementIndex<ElementOf<Offsets>> && RangeOf<Results, ElementOf<Values>>
void segmented_reduce(const Device& device, const Values& values, const Offsets& offsets, Results&& results,
                      const Operator& combine, const Call& call = {}) {
  detail::segmented_reduce(device, detail::reduction_of(values, combine), detail::segment_offsets(offsets),
                           as_span(results).view(), call);
}

/// results[s] combines the values of an expression over the elements of segment s. The values have the type of the
/// results; the variable i is the number of the element in `input`.
///
///   transform_segmented_reduce(device, "x >= 20", qualities, offsets, counts, Operator::sum());
template <DeviceRange In, DeviceRange Offsets, WritableRange Results>
requires Arithmetic<ElementOf<In>> && ElementIndex<ElementOf<Offsets>> && Reducible<ElementOf<Results>>
void transform_segmented_reduce(const Device& device, const Expression& expression, const In& input,
                                const Offsets& offsets, Results&& results, const Operator& combine,
                                const Call& call = {}) {
  detail::segmented_reduce(
      device, {&expression, {detail::expression_input(input)}, combine, element_type<ElementOf<Results>>()},
      detail::segment_offsets(offsets), as_span(results).view(), call);
}
/// The same over two inputs of one size.
template <DeviceRange First, DeviceRange Second, DeviceRange Offsets, WritableRange Results>
requires Arithmetic<ElementOf<First>> && Arithmetic<ElementOf<Second>> && ElementIndex<ElementOf<Offsets>> &&
    Reducible<ElementOf<Results>>
void transform_segmented_reduce(const Device& device, const Expression& expression, const First& first,
                                const Second& second, const Offsets& offsets, Results&& results,
                                const Operator& combine, const Call& call = {}) {
  detail::segmented_reduce(device,
                           {&expression,
                            {detail::expression_input(first), detail::expression_input(second)},
                            combine,
                            element_type<ElementOf<Results>>()},
                           detail::segment_offsets(offsets), as_span(results).view(), call);
}

/// results[s] = the least element of segment s that is not NaN, and its number in the segment, counted from 0; of equal
/// ones the first. -0 and +0 are equal. Without such an element: IndexedElement::no_index, and as the value the
/// identity of Operator::minimum().
template <DeviceRange Values, DeviceRange Offsets, WritableRange Results>
requires Reducible<ElementOf<Values>> && ElementIndex<ElementOf<Offsets>> &&
    RangeOf<Results, IndexedElement<ElementOf<Values>>>
void segmented_arg_min(const Device& device, const Values& values, const Offsets& offsets, Results&& results,
                       const Call& call = {}) {
  detail::segmented_reduce(device, detail::reduction_of(values, Operator::minimum(), detail::ArgReduction::minimum),
                           detail::segment_offsets(offsets), as_span(results).view(), call);
}
/// The greatest element, likewise.
template <DeviceRange Values, DeviceRange Offsets, WritableRange Results>
requires Reducible<ElementOf<Values>> && ElementIndex<ElementOf<Offsets>> &&
    RangeOf<Results, IndexedElement<ElementOf<Values>>>
void segmented_arg_max(const Device& device, const Values& values, const Offsets& offsets, Results&& results,
                       const Call& call = {}) {
  detail::segmented_reduce(device, detail::reduction_of(values, Operator::maximum(), detail::ArgReduction::maximum),
                           detail::segment_offsets(offsets), as_span(results).view(), call);
}

/// Scratch memory of a segmented reduction in bytes, for any offsets. `elements`: the size of the input.
/// `result_bytes`: size of a result, 1 to 16.
GENOCL_EXPORT std::uint64_t segmented_reduce_scratch_bytes(const Device& device, std::uint64_t elements,
                                                           std::size_t result_bytes);

}  // namespace genocl::primitives
