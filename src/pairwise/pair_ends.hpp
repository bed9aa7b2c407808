// The cells where the alignments of a pair may begin and end, and the values on the borders of the pair.
#pragma once

#include <cstdint>

#include "genocl/pairwise/pairs.hpp"

namespace genocl::pairwise {

/// The mode and the free ends of PairOptions. Free ends are set for semi-global alignment only.
struct PairEnds {
  PairMode mode = PairMode::local;
  FreeEnds free = {.query_begin = false, .query_end = false, .subject_begin = false, .subject_end = false};

  PairEnds() = default;
  explicit PairEnds(const PairOptions& options) : mode(options.mode) {
    if (mode == PairMode::semi_global) free = options.free;
  }

  bool local() const noexcept { return mode == PairMode::local; }
  /// The bits of TilePlan::free.
  static constexpr std::uint32_t query_begin = 1, query_end = 2, subject_begin = 4, subject_end = 8;
  std::uint32_t bits() const noexcept {
    return (free.query_begin ? query_begin : 0) | (free.query_end ? query_end : 0) |
           (free.subject_begin ? subject_begin : 0) | (free.subject_end ? subject_end : 0);
  }
};

/// The best score of a pair and the end of its alignment, [begin, end), as the kernels write them. Kernels add
/// TilePlan::zero to the score.
struct TileEnd {
  std::int32_t score = 0;
  std::uint32_t subject_end = 0, query_end = 0;
};

/// Returns the offset of the scores of a global or semi-global pair, which keeps all H, E and F at 1 or more: no H is
/// below the score of an alignment that consists of two gaps.
std::int64_t zero_of(const GapPenalty& gap, std::uint64_t query_length, std::uint64_t subject_length) noexcept;

/// Returns whether all values of the pair, with that offset, fit 31 bits.
bool fits(const Matrix& matrix, const GapPenalty& gap, std::uint64_t query_length,
          std::uint64_t subject_length) noexcept;

/// The best end of an alignment on the border of a pair, at (0, n) or (m, 0): such an alignment has no letters of one
/// sequence. The score has no offset. `found` is false if no alignment may end there. Not for local alignments.
struct BorderEnd {
  bool found = false;
  TileEnd end;
};
BorderEnd border_end(const PairEnds& ends, const GapPenalty& gap, std::uint32_t query_length,
                     std::uint32_t subject_length) noexcept;

/// Returns whether `a` precedes `b`: the higher score, then the smaller end in the subject, then in the query.
bool ends_before(const TileEnd& a, const TileEnd& b) noexcept;

}  // namespace genocl::pairwise
