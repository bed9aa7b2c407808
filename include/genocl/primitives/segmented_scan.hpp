// Scans of each of many segments of an array.
#pragma once

#include <cstddef>
#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/element.hpp"
#include "genocl/primitives/expression.hpp"
#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/segmented_reduce.hpp"

namespace genocl::primitives {

namespace detail {
GENOCL_EXPORT void segmented_scan(const Device& device, const OperatorScan& job, const SegmentOffsets& offsets,
                                  const runtime::MemoryView& results, const Call& call);
GENOCL_EXPORT std::uint64_t segmented_scan_scratch_bytes(const Device& device, std::uint64_t elements,
                                                         std::size_t value_bytes, const LaunchTuning& tuning);
}  // namespace detail

// Segments are those of segmented_reduce.hpp. The elements before the first offset are one more segment, and so are
// those from the last offset on. One result per element; `results` may be `values`. `combine` must be associative and
// need not be commutative. Do not wait. Any number of elements and segments.
//
// On GPUs a byte per element flags the first elements of segments, and a scan by key restarts there. An element and its
// flag are read once on NVIDIA GPUs and twice on other GPUs; flag and result are written once. On CPUs each worker
// scans a range; an element is read once, or twice if its segment goes on in the next range, and written once. Each
// offset is read once. Scratch: a byte per element and that of the scan by key on GPUs, 12 bytes per worker on CPUs
// (segmented_scan_scratch_bytes()).
//
// Integers have the same bits everywhere. The order in which floats are combined depends on the device, the launch
// shape and the place of the segment; on one device it is the same in each call. A NaN makes sums and products NaN up
// to the end of the segment; minimum and maximum ignore NaNs.
//
// Offsets that decrease or exceed the number of elements access nothing outside the operands, but the results are
// unspecified; with GENOCL_CHECK=1 in the environment they throw InputError, and the call waits.
//
// Throw InputError if the numbers of values and results differ, without offsets, if operands overlap, and for double on
// a device without fp64; BuildError for an operator that does not compile; CapacityError if the scratch memory does not
// fit. May be called on several threads at once with different queues.

/// results[i] combines the values from the first of the segment up to values[i].
template <DeviceRange Values, DeviceRange Offsets, WritableRange Results>
requires Arithmetic<ElementOf<Values>> && ElementIndex<ElementOf<Offsets>> && RangeOf<Results, ElementOf<Values>>
void segmented_inclusive_scan(const Device& device, const Values& values, const Offsets& offsets, Results&& results,
                              const Operator& combine, const Call& call = {}) {
  detail::segmented_scan(device, detail::scan_of(values, combine, true), detail::segment_offsets(offsets),
                         as_span(results).view(), call);
}
/// results[i] combines the values from the first of the segment up to values[i - 1]; the identity for the first.
template <DeviceRange Values, DeviceRange Offsets, WritableRange Results>
requires Arithmetic<ElementOf<Values>> && ElementIndex<ElementOf<Offsets>> && RangeOf<Results, ElementOf<Values>>
void segmented_exclusive_scan(const Device& device, const Values& values, const Offsets& offsets, Results&& results,
                              const Operator& combine, const Call& call = {}) {
  detail::segmented_scan(device, detail::scan_of(values, combine, false), detail::segment_offsets(offsets),
                         as_span(results).view(), call);
}

/// Scratch memory of the segmented scans in bytes. `value_bytes`: size of a value, 1 to 8.
inline std::uint64_t segmented_scan_scratch_bytes(const Device& device, std::uint64_t elements, std::size_t value_bytes,
                                                  const LaunchTuning& tuning = {}) {
  return detail::segmented_scan_scratch_bytes(device, elements, value_bytes, tuning);
}

}  // namespace genocl::primitives
