// Overlaps of records with substitutions (cl/overlap/matches/error_overlaps.cl).
#pragma once

#include <cstdint>
#include <vector>

#include "genocl/overlap/suffix_index.hpp"
#include "overlap/matches/suffix_prefix_steps.hpp"
#include "overlap/text/sorted_text.hpp"

namespace genocl::overlap {

struct ErrorOverlap : RecordOverlap {
  std::uint32_t errors = 0;
};

struct ErrorOverlapOptions {
  std::uint32_t min_length = 20, errors = 1;
  bool mates = false;  ///< as ReadOverlaps takes it
  /// Candidates that are compared at a time, 20 bytes each; a read with more is a piece of its own.
  std::uint64_t candidates = std::uint64_t{1} << 24;
};

/// The longest of each pair whose first record is in [first, end), by a, then b.
std::vector<ErrorOverlap> error_overlaps(const SuffixIndex& index, const ErrorOverlapOptions& options,
                                         std::uint64_t first, std::uint64_t end, const Stages& stages);

}  // namespace genocl::overlap
