// Makes one value out of many: sum, minimum, maximum.
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

// Any number of elements. Reads each element once: on a device that copies at B bytes per second (read + written), the
// bound is B / sizeof(T) elements per second. Scratch: one T per 16,384 elements. To reduce the first k elements of a
// larger array, pass Array<T>::adopt(device, array.buffer(), k).
//
// Integer sums wrap round. Float sums are added in one fixed order (1,024 running sums over each 16,384 elements,
// folded by halves, the tiles' sums added the same way), so that the same values give the same bits on every device and
// with either kernel family. A NaN makes the sum NaN; minimum and maximum pass over NaNs, and which zero they return
// among -0 and +0 is open.
//
// The forms with `result` leave it in result[0] on the device and do not wait. Throw InputError when `result` is empty,
// CapacityError when the scratch does not fit.

/// The sum of no elements is 0.
template <Reducible T>
GENOCL_EXPORT T sum(const Device& device, const Array<T>& values, const Tuning& tuning = {});
template <Reducible T>
GENOCL_EXPORT void sum(const Device& device, const Array<T>& values, Array<T>& result, const Tuning& tuning = {});

/// Sums 32-bit values up in 64 bits.
GENOCL_EXPORT std::uint64_t wide_sum(const Device& device, const Array<std::uint32_t>& values,
                                     const Tuning& tuning = {});
GENOCL_EXPORT void wide_sum(const Device& device, const Array<std::uint32_t>& values, Array<std::uint64_t>& result,
                            const Tuning& tuning = {});

/// The largest value of T (for float, infinity) when there are no elements.
template <Reducible T>
GENOCL_EXPORT T minimum(const Device& device, const Array<T>& values, const Tuning& tuning = {});
template <Reducible T>
GENOCL_EXPORT void minimum(const Device& device, const Array<T>& values, Array<T>& result, const Tuning& tuning = {});

/// The smallest value of T (for float, -infinity) when there are no elements.
template <Reducible T>
GENOCL_EXPORT T maximum(const Device& device, const Array<T>& values, const Tuning& tuning = {});
template <Reducible T>
GENOCL_EXPORT void maximum(const Device& device, const Array<T>& values, Array<T>& result, const Tuning& tuning = {});

}  // namespace genocl::primitives
