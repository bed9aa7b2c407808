// Reductions: sum, minimum, maximum.
#pragma once

#include <concepts>
#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/element.hpp"

namespace genocl::primitives {

template <class T>
concept Reducible = std::same_as<T, std::uint32_t> || std::same_as<T, std::int32_t> || std::same_as<T, std::uint64_t> ||
    std::same_as<T, std::int64_t> || std::same_as<T, float>;

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
}  // namespace detail

// Any number of elements. Reads each element once. Bound on a device that copies B bytes per second (read + written): B
// / sizeof(T) elements per second. Scratch: one T per 16,384 elements.
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

/// Scratch memory of a reduction of `count` elements in bytes. `result_bytes`: size of the result, 4 or 8.
GENOCL_EXPORT std::uint64_t reduce_scratch_bytes(const Device& device, std::uint64_t count, std::size_t result_bytes);

}  // namespace genocl::primitives
