// Longest regions as positions of a text, and as records and positions.
#pragma once

#include <cstdint>
#include <vector>

#include "genocl/overlap/regions.hpp"
#include "overlap/rmq/enhanced_suffix_array.hpp"

namespace genocl::overlap {

/// Strings of one length, and the positions of each, ascending.
struct Regions {
  std::uint64_t length = 0;
  std::vector<std::vector<std::uint64_t>> positions;
};

/// The occurrences of the regions and their records, by first occurrence.
std::vector<SharedRegion> shared_regions(const Regions& regions, const std::vector<std::uint64_t>& begins);

/// The records are `first_records` of the first set, `second_records` of the second, and the reverse complements of the
/// second.
std::vector<CommonRegion> common_regions(const Regions& regions, const std::vector<std::uint64_t>& begins,
                                         std::uint64_t first_records, std::uint64_t second_records);

/// Bytes per symbol on the device, suffix array and LCP values included, if every suffix is in an interval.
constexpr unsigned bytes_of_common = 44, bytes_of_shared = 56, bytes_of_repeated = 44;

/// With the published method, whose range minima take 34 bytes a value, and 12 more during construction.
constexpr unsigned bytes_of_common_published = 96;

/// The longest strings that occur both before `border` and from there on. `published`: their length is that of
/// longest_crossing_published().
Regions common_of_text(const EnhancedSuffixArray& array, std::uint32_t border, bool published = false);
/// Their length by the published method: the greatest of the range minima of LCP values between a suffix and the last
/// suffix before it of the other side. Structure `bv1`.
std::uint32_t longest_crossing_published(const EnhancedSuffixArray& array, std::uint32_t border);
/// The longest strings that occur in `quorum` records, from 1 to all of them.
Regions shared_of_text(const EnhancedSuffixArray& array, std::uint64_t quorum);
/// The longest strings that occur at two positions.
Regions repeated_of_text(const EnhancedSuffixArray& array);

/// The first device that has memory for the suffix array of `size` symbols and separators as a whole, and for steps of
/// `bytes_per_symbol`; host memory if none has, or if the options set piece_suffixes. Throws InputError for no device.
Placement placement_for(Devices devices, std::uint64_t size, unsigned bits, unsigned bytes_per_symbol,
                        const RegionOptions& options);

/// The same of a text in host memory, by all devices. The host holds the array, 4 bytes a symbol (8 from 2^32 - 1
/// symbols on). Throws what sort_in_pieces() and lcp_in_pieces() throw.
Regions common_in_pieces(Devices devices, const Text& text, std::uint64_t border, const RegionOptions& options);
Regions shared_in_pieces(Devices devices, const Text& text, std::uint64_t quorum, const RegionOptions& options);
Regions repeated_in_pieces(Devices devices, const Text& text, const RegionOptions& options);

/// For positions: marks[size - 1 - p] = size - p minus the number of symbols from p up to the first separator.
runtime::ScratchArray<std::uint32_t> separator_marks(const Text::State& text);

}  // namespace genocl::overlap
