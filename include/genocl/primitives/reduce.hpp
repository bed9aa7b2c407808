// Reductions: sum, minimum, maximum, arg-min and arg-max, and any associative and commutative operator.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/element.hpp"
#include "genocl/primitives/expression.hpp"

namespace genocl::primitives {

/// Integers of 8 to 64 bits, float; double on devices with fp64.
template <class T>
concept Reducible = Arithmetic<T>;

namespace detail {
enum class Reduction { sum, minimum, maximum };
GENOCL_EXPORT void reduce(const Device& device, Reduction reduction, const runtime::MemoryView& values,
                          ElementType value_type, const runtime::MemoryView& result, ElementType result_type,
                          const Call& call);
/// Waits, and stores the result in host memory.
GENOCL_EXPORT void reduce_to_host(const Device& device, Reduction reduction, const runtime::MemoryView& values,
                                  ElementType value_type, void* result, ElementType result_type, const Call& call);

template <class Result, DeviceRange Values>
Result reduced(const Device& device, Reduction reduction, const Values& values, const Call& call) {
  Result result{};
  reduce_to_host(device, reduction, as_span(values).view(), element_type<ElementOf<Values>>(), &result,
                 element_type<Result>(), call);
  return result;
}
template <DeviceRange Values, DeviceRange Result>
void reduce_to(const Device& device, Reduction reduction, const Values& values, Result&& result, const Call& call) {
  reduce(device, reduction, as_span(values).view(), element_type<ElementOf<Values>>(), as_span(result).view(),
         element_type<ElementOf<Result>>(), call);
}

enum class ArgReduction { none, minimum, maximum };
/// A reduction by an operator. `expression`: null for the elements of the one input as they are.
struct OperatorReduction {
  const Expression* expression;
  std::vector<ExpressionInput> inputs;
  Operator combine;
  ElementType type;  ///< in which elements are combined
  ArgReduction arg = ArgReduction::none;
  runtime::MemoryView length = {};  ///< a DeviceLength; empty: all elements
};
template <DeviceRange Values>
OperatorReduction reduction_of(const Values& values, const Operator& combine, ArgReduction arg = ArgReduction::none) {
  return {nullptr, {expression_input(values)}, combine, element_type<ElementOf<Values>>(), arg};
}
GENOCL_EXPORT void operator_reduce(const Device& device, const OperatorReduction& job,
                                   const runtime::MemoryView& result, const Call& call);
/// Waits, and stores the result in host memory.
GENOCL_EXPORT void operator_reduce_to_host(const Device& device, const OperatorReduction& job, void* result,
                                           const Call& call);
}  // namespace detail

// Any number of elements. Reads each element once. Bound on a device that copies B bytes per second (read + written): B
// / sizeof(T) elements per second. Scratch: one T per 16,384 elements, and 8 bytes.
//
// Integer sums wrap around. Float sums have a fixed order of additions (1,024 running sums over each 16,384 elements,
// folded by halves, the tiles' sums added likewise), so the same values give the same bits on every device and with
// either kernel family. A NaN makes the sum NaN; minimum and maximum ignore NaNs. Which of -0 and +0 they return is
// unspecified.
//
// The forms with `result` write to result[0] on the device and do not wait. The others wait. Throw InputError if
// `result` is empty or overlaps `values`, CapacityError if the scratch memory does not fit.

/// The sum of no elements is 0.
template <DeviceRange Values>
requires Reducible<ElementOf<Values>> ElementOf<Values> sum(const Device& device, const Values& values,
                                                            const Call& call = {}) {
  return detail::reduced<ElementOf<Values>>(device, detail::Reduction::sum, values, call);
}
template <DeviceRange Values, WritableRange Result>
requires Reducible<ElementOf<Values>> && RangeOf<Result, ElementOf<Values>>
void sum(const Device& device, const Values& values, Result&& result, const Call& call = {}) {
  detail::reduce_to(device, detail::Reduction::sum, values, result, call);
}

/// Sums 32-bit values in 64 bits.
template <RangeOf<std::uint32_t> Values>
std::uint64_t wide_sum(const Device& device, const Values& values, const Call& call = {}) {
  return detail::reduced<std::uint64_t>(device, detail::Reduction::sum, values, call);
}
template <RangeOf<std::uint32_t> Values, WritableRange Result>
requires RangeOf<Result, std::uint64_t>
void wide_sum(const Device& device, const Values& values, Result&& result, const Call& call = {}) {
  detail::reduce_to(device, detail::Reduction::sum, values, result, call);
}

/// The largest value of T (float: infinity) for no elements.
template <DeviceRange Values>
requires Reducible<ElementOf<Values>> ElementOf<Values> minimum(const Device& device, const Values& values,
                                                                const Call& call = {}) {
  return detail::reduced<ElementOf<Values>>(device, detail::Reduction::minimum, values, call);
}
template <DeviceRange Values, WritableRange Result>
requires Reducible<ElementOf<Values>> && RangeOf<Result, ElementOf<Values>>
void minimum(const Device& device, const Values& values, Result&& result, const Call& call = {}) {
  detail::reduce_to(device, detail::Reduction::minimum, values, result, call);
}

/// The smallest value of T (float: -infinity) for no elements.
template <DeviceRange Values>
requires Reducible<ElementOf<Values>> ElementOf<Values> maximum(const Device& device, const Values& values,
                                                                const Call& call = {}) {
  return detail::reduced<ElementOf<Values>>(device, detail::Reduction::maximum, values, call);
}
template <DeviceRange Values, WritableRange Result>
requires Reducible<ElementOf<Values>> && RangeOf<Result, ElementOf<Values>>
void maximum(const Device& device, const Values& values, Result&& result, const Call& call = {}) {
  detail::reduce_to(device, detail::Reduction::maximum, values, result, call);
}

// With an operator: the same order of combining as of sums, so that built-in operators give the same bits on every
// device with denormals, and a caller's operator on every device that computes it alike. transform_reduce() reads each
// input once and stores no values.
//
// Throw also InputError for inputs of different sizes and for double on a device without fp64, BuildError for a text
// that does not compile. May be called on several threads at once with different queues.

/// Combines all elements by `combine`, which must be associative and commutative; its identity for no elements.
template <DeviceRange Values>
requires Reducible<ElementOf<Values>> ElementOf<Values> reduce(const Device& device, const Values& values,
                                                               const Operator& combine, const Call& call = {}) {
  ElementOf<Values> result{};
  detail::operator_reduce_to_host(device, detail::reduction_of(values, combine), &result, call);
  return result;
}
template <DeviceRange Values, WritableRange Result>
requires Reducible<ElementOf<Values>> && RangeOf<Result, ElementOf<Values>>
void reduce(const Device& device, const Values& values, const Operator& combine, Result&& result,
            const Call& call = {}) {
  detail::operator_reduce(device, detail::reduction_of(values, combine), as_span(result).view(), call);
}
/// The same of the first `length` elements.
template <DeviceRange Values, WritableRange Result>
requires Reducible<ElementOf<Values>> && RangeOf<Result, ElementOf<Values>>
void reduce(const Device& device, const Values& values, const Operator& combine, Result&& result,
            const DeviceLength& length, const Call& call = {}) {
  detail::OperatorReduction job = detail::reduction_of(values, combine);
  job.length = length.view();
  detail::operator_reduce(device, job, as_span(result).view(), call);
}

/// Combines the values of an expression over one or two inputs. Result: the type in which the values are combined.
///
///   const double squares = transform_reduce<double>(device, "(double)x * x", values, Operator::sum());
template <Reducible Result, DeviceRange In>
requires Arithmetic<ElementOf<In>> Result transform_reduce(const Device& device, const Expression& expression,
                                                           const In& input, const Operator& combine,
                                                           const Call& call = {}) {
  Result result{};
  detail::operator_reduce_to_host(
      device, {&expression, {detail::expression_input(input)}, combine, element_type<Result>()}, &result, call);
  return result;
}
template <Reducible Result, DeviceRange First, DeviceRange Second>
requires Arithmetic<ElementOf<First>> && Arithmetic<ElementOf<Second>> Result
transform_reduce(const Device& device, const Expression& expression, const First& first, const Second& second,
                 const Operator& combine, const Call& call = {}) {
  Result result{};
  detail::operator_reduce_to_host(device,
                                  {&expression,
                                   {detail::expression_input(first), detail::expression_input(second)},
                                   combine,
                                   element_type<Result>()},
                                  &result, call);
  return result;
}
/// The same, to result[0] on the device; does not wait.
template <DeviceRange In, WritableRange Result>
requires Arithmetic<ElementOf<In>> && Reducible<ElementOf<Result>>
void transform_reduce(const Device& device, const Expression& expression, const In& input, const Operator& combine,
                      Result&& result, const Call& call = {}) {
  detail::operator_reduce(device,
                          {&expression, {detail::expression_input(input)}, combine, element_type<ElementOf<Result>>()},
                          as_span(result).view(), call);
}

/// An element and its number.
template <Reducible T>
struct IndexedElement {
  T value{};
  std::uint64_t index = no_index;

