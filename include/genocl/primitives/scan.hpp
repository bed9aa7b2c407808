// Prefix sums and running maxima.
#pragma once

#include <concepts>
#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/tuning.hpp"

namespace genocl::primitives {

/// Types of a scan: 32-bit integers, 64-bit unsigned integers, and unsigned 32-bit input with 64-bit results.
template <class In, class Out>
concept Scannable = (std::same_as<In, Out> && (std::same_as<In, std::uint32_t> || std::same_as<In, std::int32_t> ||
                                               std::same_as<In, std::uint64_t>)) ||
                    (std::same_as<In, std::uint32_t> && std::same_as<Out, std::uint64_t>);

// Any number of elements. Do not wait. `results` may be the buffer of `values` if the types are equal; otherwise they
// must not overlap. Sums wrap around.
//
// Bound on a device that copies B bytes per second (read + written): with vendor paths on NVIDIA one pass, B /
// (sizeof(In) + sizeof(Out)) elements per second; elsewhere two passes over the input, B / (2 sizeof(In) +
// sizeof(Out)). Scratch: one Out for each of at most 4,096 chunks or for each worker; with vendor paths 8 bytes per
// 12,288 elements, or 16 per 4,096 with 64-bit results.
//
// Throw InputError if the sizes do not match, or if values and results overlap and are not one buffer of one type;
// CapacityError if the scratch memory does not fit.

/// results[i] = values[0] + ... + values[i-1]. If `results` has one element more than `values`, the last is the total,
/// as in an array of offsets.
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
