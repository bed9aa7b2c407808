// Elementwise computation by an expression in OpenCL C, as std::transform.
#pragma once

#include <initializer_list>

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/element.hpp"
#include "genocl/primitives/expression.hpp"

namespace genocl::primitives {

namespace detail {
GENOCL_EXPORT void transform(const Device& device, const Expression& expression,
                             std::initializer_list<ExpressionInput> inputs, const ExpressionInput& results,
                             const Call& call);
}

// results[i] = expression(x0 = first[i], x1 = second[i], ..., i). Any number of elements, up to four inputs. Does not
// wait, and needs no scratch memory. Each input is read once, each result written once. `results` may be the same
// elements as an input with elements of the same size.
//
//   transform(device, "x0 * 0.5f + x1", heights, offsets, results);
//   transform(device, "i * i", squares);
//
// Throw InputError if the sizes differ, if `results` overlaps an input and is not the same elements, for an empty
// expression, and for double on a device without fp64; BuildError if the expression does not compile. May be called on
// several threads at once with different queues.

template <WritableRange Results>
requires Arithmetic<ElementOf<Results>>
void transform(const Device& device, const Expression& expression, Results&& results, const Call& call = {}) {
  detail::transform(device, expression, {}, detail::expression_input(results), call);
}
template <DeviceRange In, WritableRange Results>
requires Arithmetic<ElementOf<In>> && Arithmetic<ElementOf<Results>>
void transform(const Device& device, const Expression& expression, const In& input, Results&& results,
               const Call& call = {}) {
  detail::transform(device, expression, {detail::expression_input(input)}, detail::expression_input(results), call);
}
template <DeviceRange First, DeviceRange Second, WritableRange Results>
requires Arithmetic<ElementOf<First>> && Arithmetic<ElementOf<Second>> && Arithmetic<ElementOf<Results>>
void transform(const Device& device, const Expression& expression, const First& first, const Second& second,
               Results&& results, const Call& call = {}) {
  detail::transform(device, expression, {detail::expression_input(first), detail::expression_input(second)},
                    detail::expression_input(results), call);
}
template <DeviceRange First, DeviceRange Second, DeviceRange Third, WritableRange Results>
requires Arithmetic<ElementOf<First>> && Arithmetic<ElementOf<Second>> && Arithmetic<ElementOf<Third>> &&
    Arithmetic<ElementOf<Results>>
void transform(const Device& device, const Expression& expression, const First& first, const Second& second,
               const Third& third, Results&& results, const Call& call = {}) {
  detail::transform(
      device, expression,
      {detail::expression_input(first), detail::expression_input(second), detail::expression_input(third)},
      detail::expression_input(results), call);
}
template <DeviceRange First, DeviceRange Second, DeviceRange Third, DeviceRange Fourth, WritableRange Results>
requires Arithmetic<ElementOf<First>> && Arithmetic<ElementOf<Second>> && Arithmetic<ElementOf<Third>> &&
    Arithmetic<ElementOf<Fourth>> && Arithmetic<ElementOf<Results>>
void transform(const Device& device, const Expression& expression, const First& first, const Second& second,
               const Third& third, const Fourth& fourth, Results&& results, const Call& call = {}) {
  detail::transform(device, expression,
                    {detail::expression_input(first), detail::expression_input(second), detail::expression_input(third),
                     detail::expression_input(fourth)},
                    detail::expression_input(results), call);
}

}  // namespace genocl::primitives
