// Counts how many keys fall into each bin.
#pragma once

#include <concepts>
#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/tuning.hpp"

namespace genocl::primitives {

/// Bits [first, first + count) of a key, bit 0 being the lowest.
struct BitField {
  unsigned first = 0;
  unsigned count = 32;
};

inline constexpr std::uint64_t most_histogram_bins = 65'536;

/// counts[b] = the number of keys whose `field` has the value b, for each b in [0, counts.size()); by default that is
/// the key itself. Keys with a larger value are counted nowhere. What counts held before is lost. Nothing is waited
/// for.
///
/// Any number of keys, 1 to 65,536 bins. Reads each key once; where the bins do not fit a group's local memory, once
/// for each part of them that does (12,032 bins with 48 KiB). Scratch: on a CPU a table for each worker.
///
/// Throws InputError when the arrays share memory, for another number of bins, a field that reaches past bit 32, or
/// 2^32 keys and more with 32-bit counts; CapacityError when the scratch does not fit.
template <class Count>
requires(std::same_as<Count, std::uint32_t> || std::same_as<Count, std::uint64_t>)
    GENOCL_EXPORT void histogram(const Device& device, const Array<std::uint32_t>& keys, Array<Count>& counts,
                                 BitField field = {}, const Tuning& tuning = {});

}  // namespace genocl::primitives
