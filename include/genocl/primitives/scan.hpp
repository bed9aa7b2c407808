// Prefix sums and running maxima.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/element.hpp"

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

/// Scratch memory of a scan with `count` results in bytes. `result_bytes`: size of a result, 4 or 8.
GENOCL_EXPORT std::uint64_t scan_scratch_bytes(const Device& device, std::uint64_t count, std::size_t result_bytes,
                                               const LaunchTuning& tuning = {});

}  // namespace genocl::primitives
