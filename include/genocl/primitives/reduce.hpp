// Reductions: sum, minimum, maximum.
#pragma once

#include <concepts>
#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/tuning.hpp"

namespace genocl::primitives {

template <class T>
concept Reducible = std::same_as<T, std::uint32_t> || std::same_as<T, std::int32_t> || std::same_as<T, std::uint64_t> ||
    std::same_as<T, std::int64_t> || std::same_as<T, float>;

// Any number of elements. Reads each element once. Bound on a device that copies B bytes per second (read + written): B
// / sizeof(T) elements per second. Scratch: one T per 16,384 elements. To reduce the first k elements of a larger
// array, pass Array<T>::adopt(device, array.buffer(), k).
//
// Integer sums wrap around. Float sums have a fixed order of additions (1,024 running sums over each 16,384 elements,
// folded by halves, the tiles' sums added likewise), so the same values give the same bits on every device and with
// either kernel family. A NaN makes the sum NaN; minimum and maximum ignore NaNs. Which of -0 and +0 they return is
// unspecified.
//
// The forms with `result` write to result[0] on the device and do not wait. The others wait. Throw InputError if
// `result` is empty, CapacityError if the scratch memory does not fit.

/// The sum of no elements is 0.
template <Reducible T>
GENOCL_EXPORT T sum(const Device& device, const Array<T>& values, const Tuning& tuning = {});
template <Reducible T>
GENOCL_EXPORT void sum(const Device& device, const Array<T>& values, Array<T>& result, const Tuning& tuning = {});

/// Sums 32-bit values in 64 bits.
GENOCL_EXPORT std::uint64_t wide_sum(const Device& device, const Array<std::uint32_t>& values,
                                     const Tuning& tuning = {});
GENOCL_EXPORT void wide_sum(const Device& device, const Array<std::uint32_t>& values, Array<std::uint64_t>& result,
                            const Tuning& tuning = {});

/// The largest value of T (float: infinity) for no elements.
template <Reducible T>
GENOCL_EXPORT T minimum(const Device& device, const Array<T>& values, const Tuning& tuning = {});
template <Reducible T>
GENOCL_EXPORT void minimum(const Device& device, const Array<T>& values, Array<T>& result, const Tuning& tuning = {});

/// The smallest value of T (float: -infinity) for no elements.
template <Reducible T>
GENOCL_EXPORT T maximum(const Device& device, const Array<T>& values, const Tuning& tuning = {});
template <Reducible T>
GENOCL_EXPORT void maximum(const Device& device, const Array<T>& values, Array<T>& result, const Tuning& tuning = {});

}  // namespace genocl::primitives
