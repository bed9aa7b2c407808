// Overlaps of reads: the end of one is the beginning of another.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/overlap/text.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::overlap {

/// The last `length` letters of read `a` are the first ones of read `b`, but for `errors` of them; `a_reverse`,
/// `b_reverse`: of its reverse complement.
struct ReadOverlap {
  std::uint32_t a = 0, b = 0, length = 0;
  bool a_reverse = false, b_reverse = false;
  std::uint32_t errors = 0;
  friend bool operator==(const ReadOverlap&, const ReadOverlap&) = default;
};

struct SuffixPrefixOptions {
  std::uint32_t min_length = 20;  ///< 1 or more
  /// Report only the best successor of each read (with both_strands: of each read as it is and of its reverse
  /// complement): the first read, forward before reverse, with the longest overlap.
  bool best_only = false;
  /// Look at the reads' reverse complements too. An overlap is its own mirror image, of b's reverse complement with
  /// a's: each is reported once, with `a` or both forward, and where one of two reads is reversed with a < b.
  bool both_strands = false;
  /// Letters of an overlap that may differ, by substitution: below min_length. All overlaps with so many are found.
  std::uint32_t errors = 0;
  Letters letters = Letters::bases;
  /// Only overlaps whose `a` is one of these reads: [first_read, first_read + read_count). For those who share out the
  /// reads among processes.
  std::uint64_t first_read = 0, read_count = std::numeric_limits<std::uint64_t>::max();
  Progress progress = {};
};

/// Finds for every ordered pair of different reads the longest proper overlap (shorter than either read) of at least
/// min_length letters with at most `errors` substitutions, by a, a_reverse, b, b_reverse; a letter that matches nothing
/// is in no overlap. Exact ones come from the suffix array of all reads (Gusfield, Landau, Schieber 1992); of
/// min_length letters with e errors one of e + 1 parts is exact, which is looked up. Throws InputError for a min_length
/// of 0, for as many errors, for both strands of what is not DNA, and for 2^32 - 1 reads (2^31 - 1 with both strands)
/// or more, CapacityError when texts or overlaps do not fit.
///
/// Each of several devices computes the overlaps of a part of the reads as `a`, and makes its own index of all reads.
/// With both strands, the host holds all reads once more per device. The progress then counts completed parts.
GENOCL_EXPORT std::vector<ReadOverlap> suffix_prefix(Devices devices, const SequenceSet& reads,
                                                     const SuffixPrefixOptions& options = {});

}  // namespace genocl::overlap
