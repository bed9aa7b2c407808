// The longest regions of a text that is sorted, on its device.
#pragma once

#include <cstdint>

#include "overlap/regions/regions_report.hpp"
#include "overlap/text/sorted_text.hpp"

namespace genocl::overlap {

/// Bytes on the device for each symbol, suffix array and LCPs included, where every suffix is a member of an interval.
constexpr unsigned bytes_of_common = 44, bytes_of_shared = 56, bytes_of_repeated = 44;

/// Texts that stand before `border` and from there on.
Regions common_of_text(const SortedText& sorted, std::uint32_t border);
/// Texts that stand in `quorum` records, which is 1 to all of them.
Regions shared_of_text(const SortedText& sorted, std::uint64_t quorum);
/// Texts that stand at two places.
Regions repeated_of_text(const SortedText& sorted);

}  // namespace genocl::overlap
