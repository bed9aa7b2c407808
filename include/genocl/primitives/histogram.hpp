// Histogram: counts the keys of each bin.
#pragma once

#include <concepts>
#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/tuning.hpp"

namespace genocl::primitives {

/// Bits [first, first + count) of a key; bit 0 is the lowest.
struct BitField {
  unsigned first = 0;
  unsigned count = 32;
};

inline constexpr std::uint64_t most_histogram_bins = 65'536;

/// counts[b] = the number of keys whose `field` is b, for each b in [0, counts.size()). The default field is the whole
/// key. Larger values are not counted. Overwrites counts. Does not wait.
///
/// Any number of keys, 1 to 65,536 bins. Reads each key once; if the bins exceed a group's local memory, once per part
/// that fits (12,032 bins with 48 KiB). Scratch: on a CPU one table per worker.
///
/// Throws InputError if the arrays overlap, for another number of bins, a field past bit 32, or 2^32 or more keys with
/// 32-bit counts; CapacityError if the scratch memory does not fit.
template <class Count>
requires(std::same_as<Count, std::uint32_t> || std::same_as<Count, std::uint64_t>)
    GENOCL_EXPORT void histogram(const Device& device, const Array<std::uint32_t>& keys, Array<Count>& counts,
                                 BitField field = {}, const Tuning& tuning = {});

}  // namespace genocl::primitives
