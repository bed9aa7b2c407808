// The longest regions of a text whose suffix array is made in pieces, from the array and its common prefixes as they go
// by.
#pragma once

#include <cstdint>
#include <span>

#include "genocl/device.hpp"
#include "genocl/overlap/host_text.hpp"
#include "genocl/overlap/regions.hpp"
#include "overlap/regions/regions_report.hpp"

namespace genocl::overlap {

/// Symbols and breaks of a text of records.
std::uint64_t size_of(std::span<const SequenceSet* const> sets);
std::uint64_t size_of(ByteStrings records);

/// The first device that has memory for the suffix array of `size` symbols and breaks as a whole, and for steps that
/// take `bytes_of_symbol` each; null where none has, or where pieces are asked for. Throws InputError for no device.
const Device* device_for_whole(std::span<const Device> devices, std::uint64_t size, unsigned bits,
                               unsigned bytes_of_symbol, const RegionOptions& options);

/// As regions_steps.hpp says. The host holds the array, 4 bytes a symbol (8 from 2^32 - 1 on). Throws what
/// sort_in_pieces() and lcp_in_pieces() throw.
Regions common_in_pieces(std::span<const Device> devices, const HostText& text, std::uint64_t border,
                         const RegionOptions& options);
Regions shared_in_pieces(std::span<const Device> devices, const HostText& text, std::uint64_t quorum,
                         const RegionOptions& options);
Regions repeated_in_pieces(std::span<const Device> devices, const HostText& text, const RegionOptions& options);

}  // namespace genocl::overlap
