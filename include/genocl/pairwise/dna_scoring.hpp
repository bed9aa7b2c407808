// Scoring of DNA alignments with gaps in two pieces and end bonuses.
#pragma once

#include <cstdint>

#include "genocl/export.hpp"

namespace genocl::pairwise {

/// Scores of DNA alignments with two-piece affine gaps: a gap of k bases costs
/// min(gap_open + k * gap_extend, gap_open2 + k * gap_extend2).
///
/// The defaults are those of `minimap2 -ax sr`.
struct DnaScoring {
  int match = 2;
  int mismatch = 8;  ///< cost, 0 or more, as all below
  int gap_open = 12;
  int gap_extend = 2;   ///< 1 or more
  int gap_open2 = 32;   ///< equal to gap_open with gap_extend2 == gap_extend: one piece
  int gap_extend2 = 1;  ///< 1 or more
  int ambiguous = 1;    ///< cost of a column with a letter other than A, C, G and T
  int end_bonus = 10;   ///< added for each end of the query that is aligned rather than clipped

  /// The cost of a gap of `length` bases, 1 or more.
  GENOCL_EXPORT int gap_cost(std::uint32_t length) const noexcept;
  /// The lowest cost of any gap.
  int min_gap_cost() const noexcept { return gap_cost(1); }

  /// @throws InputError for a match score below 1, a negative cost, a gap extension below 1, or scores of queries of
  ///         `longest_query` bases that exceed 16 bits
  GENOCL_EXPORT void check(std::uint64_t longest_query) const;

  friend bool operator==(const DnaScoring&, const DnaScoring&) = default;
};

}  // namespace genocl::pairwise