  /// The index if there is no element, or none that is not NaN.
  static constexpr std::uint64_t no_index = std::numeric_limits<std::uint64_t>::max();
};

/// The least element that is not NaN, and its number; of equal ones the first. -0 and +0 are equal. Scratch: 16 bytes
/// per 16,384 elements (reduce_scratch_bytes() with 16).
template <DeviceRange Values>
requires Reducible<ElementOf<Values>> IndexedElement<ElementOf<Values>> arg_min(const Device& device,
                                                                                const Values& values,
                                                                                const Call& call = {}) {
  IndexedElement<ElementOf<Values>> result;
  detail::operator_reduce_to_host(
      device, detail::reduction_of(values, Operator::minimum(), detail::ArgReduction::minimum), &result, call);
  return result;
}
template <DeviceRange Values, WritableRange Result>
requires Reducible<ElementOf<Values>> && RangeOf<Result, IndexedElement<ElementOf<Values>>>
void arg_min(const Device& device, const Values& values, Result&& result, const Call& call = {}) {
  detail::operator_reduce(device, detail::reduction_of(values, Operator::minimum(), detail::ArgReduction::minimum),
                          as_span(result).view(), call);
}
/// The greatest element that is not NaN, and its number; of equal ones the first.
template <DeviceRange Values>
requires Reducible<ElementOf<Values>> IndexedElement<ElementOf<Values>> arg_max(const Device& device,
                                                                                const Values& values,
                                                                                const Call& call = {}) {
  IndexedElement<ElementOf<Values>> result;
  detail::operator_reduce_to_host(
      device, detail::reduction_of(values, Operator::maximum(), detail::ArgReduction::maximum), &result, call);
  return result;
}
template <DeviceRange Values, WritableRange Result>
requires Reducible<ElementOf<Values>> && RangeOf<Result, IndexedElement<ElementOf<Values>>>
void arg_max(const Device& device, const Values& values, Result&& result, const Call& call = {}) {
  detail::operator_reduce(device, detail::reduction_of(values, Operator::maximum(), detail::ArgReduction::maximum),
                          as_span(result).view(), call);
}

/// Scratch memory of a reduction of `count` elements in bytes. `result_bytes`: size of the result, 1 to 16.
GENOCL_EXPORT std::uint64_t reduce_scratch_bytes(const Device& device, std::uint64_t count, std::size_t result_bytes);

}  // namespace genocl::primitives
