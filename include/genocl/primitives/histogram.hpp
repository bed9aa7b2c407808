// Histogram: counts the keys of each bin.
#pragma once

#include <cstddef>
#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/element.hpp"

namespace genocl::primitives {

/// Bits [first, first + count) of a key; bit 0 is the lowest.
struct BitField {
  unsigned first = 0;
  unsigned count = 32;
};

inline constexpr std::uint64_t max_histogram_bins = 65'536;

namespace detail {
GENOCL_EXPORT void histogram(const Device& device, const runtime::MemoryView& keys, const runtime::MemoryView& counts,
                             std::size_t count_bytes, BitField field, const Call& call);
}

/// counts[b] = the number of keys whose `field` is b, for each b in [0, counts.size()). The default field is the whole
/// key. Larger values are not counted. Overwrites counts. Does not wait.
///
/// Any number of 32-bit keys, 1 to 65,536 bins. Reads each key once; if the bins exceed a group's local memory, once
/// per part that fits (12,032 bins with 48 KiB). Scratch: `cpu` kernels have one table per worker.
///
/// @param counts  32 or 64-bit unsigned integers
/// @throws InputError     if the operands overlap, for another number of bins, a field past bit 32, or 2^32 or more
/// keys
///                        with 32-bit counts
/// @throws CapacityError  if the scratch memory does not fit
template <RangeOf<std::uint32_t> Keys, WritableRange Counts>
requires ElementIndex<ElementOf<Counts>>
void histogram(const Device& device, const Keys& keys, Counts&& counts, BitField field = {}, const Call& call = {}) {
  detail::histogram(device, as_span(keys).view(), as_span(counts).view(), sizeof(ElementOf<Counts>), field, call);
}

/// Scratch memory of histogram() in bytes.
GENOCL_EXPORT std::uint64_t histogram_scratch_bytes(const Device& device, std::uint64_t keys, std::uint64_t bins,
                                                    const LaunchTuning& tuning = {});

}  // namespace genocl::primitives
