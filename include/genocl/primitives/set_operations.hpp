// Union, intersection and differences of sorted ranges, as std::set_union and the like.
#pragma once

#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/element.hpp"
#include "genocl/primitives/expression.hpp"

namespace genocl::primitives {

namespace detail {
enum class SetOperation { set_union, intersection, difference, symmetric_difference };

struct SetOperands {
  SetOperation operation;
  ElementType type;
  runtime::MemoryView first, second, results;
};
GENOCL_EXPORT void set_operation(const Device& device, const SetOperands& operands, const Comparison& comparison,
                                 const runtime::MemoryView& count, const Call& call);
/// Waits, and returns the number of results.
GENOCL_EXPORT std::uint64_t set_operation_to_host(const Device& device, const SetOperands& operands,
                                                  const Comparison& comparison, const Call& call);

template <DeviceRange First, DeviceRange Second, DeviceRange Results>
SetOperands set_operands(SetOperation operation, const First& first, const Second& second, Results&& results) {
  return {operation, element_type<ElementOf<First>>(), as_span(first).view(), as_span(second).view(),
          as_span(results).view()};
}
template <class First, class Second, class Results>
concept SetRanges = DeviceRange<First> && Arithmetic<ElementOf<First>> && RangeOf<Second, ElementOf<First>> &&
    WritableRange<Results> && RangeOf<Results, ElementOf<First>>;
}  // namespace detail

// Both ranges must be sorted by the comparison; otherwise the results are unspecified, and nothing outside the operands
// is accessed. Results are sorted. An element that the first range has m times and the second one n times is in the
// results, as with std::, max(m, n) times in a union, min(m, n) in an intersection, max(m - n, 0) in a difference, |m -
// n| in a symmetric difference. Of elements that compare equal, those of the first range are taken before those of the
// second.
//
// Any number of elements. Results beyond the end of a shorter result are counted but not written. Results must not
// overlap the ranges.
//
// O(n). `cpu` kernels: each worker computes a part in scratch memory, in which no run of equal elements is divided,
// then the parts are copied; ranges of equal elements alone use one worker. `gpu` kernels merge both ranges. On NVIDIA
// GPUs they write the results in the same pass; elsewhere they write the merge to scratch memory with a byte of flags
// for each element, then work as select(). An element takes O(log r) more in runs of r equal ones. Scratch: on NVIDIA
// GPUs that of merge() and 16 bytes for each 1,792 elements; elsewhere an element for each element of both ranges, and
// 32 bytes for each worker or, with `gpu` kernels, a byte for each element and that of merge() and select()
// (set_operation_scratch_bytes()).
//
// The forms that return the number of results wait for the device. The forms with `count` write it to count[0] on the
// device and do not wait. Throw as merge(), and InputError for an empty `count`. May be called on several threads at
// once with different queues.

/// The elements of either range.
template <class First, class Second, class Results>
requires detail::SetRanges<First, Second, Results> std::uint64_t set_union(
    const Device& device, const First& first, const Second& second, Results&& results,
    const Comparison& comparison = Comparison::less(), const Call& call = {}) {
  return detail::set_operation_to_host(
      device, detail::set_operands(detail::SetOperation::set_union, first, second, results), comparison, call);
}
template <class First, class Second, class Results, WritableRange Count>
requires detail::SetRanges<First, Second, Results> && RangeOf<Count, std::uint64_t>
void set_union(const Device& device, const First& first, const Second& second, Results&& results, Count&& count,
               const Comparison& comparison = Comparison::less(), const Call& call = {}) {
  detail::set_operation(device, detail::set_operands(detail::SetOperation::set_union, first, second, results),
                        comparison, as_span(count).view(), call);
}

/// The elements of both ranges.
template <class First, class Second, class Results>
requires detail::SetRanges<First, Second, Results> std::uint64_t set_intersection(
    const Device& device, const First& first, const Second& second, Results&& results,
    const Comparison& comparison = Comparison::less(), const Call& call = {}) {
  return detail::set_operation_to_host(
      device, detail::set_operands(detail::SetOperation::intersection, first, second, results), comparison, call);
}
template <class First, class Second, class Results, WritableRange Count>
requires detail::SetRanges<First, Second, Results> && RangeOf<Count, std::uint64_t>
void set_intersection(const Device& device, const First& first, const Second& second, Results&& results, Count&& count,
                      const Comparison& comparison = Comparison::less(), const Call& call = {}) {
  detail::set_operation(device, detail::set_operands(detail::SetOperation::intersection, first, second, results),
                        comparison, as_span(count).view(), call);
}

/// The elements of the first range that are not in the second.
template <class First, class Second, class Results>
requires detail::SetRanges<First, Second, Results> std::uint64_t set_difference(
    const Device& device, const First& first, const Second& second, Results&& results,
    const Comparison& comparison = Comparison::less(), const Call& call = {}) {
  return detail::set_operation_to_host(
      device, detail::set_operands(detail::SetOperation::difference, first, second, results), comparison, call);
}
template <class First, class Second, class Results, WritableRange Count>
requires detail::SetRanges<First, Second, Results> && RangeOf<Count, std::uint64_t>
void set_difference(const Device& device, const First& first, const Second& second, Results&& results, Count&& count,
                    const Comparison& comparison = Comparison::less(), const Call& call = {}) {
  detail::set_operation(device, detail::set_operands(detail::SetOperation::difference, first, second, results),
                        comparison, as_span(count).view(), call);
}

/// The elements of one range that are not in the other.
template <class First, class Second, class Results>
requires detail::SetRanges<First, Second, Results> std::uint64_t set_symmetric_difference(
    const Device& device, const First& first, const Second& second, Results&& results,
    const Comparison& comparison = Comparison::less(), const Call& call = {}) {
  return detail::set_operation_to_host(
      device, detail::set_operands(detail::SetOperation::symmetric_difference, first, second, results), comparison,
      call);
}
template <class First, class Second, class Results, WritableRange Count>
requires detail::SetRanges<First, Second, Results> && RangeOf<Count, std::uint64_t>
void set_symmetric_difference(const Device& device, const First& first, const Second& second, Results&& results,
                              Count&& count, const Comparison& comparison = Comparison::less(), const Call& call = {}) {
  detail::set_operation(device,
                        detail::set_operands(detail::SetOperation::symmetric_difference, first, second, results),
                        comparison, as_span(count).view(), call);
}

/// Scratch memory of a set operation in bytes. `count`: elements of both ranges; `element_bytes`: 1 to 8.
GENOCL_EXPORT std::uint64_t set_operation_scratch_bytes(const Device& device, std::uint64_t count,
                                                        std::size_t element_bytes, const LaunchTuning& tuning = {});

}  // namespace genocl::primitives
