// Overlaps of reads: the end of one is the beginning of another.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/overlap/text.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::overlap {

/// The last `length` letters of read `a` are the first ones of read `b`.
struct ReadOverlap {
  std::uint32_t a = 0, b = 0, length = 0;
  friend bool operator==(const ReadOverlap&, const ReadOverlap&) = default;
};

struct SuffixPrefixOptions {
  std::uint32_t min_length = 20;  ///< 1 or more
  /// Report only the best successor of each read: the first read with the longest overlap.
  bool best_only = false;
  Letters letters = Letters::bases;
  /// Only overlaps whose `a` is one of these reads: [first_read, first_read + read_count). For those who share out the
  /// reads among processes.
  std::uint64_t first_read = 0, read_count = std::numeric_limits<std::uint64_t>::max();
  Progress progress;
};

/// Finds for every ordered pair of different reads the longest proper overlap (shorter than either read) of at least
/// min_length letters, by a, then b; a letter that matches nothing is in no overlap. Throws InputError for a min_length
/// of 0 and for 2^32 - 1 reads or more, CapacityError when texts or overlaps do not fit.
GENOCL_EXPORT std::vector<ReadOverlap> suffix_prefix(const Device& device, const SequenceSet& reads,
                                                     const SuffixPrefixOptions& options = {});

}  // namespace genocl::overlap
