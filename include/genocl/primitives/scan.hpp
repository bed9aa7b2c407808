// Computes prefix sums and running maxima.
#pragma once

#include <concepts>
#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/tuning.hpp"

namespace genocl::primitives {

/// What a scan can read and write: 32-bit integers, 64-bit unsigned ones, and unsigned 32-bit ones into 64.
template <class In, class Out>
concept Scannable = (std::same_as<In, Out> && (std::same_as<In, std::uint32_t> || std::same_as<In, std::int32_t> ||
                                               std::same_as<In, std::uint64_t>)) ||
                    (std::same_as<In, std::uint32_t> && std::same_as<Out, std::uint64_t>);

// Any number of elements; nothing is waited for. `results` may be the same buffer as `values` when the types are the
// same; they must not overlap otherwise. Sums wrap round.
//
// Elements per second on a device that copies at B bytes per second (read + written): with vendor paths on NVIDIA one
// pass, so at most B / (sizeof(In) + sizeof(Out)); elsewhere two passes over the input, B / (2 sizeof(In) +
// sizeof(Out)). Scratch: one Out for each of at most 4,096 chunks or for each worker; with vendor paths 8 bytes per
// 12,288 elements, or 16 per 4,096 with 64-bit results.
//
// Throw InputError when the sizes do not match, or when they share memory and are not one buffer or not of one type;
// CapacityError when the scratch does not fit.

/// results[i] = values[0] + ... + values[i-1]. `results` has as many elements as `values`, or one more: then the last
/// is the sum of all, which is the shape of an array of offsets.
template <class In, class Out>
requires Scannable<In, Out> GENOCL_EXPORT void exclusive_scan(const Device& device, const Array<In>& values,
                                                              Array<Out>& results, const Tuning& tuning = {});

/// results[i] = values[0] + ... + values[i].
template <class In, class Out>
requires Scannable<In, Out> GENOCL_EXPORT void inclusive_scan(const Device& device, const Array<In>& values,
                                                              Array<Out>& results, const Tuning& tuning = {});

/// results[i] = max(values[0], ..., values[i]).
template <class T>
requires Scannable<T, T> GENOCL_EXPORT void inclusive_max_scan(const Device& device, const Array<T>& values,
                                                               Array<T>& results, const Tuning& tuning = {});

}  // namespace genocl::primitives
