// Differences of neighbours, as std::adjacent_difference and CUB's DeviceAdjacentDifference::SubtractLeftCopy.
#pragma once

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/element.hpp"
#include "genocl/primitives/expression.hpp"

namespace genocl::primitives {

namespace detail {
/// `expression`: null for differences.
GENOCL_EXPORT void adjacent_difference(const Device& device, const Expression* expression,
                                       const ExpressionInput& values, const ExpressionInput& results, const Call& call);
}  // namespace detail

// Any number of elements. Do not wait, and need no scratch memory. Each value is read from memory once, each result
// written once. `results` has the size of `values` and must not overlap it.
//
// Throw InputError if the sizes differ or the operands overlap, for an empty expression, and for double on a device
// without fp64; BuildError if the expression does not compile. May be called on several threads at once with different
// queues.

/// results[0] = values[0]; results[i] = values[i] - values[i - 1]. Integers wrap around.
template <DeviceRange Values, WritableRange Results>
requires Arithmetic<ElementOf<Values>> && RangeOf<Results, ElementOf<Values>>
void adjacent_difference(const Device& device, const Values& values, Results&& results, const Call& call = {}) {
  detail::adjacent_difference(device, nullptr, detail::expression_input(values), detail::expression_input(results),
                              call);
}

/// results[0] = values[0]; results[i] = expression(x0 = values[i], x1 = values[i - 1], i), both converted to the type
/// of the results as by a cast in C.
///
///   adjacent_difference(device, "fabs(x0 - x1)", values, steps);
template <DeviceRange Values, WritableRange Results>
requires Arithmetic<ElementOf<Values>> && Arithmetic<ElementOf<Results>>
void adjacent_difference(const Device& device, const Expression& expression, const Values& values, Results&& results,
                         const Call& call = {}) {
  detail::adjacent_difference(device, &expression, detail::expression_input(values), detail::expression_input(results),
                              call);
}

}  // namespace genocl::primitives
