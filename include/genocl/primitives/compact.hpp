// Stream compaction: selects the flagged elements, or their indices, in order.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/element.hpp"

namespace genocl::primitives {

/// A flag is set if it is not 0.
template <class T>
concept CompactionFlag = std::same_as<T, std::uint8_t> || std::same_as<T, std::uint32_t>;

namespace detail {
/// The operands of a compaction with their types erased.
struct Compaction {
  runtime::MemoryView values;  ///< empty for select_indices()
  runtime::MemoryView flags, results;
  std::size_t element_bytes = 0;  ///< of a value or an index
  std::size_t flag_bytes = 0;
  bool indices = false;  ///< select_indices()
};
GENOCL_EXPORT void select(const Device& device, const Compaction& operands, const runtime::MemoryView& count,
                          const Call& call);
/// Waits, and returns the number of set flags.
GENOCL_EXPORT std::uint64_t select(const Device& device, const Compaction& operands, const Call& call);

template <DeviceRange Values, DeviceRange Flags, DeviceRange Results>
Compaction value_compaction(const Values& values, const Flags& flags, Results&& results) {
  return {as_span(values).view(),    as_span(flags).view(),    as_span(results).view(),
          sizeof(ElementOf<Values>), sizeof(ElementOf<Flags>), false};
}
template <DeviceRange Flags, DeviceRange Indices>
Compaction index_compaction(const Flags& flags, Indices&& indices) {
  return {{},  as_span(flags).view(), as_span(indices).view(), sizeof(ElementOf<Indices>), sizeof(ElementOf<Flags>),
          true};
}
}  // namespace detail

// Any number of flags. Results beyond the end of a shorter result are counted but not written. Results must not overlap
// the input.
//
// Reads the flags twice (with vendor paths on NVIDIA once) and the selected values once, and writes the latter once.
// Scratch: 8 bytes for each of at most 4,096 chunks or for each worker; with vendor paths 16 bytes per 8,192 flags.
//
// The forms that return the count wait for the device. The forms with `count` write it to count[0] on the device and do
// not wait. Throw InputError if the numbers of flags and values differ, results, input or `count` overlap, `count` is
// empty, or an index does not fit; CapacityError if the scratch memory does not fit.

/// selected[k] = values[i] for the k-th i with flags[i] set. Returns the number of set flags.
template <DeviceRange Values, DeviceRange Flags, WritableRange Results>
requires MovableElement<ElementOf<Values>> && CompactionFlag<ElementOf<Flags>> && RangeOf<Results, ElementOf<Values>>
    std::uint64_t select(const Device& device, const Values& values, const Flags& flags, Results&& selected,
                         const Call& call = {}) {
  return detail::select(device, detail::value_compaction(values, flags, selected), call);
}
template <DeviceRange Values, DeviceRange Flags, WritableRange Results, WritableRange Count>
requires MovableElement<ElementOf<Values>> && CompactionFlag<ElementOf<Flags>> && RangeOf<Results, ElementOf<Values>> &&
    RangeOf<Count, std::uint64_t>
void select(const Device& device, const Values& values, const Flags& flags, Results&& selected, Count&& count,
            const Call& call = {}) {
  detail::select(device, detail::value_compaction(values, flags, selected), as_span(count).view(), call);
}

/// indices[k] = the k-th i with flags[i] set. Returns the number of set flags. Indices have 32 bits (up to 2^32 flags)
/// or 64 bits.
template <DeviceRange Flags, WritableRange Indices>
requires CompactionFlag<ElementOf<Flags>> && ElementIndex<ElementOf<Indices>> std::uint64_t select_indices(
    const Device& device, const Flags& flags, Indices&& indices, const Call& call = {}) {
  return detail::select(device, detail::index_compaction(flags, indices), call);
}
template <DeviceRange Flags, WritableRange Indices, WritableRange Count>
requires CompactionFlag<ElementOf<Flags>> && ElementIndex<ElementOf<Indices>> && RangeOf<Count, std::uint64_t>
void select_indices(const Device& device, const Flags& flags, Indices&& indices, Count&& count, const Call& call = {}) {
  detail::select(device, detail::index_compaction(flags, indices), as_span(count).view(), call);
}

/// Scratch memory of select() and select_indices() in bytes.
GENOCL_EXPORT std::uint64_t select_scratch_bytes(const Device& device, std::uint64_t flags,
                                                 const LaunchTuning& tuning = {});

}  // namespace genocl::primitives
