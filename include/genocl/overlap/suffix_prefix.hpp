// Suffix-prefix overlaps of reads.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/overlap/text.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::overlap {

/// The last `length` letters of read `a` are the first letters of read `b`, except `errors` of them. `a_reverse`,
/// `b_reverse`: the reverse complement of the read overlaps.
struct ReadOverlap {
  std::uint32_t a = 0, b = 0, length = 0;
  bool a_reverse = false, b_reverse = false;
  std::uint32_t errors = 0;
  friend bool operator==(const ReadOverlap&, const ReadOverlap&) = default;
};

struct SuffixPrefixOptions {
  std::uint32_t min_length = 20;  ///< 1 or more
  /// Reports only the best successor of each read, with both_strands also of its reverse complement: the first read,
  /// forward before reverse, with the longest overlap.
  bool best_only = false;
  /// Includes the reverse complements of the reads. Each overlap equals its mirror image, of the reverse complements of
  /// b and a, and is reported once: with both forward, or with a < b if one is reversed.
  bool both_strands = false;
  /// Maximum number of substitutions, below min_length. The search is exhaustive.
  std::uint32_t errors = 0;
  Letters letters = Letters::bases;
  /// Only overlaps whose `a` is in [first_read, first_read + read_count): a part of the work for one of several
  /// processes.
  std::uint64_t first_read = 0, read_count = std::numeric_limits<std::uint64_t>::max();
  Progress progress = {};
};

/// The longest proper overlap (shorter than either read) of at least min_length letters with at most `errors`
/// substitutions for every ordered pair of different reads, by a, a_reverse, b, b_reverse. A letter that matches
/// nothing is in no overlap. Exact overlaps follow from the suffix array of all reads (Gusfield, Landau, Schieber
/// 1992). With e errors, one of e + 1 parts of min_length letters is exact and is looked up. Throws InputError for a
/// min_length of 0, for errors >= min_length, for both strands of anything but DNA, and for 2^32 - 1 reads (2^31 - 1
/// with both strands) or more; CapacityError if texts or overlaps do not fit.
///
/// Each of several devices computes the overlaps of a part of the reads as `a`, and makes an index of all reads. The
/// progress then counts completed parts.
GENOCL_EXPORT std::vector<ReadOverlap> suffix_prefix(Devices devices, const SequenceSet& reads,
                                                     const SuffixPrefixOptions& options = {});

}  // namespace genocl::overlap
