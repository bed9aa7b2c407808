// Longest overlap regions: the longest strings that sequences have in common.
//
// Zhong et al. ("longest overlap region of noncoding DNA") do not define the term. Here it has three meanings: common
// to two sets, to at least q of k records, and repeated within one set.
//
// The first device with memory for the whole suffix array and the later steps, 44 to 56 bytes a symbol, works alone. If
// there is none, or the text has 2^32 - 1 symbols or more, all devices make the array in pieces (sort_in_pieces,
// lcp_in_pieces); host memory holds it, 4 or 8 bytes a symbol, and a window slides over the LCP values. The regions are
// the same. Throws CapacityError if memory is too small for the pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/overlap/suffix_array.hpp"
#include "genocl/overlap/text.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::overlap {

struct RegionOptions {
  Letters letters = Letters::bases;  ///< of sequence sets
  /// longest_common(): also searches the reverse complement of `b`, which must be DNA.
  bool reverse_complement = false;
  /// Not 0: makes the suffix array in pieces of at most this many suffixes.
  std::uint64_t piece_suffixes = 0;
  /// longest_common(): the algorithm of the suffix array. `published`: all steps of Zhong et al.: DC3, Kasai's LCP
  /// values, range minima by `bv1`, and the region from minima between suffixes of both sets. The regions are the same.
  /// Another one than automatic needs the text on one device: InputError for a text in pieces.
  Algorithm algorithm = Algorithm::automatic;
  Progress progress = {};
};

/// An occurrence. Positions count from 0 within the record. `reverse`: the reverse complement of the region occurs, and
/// `position` is that of its leftmost letter.
struct Occurrence {
  std::uint64_t record = 0, position = 0;
  bool reverse = false;
  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend auto operator<=>(const Occurrence&, const Occurrence&) = default;
};

/// A common string of the greatest length, and its occurrences.
struct CommonRegion {
  std::uint64_t length = 0;
  std::vector<Occurrence> in_first, in_second;  ///< all, ascending
};

/// Every string of the greatest length that occurs in a record of `a` and in one of `b`, by first occurrence in `a`.
/// Empty if no letter is common. Makes one suffix array of both. Throws InputError for a set and byte strings, for
/// different alphabets, and for the reverse complement of anything but DNA.
GENOCL_EXPORT std::vector<CommonRegion> longest_common(Devices devices, const RecordsView& a, const RecordsView& b,
                                                       const RegionOptions& options = {});

struct SharedRegion {
  std::uint64_t length = 0;
  std::uint64_t records = 0;            ///< the number of records with an occurrence
  std::vector<Occurrence> occurrences;  ///< all, ascending
};

/// Every string of the greatest length that occurs in at least `quorum` of the records, ordered by first occurrence.
/// Throws InputError for a quorum of 0 or above the number of records. (Hui, "Color set size problem", CPM 1992, by a
/// sweep of intervals.)
GENOCL_EXPORT std::vector<SharedRegion> longest_shared(Devices devices, const RecordsView& records,
                                                       std::uint64_t quorum, const RegionOptions& options = {});

/// Every string of the greatest length that occurs at two or more positions of the records; occurrences may overlap.
GENOCL_EXPORT std::vector<SharedRegion> longest_repeated(Devices devices, const RecordsView& records,
                                                         const RegionOptions& options = {});

}  // namespace genocl::overlap
