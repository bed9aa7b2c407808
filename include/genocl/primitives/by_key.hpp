// Scans, reductions and lengths of runs of equal keys, as CUB's DeviceScan::InclusiveSumByKey and
// DeviceReduce::ReduceByKey.
#pragma once

#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/element.hpp"
#include "genocl/primitives/expression.hpp"
#include "genocl/primitives/scan.hpp"

namespace genocl::primitives {

namespace detail {
GENOCL_EXPORT void reduce_by_key(const Device& device, const OperatorScan& job, const runtime::MemoryView& unique_keys,
                                 const runtime::MemoryView& totals, const runtime::MemoryView& count, const Call& call);
/// Waits, and returns the number of runs.
GENOCL_EXPORT std::uint64_t reduce_by_key_to_host(const Device& device, const OperatorScan& job,
                                                  const runtime::MemoryView& unique_keys,
                                                  const runtime::MemoryView& totals, const Call& call);
GENOCL_EXPORT std::uint64_t reduce_by_key_scratch_bytes(const Device& device, std::uint64_t elements,
                                                        std::size_t value_bytes, const LaunchTuning& tuning);

template <DeviceRange Keys, DeviceRange Values>
OperatorScan keyed_scan(const Keys& keys, const Values& values, const Operator& combine, bool inclusive) {
  OperatorScan job = scan_of(values, combine, inclusive);
  job.keys = as_span(keys).view();
  job.key_bytes = sizeof(ElementOf<Keys>);
  return job;
}
/// The number 1 for each key. `one` must outlive the result.
template <DeviceRange Keys>
OperatorScan run_lengths(const Expression& one, const Keys& keys, ElementType type) {
  return {&one, expression_input(keys), Operator::sum(), type, true, as_span(keys).view(), sizeof(ElementOf<Keys>)};
}
}  // namespace detail

// Any number of elements. A run is a maximal sequence of neighbours with equal keys; keys of 1, 2, 4, 8 or 16 bytes are
// equal if all their bytes are: of floats, 0 and -0 differ, and a NaN equals itself. NaNs among the values: as in the
// scans of scan.hpp. The order is kept. `combine` must be associative; it need not be commutative.
//
// Scans: keys and values are read twice, results written once. Scratch: 8 or 16 bytes for each of at most 4,096 chunks
// or four per worker. `results` may be `values`, but not `keys`. Reductions on CPUs read keys twice and values once;
// scratch: 8 bytes and an element for each of four parts per worker. On GPUs they scan to scratch memory, then select
// the last element of each run; scratch: an element and a byte for each element, and that of scan and select(). On
// NVIDIA GPUs all read and write once; scratch: at most 24 bytes for each 2,048 elements.
//
// Throw InputError if sizes differ, operands overlap, `count` is empty, and for double on a device without fp64;
// BuildError for an operator that does not compile; CapacityError if the scratch memory does not fit. May be called on
// several threads at once with different queues.

/// results[i] combines the values from the first of the run up to values[i].
template <DeviceRange Keys, DeviceRange Values, WritableRange Results>
requires MovableElement<ElementOf<Keys>> && Arithmetic<ElementOf<Values>> && RangeOf<Results, ElementOf<Values>>
void inclusive_scan_by_key(const Device& device, const Keys& keys, const Values& values, Results&& results,
                           const Operator& combine, const Call& call = {}) {
  detail::operator_scan(device, detail::keyed_scan(keys, values, combine, true), as_span(results).view(), call);
}
/// results[i] combines the values from the first of the run up to values[i - 1]; the identity for the first.
template <DeviceRange Keys, DeviceRange Values, WritableRange Results>
requires MovableElement<ElementOf<Keys>> && Arithmetic<ElementOf<Values>> && RangeOf<Results, ElementOf<Values>>
void exclusive_scan_by_key(const Device& device, const Keys& keys, const Values& values, Results&& results,
                           const Operator& combine, const Call& call = {}) {
  detail::operator_scan(device, detail::keyed_scan(keys, values, combine, false), as_span(results).view(), call);
}

/// unique_keys[k], totals[k] = the key of the k-th run, and its values combined. Returns the number of runs, and waits
/// for the device. Results beyond the end of a shorter result are counted but not written.
template <DeviceRange Keys, DeviceRange Values, WritableRange UniqueKeys, WritableRange Totals>
requires MovableElement<ElementOf<Keys>> && Arithmetic<ElementOf<Values>> && RangeOf<UniqueKeys, ElementOf<Keys>> &&
    RangeOf<Totals, ElementOf<Values>>
        std::uint64_t reduce_by_key(const Device& device, const Keys& keys, const Values& values,
                                    UniqueKeys&& unique_keys, Totals&& totals, const Operator& combine,
                                    const Call& call = {}) {
  return detail::reduce_by_key_to_host(device, detail::keyed_scan(keys, values, combine, true),
                                       as_span(unique_keys).view(), as_span(totals).view(), call);
}
/// The same without waiting; writes the number of runs to count[0] on the device.
template <DeviceRange Keys, DeviceRange Values, WritableRange UniqueKeys, WritableRange Totals, WritableRange Count>
requires MovableElement<ElementOf<Keys>> && Arithmetic<ElementOf<Values>> && RangeOf<UniqueKeys, ElementOf<Keys>> &&
    RangeOf<Totals, ElementOf<Values>> && RangeOf<Count, std::uint64_t>
void reduce_by_key(const Device& device, const Keys& keys, const Values& values, UniqueKeys&& unique_keys,
                   Totals&& totals, const Operator& combine, Count&& count, const Call& call = {}) {
  detail::reduce_by_key(device, detail::keyed_scan(keys, values, combine, true), as_span(unique_keys).view(),
                        as_span(totals).view(), as_span(count).view(), call);
}

/// unique_keys[k], lengths[k] = the key of the k-th run, and the number of its elements. Returns the number of runs,
/// and waits for the device. Scratch: that of reduce_by_key().
template <DeviceRange Keys, WritableRange UniqueKeys, WritableRange Lengths>
requires Arithmetic<ElementOf<Keys>> && RangeOf<UniqueKeys, ElementOf<Keys>> && ElementIndex<ElementOf<Lengths>>
    std::uint64_t run_length_encode(const Device& device, const Keys& keys, UniqueKeys&& unique_keys, Lengths&& lengths,
                                    const Call& call = {}) {
  const Expression one("1");
  return detail::reduce_by_key_to_host(device, detail::run_lengths(one, keys, element_type<ElementOf<Lengths>>()),
                                       as_span(unique_keys).view(), as_span(lengths).view(), call);
}
/// The same without waiting; writes the number of runs to count[0] on the device.
template <DeviceRange Keys, WritableRange UniqueKeys, WritableRange Lengths, WritableRange Count>
requires Arithmetic<ElementOf<Keys>> && RangeOf<UniqueKeys, ElementOf<Keys>> && ElementIndex<ElementOf<Lengths>> &&
    RangeOf<Count, std::uint64_t>
void run_length_encode(const Device& device, const Keys& keys, UniqueKeys&& unique_keys, Lengths&& lengths,
                       Count&& count, const Call& call = {}) {
  const Expression one("1");
  detail::reduce_by_key(device, detail::run_lengths(one, keys, element_type<ElementOf<Lengths>>()),
                        as_span(unique_keys).view(), as_span(lengths).view(), as_span(count).view(), call);
}

/// Scratch memory of the scans by key in bytes. `value_bytes`: size of a value, 1 to 8.
inline std::uint64_t scan_by_key_scratch_bytes(const Device& device, std::uint64_t elements, std::size_t value_bytes,
                                               const LaunchTuning& tuning = {}) {
  return detail::operator_scan_scratch_bytes(device, elements, value_bytes, true, tuning);
}
/// Scratch memory of reduce_by_key() in bytes.
inline std::uint64_t reduce_by_key_scratch_bytes(const Device& device, std::uint64_t elements, std::size_t value_bytes,
                                                 const LaunchTuning& tuning = {}) {
  return detail::reduce_by_key_scratch_bytes(device, elements, value_bytes, tuning);
}

}  // namespace genocl::primitives
