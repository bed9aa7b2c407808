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

#include <cstddef>
#include <cstdint>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/overlap/text.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::overlap {

struct RegionOptions {
  Letters letters = Letters::bases;  ///< of sequence sets
  /// longest_common(): also searches the reverse complement of `b`, which must be DNA.
  bool reverse_complement = false;
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

/// Every text of the greatest length that occurs in a record of `a` and in one of `b`, ordered by its first occurrence
/// in `a`. Empty if no letter is common. Makes one suffix array of both. Throws InputError if one is a set and the
/// other byte strings.
GENOCL_EXPORT std::vector<CommonRegion> longest_common(Devices devices, const RecordsView& a, const RecordsView& b,
                                                       const RegionOptions& options = {});

struct SharedRegion {
  std::uint64_t length = 0;
  std::uint64_t records = 0;            ///< in how many it stands
  std::vector<Occurrence> occurrences;  ///< all, ascending
};

/// Every text of the greatest length that occurs in at least `quorum` of the records, ordered by first occurrence.
/// Throws InputError for a quorum of 0 or above the number of records. (Hui, "Color set size problem", CPM 1992, by a
/// sweep of intervals.)
GENOCL_EXPORT std::vector<SharedRegion> longest_shared(Devices devices, const RecordsView& records,
                                                       std::uint64_t quorum, const RegionOptions& options = {});

/// Every text of the greatest length that occurs at two or more places of the records; occurrences may overlap.
GENOCL_EXPORT std::vector<SharedRegion> longest_repeated(Devices devices, const RecordsView& records,
                                                         const RegionOptions& options = {});

}  // namespace genocl::overlap
