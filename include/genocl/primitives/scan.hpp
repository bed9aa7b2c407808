// Prefix sums, running maxima, and scans with any associative operator.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/element.hpp"
#include "genocl/primitives/expression.hpp"

namespace genocl::primitives {

/// Types of a scan: 32-bit integers, 64-bit unsigned integers, and unsigned 32-bit input with 64-bit results.
template <class In, class Out>
concept Scannable = (std::same_as<In, Out> && (std::same_as<In, std::uint32_t> || std::same_as<In, std::int32_t> ||
                                               std::same_as<In, std::uint64_t>)) ||
                    (std::same_as<In, std::uint32_t> && std::same_as<Out, std::uint64_t>);

namespace detail {
enum class Scan { exclusive_sum, inclusive_sum, inclusive_maximum };
GENOCL_EXPORT void scan(const Device& device, Scan scan, const runtime::MemoryView& values, ElementType value_type,
                        const runtime::MemoryView& results, ElementType result_type, const Call& call);

/// A scan with an operator. `expression`: null for the elements of the input as they are.
struct OperatorScan {
  const Expression* expression;
  ExpressionInput input;
  Operator combine;
  ElementType type;  ///< in which elements are combined
  bool inclusive;
  runtime::MemoryView keys = {};
  std::size_t key_bytes = 0;        ///< 0: no keys
  runtime::MemoryView length = {};  ///< a DeviceLength; empty: all elements
  bool keys_are_heads = false;      ///< a key that is not 0 begins a run, whatever the key before it
};
template <DeviceRange Values>
OperatorScan scan_of(const Values& values, const Operator& combine, bool inclusive) {
  return {nullptr, expression_input(values), combine, element_type<ElementOf<Values>>(), inclusive};
}
GENOCL_EXPORT void operator_scan(const Device& device, const OperatorScan& job, const runtime::MemoryView& results,
                                 const Call& call);
GENOCL_EXPORT std::uint64_t operator_scan_scratch_bytes(const Device& device, std::uint64_t count,
                                                        std::size_t value_bytes, bool by_key,
                                                        const LaunchTuning& tuning);
}  // namespace detail

// Any number of elements. Do not wait. `results` may be the same elements as `values` if the types are equal; otherwise
// they must not overlap. Sums wrap around.
//
// Bound on a device that copies B bytes per second (read + written): with vendor paths on NVIDIA one pass, B /
// (sizeof(In) + sizeof(Out)) elements per second; elsewhere two passes over the input, B / (2 sizeof(In) +
// sizeof(Out)). Scratch: one Out for each of at most 4,096 chunks or for each worker; with vendor paths 8 bytes per
// 12,288 elements, or 16 per 4,096 with 64-bit results.
//
// Throw InputError if the sizes do not match, or if values and results overlap and are not the same elements of one
// type; CapacityError if the scratch memory does not fit.

/// results[i] = values[0] + ... + values[i-1]. If `results` has one element more than `values`, the last is the total,
/// as in an array of offsets.
template <DeviceRange Values, WritableRange Results>
requires Scannable<ElementOf<Values>, ElementOf<Results>>
void exclusive_scan(const Device& device, const Values& values, Results&& results, const Call& call = {}) {
  detail::scan(device, detail::Scan::exclusive_sum, as_span(values).view(), element_type<ElementOf<Values>>(),
               as_span(results).view(), element_type<ElementOf<Results>>(), call);
}

/// results[i] = values[0] + ... + values[i].
template <DeviceRange Values, WritableRange Results>
requires Scannable<ElementOf<Values>, ElementOf<Results>>
void inclusive_scan(const Device& device, const Values& values, Results&& results, const Call& call = {}) {
  detail::scan(device, detail::Scan::inclusive_sum, as_span(values).view(), element_type<ElementOf<Values>>(),
               as_span(results).view(), element_type<ElementOf<Results>>(), call);
}

/// results[i] = max(values[0], ..., values[i]).
template <DeviceRange Values, WritableRange Results>
requires Scannable<ElementOf<Values>, ElementOf<Results>> && RangeOf<Results, ElementOf<Values>>
void inclusive_max_scan(const Device& device, const Values& values, Results&& results, const Call& call = {}) {
  detail::scan(device, detail::Scan::inclusive_maximum, as_span(values).view(), element_type<ElementOf<Values>>(),
               as_span(results).view(), element_type<ElementOf<Results>>(), call);
}

// With an operator: any arithmetic type; `combine` must be associative and need not be commutative. One pass over the
// input on NVIDIA GPUs, two on other devices. Integers have the same bits everywhere. The order in which floating-point
// elements are combined depends on the device and the launch shape, so that sums of floats may differ in the last bits;
// on one device they are the same in each call. A NaN makes sums and products NaN from there on; minimum and maximum
// ignore NaNs. Scratch: an element for each of at most 4,096 chunks or four per worker
// (operator_scan_scratch_bytes()).
//
// Throw also InputError for double on a device without fp64, BuildError for a text that does not compile. May be called
// on several threads at once with different queues.

/// results[i] combines values[0] to values[i - 1] in this order; results[0] is the identity. If `results` has one
/// element more than `values`, the last combines all.
template <DeviceRange Values, WritableRange Results>
requires Arithmetic<ElementOf<Values>> && RangeOf<Results, ElementOf<Values>>
void exclusive_scan(const Device& device, const Values& values, Results&& results, const Operator& combine,
                    const Call& call = {}) {
  detail::operator_scan(device, detail::scan_of(values, combine, false), as_span(results).view(), call);
}
/// results[i] combines values[0] to values[i] in this order.
template <DeviceRange Values, WritableRange Results>
requires Arithmetic<ElementOf<Values>> && RangeOf<Results, ElementOf<Values>>
void inclusive_scan(const Device& device, const Values& values, Results&& results, const Operator& combine,
                    const Call& call = {}) {
  detail::operator_scan(device, detail::scan_of(values, combine, true), as_span(results).view(), call);
}

/// The same of the first `length` elements. Later results are the combination of these elements.
template <DeviceRange Values, WritableRange Results>
requires Arithmetic<ElementOf<Values>> && RangeOf<Results, ElementOf<Values>>
void exclusive_scan(const Device& device, const Values& values, Results&& results, const Operator& combine,
                    const DeviceLength& length, const Call& call = {}) {
  detail::OperatorScan job = detail::scan_of(values, combine, false);
  job.length = length.view();
  detail::operator_scan(device, job, as_span(results).view(), call);
}
template <DeviceRange Values, WritableRange Results>
requires Arithmetic<ElementOf<Values>> && RangeOf<Results, ElementOf<Values>>
void inclusive_scan(const Device& device, const Values& values, Results&& results, const Operator& combine,
                    const DeviceLength& length, const Call& call = {}) {
  detail::OperatorScan job = detail::scan_of(values, combine, true);
  job.length = length.view();
  detail::operator_scan(device, job, as_span(results).view(), call);
}

/// Scans of the values of an expression, converted to the type of the results.
///
///   transform_exclusive_scan(device, "popcount(x)", words, ones_before, Operator::sum());
template <DeviceRange In, WritableRange Results>
requires Arithmetic<ElementOf<In>> && Arithmetic<ElementOf<Results>>
void transform_exclusive_scan(const Device& device, const Expression& expression, const In& input, Results&& results,
                              const Operator& combine, const Call& call = {}) {
  detail::operator_scan(
      device, {&expression, detail::expression_input(input), combine, element_type<ElementOf<Results>>(), false},
      as_span(results).view(), call);
}
template <DeviceRange In, WritableRange Results>
requires Arithmetic<ElementOf<In>> && Arithmetic<ElementOf<Results>>
void transform_inclusive_scan(const Device& device, const Expression& expression, const In& input, Results&& results,
                              const Operator& combine, const Call& call = {}) {
  detail::operator_scan(
      device, {&expression, detail::expression_input(input), combine, element_type<ElementOf<Results>>(), true},
      as_span(results).view(), call);
}

/// Scratch memory of the scans with an operator in bytes. `value_bytes`: size of a result, 1 to 8.
inline std::uint64_t operator_scan_scratch_bytes(const Device& device, std::uint64_t count, std::size_t value_bytes,
                                                 const LaunchTuning& tuning = {}) {
  return detail::operator_scan_scratch_bytes(device, count, value_bytes, false, tuning);
}

/// Scratch memory of a scan with `count` results in bytes. `result_bytes`: size of a result, 4 or 8.
GENOCL_EXPORT std::uint64_t scan_scratch_bytes(const Device& device, std::uint64_t count, std::size_t result_bytes,
                                               const LaunchTuning& tuning = {});

}  // namespace genocl::primitives
