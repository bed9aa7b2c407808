// Longest overlap regions: the longest stretches that sequences have in common, in every meaning of the words.
//
// Zhong et al. ("longest overlap region of noncoding DNA") do not define theirs; these are: of two sets, of at least q
// of k records, and within one text.
//
// The first of the devices that has memory for the suffix array and what follows it as a whole does all alone, which
// takes 44 to 56 bytes a symbol. Where none has, or the text has 2^32 - 1 symbols or more, all of them make the array
// in pieces (sort_in_pieces, lcp_in_pieces), the host's memory holds it, 4 or 8 bytes a symbol, and a window slides
// over what goes by. The regions are the same. Throws CapacityError where there is too little memory for that, too.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/overlap/text.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::overlap {

struct RegionOptions {
  Letters letters = Letters::bases;
  /// Not 0: the suffix array is made in pieces, none of which has more suffixes than this.
  std::uint64_t piece_suffixes = 0;
  Progress progress = {};
};

/// An occurrence. Positions count from 0 within the record; `reverse`: the region's reverse complement stands there,
/// `position` is of its leftmost letter all the same.
struct Occurrence {
  std::uint64_t record = 0, position = 0;
  bool reverse = false;
  friend auto operator<=>(const Occurrence&, const Occurrence&) = default;
};

/// One text of the greatest length that is common, and where it stands.
struct CommonRegion {
  std::uint64_t length = 0;
  std::vector<Occurrence> in_first, in_second;  ///< all of them, ascending
};

/// Every text of the greatest length that stands in a record of `a` and in one of `b` (with `reverse_complement`, also
/// reverse-complemented in `b`), ordered by its first occurrence in `a`. Empty when no letter is common. One suffix
/// array of both.
GENOCL_EXPORT std::vector<CommonRegion> longest_common(std::span<const Device> devices, const SequenceSet& a,
                                                       const SequenceSet& b, bool reverse_complement = false,
                                                       const RegionOptions& options = {});
GENOCL_EXPORT std::vector<CommonRegion> longest_common(const Device& device, const SequenceSet& a, const SequenceSet& b,
                                                       bool reverse_complement = false,
                                                       const RegionOptions& options = {});

struct SharedRegion {
  std::uint64_t length = 0;
  std::uint64_t records = 0;            ///< in how many it stands
  std::vector<Occurrence> occurrences;  ///< all, ascending
};

/// Every text of the greatest length that stands in at least `quorum` of the records, ordered by first occurrence.
/// Throws InputError for a quorum of 0 or above the number of records. (Hui, "Color set size problem", CPM 1992, by a
/// sweep of intervals.)
GENOCL_EXPORT std::vector<SharedRegion> longest_shared(std::span<const Device> devices, const SequenceSet& records,
                                                       std::uint64_t quorum, const RegionOptions& options = {});
GENOCL_EXPORT std::vector<SharedRegion> longest_shared(const Device& device, const SequenceSet& records,
                                                       std::uint64_t quorum, const RegionOptions& options = {});

/// Every text of the greatest length that stands at two or more places of the records; occurrences may overlap.
GENOCL_EXPORT std::vector<SharedRegion> longest_repeated(std::span<const Device> devices, const SequenceSet& records,
                                                         const RegionOptions& options = {});
GENOCL_EXPORT std::vector<SharedRegion> longest_repeated(const Device& device, const SequenceSet& records,
                                                         const RegionOptions& options = {});

/// The same three of byte strings: every byte matches itself, a record is a string.
using ByteStrings = std::span<const std::span<const std::uint8_t>>;
GENOCL_EXPORT std::vector<CommonRegion> longest_common(std::span<const Device> devices, ByteStrings a, ByteStrings b,
                                                       const RegionOptions& options = {});
GENOCL_EXPORT std::vector<SharedRegion> longest_shared(std::span<const Device> devices, ByteStrings records,
                                                       std::uint64_t quorum, const RegionOptions& options = {});
GENOCL_EXPORT std::vector<SharedRegion> longest_repeated(std::span<const Device> devices, ByteStrings records,
                                                         const RegionOptions& options = {});
GENOCL_EXPORT std::vector<CommonRegion> longest_common(const Device& device, ByteStrings a, ByteStrings b,
                                                       const RegionOptions& options = {});
GENOCL_EXPORT std::vector<SharedRegion> longest_shared(const Device& device, ByteStrings records, std::uint64_t quorum,
                                                       const RegionOptions& options = {});
GENOCL_EXPORT std::vector<SharedRegion> longest_repeated(const Device& device, ByteStrings records,
                                                         const RegionOptions& options = {});

}  // namespace genocl::overlap
