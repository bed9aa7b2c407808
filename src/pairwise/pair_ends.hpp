// Where the alignments of a pair may begin and end, and what that makes of the pair's borders.
#pragma once

#include <cstddef>
#include <cstdint>

#include "align/pairs/tile_plan.hpp"
#include "genocl/align/pairs.hpp"

namespace genocl::align {

/// What PairOptions say of it.
struct PairEnds {
  PairMode mode = PairMode::local;
  FreeEnds free = {.query_begin = false, .query_end = false, .subject_begin = false, .subject_end = false};

  PairEnds() = default;
  explicit PairEnds(const PairOptions& options) : mode(options.mode) {
    if (mode == PairMode::semi_global) free = options.free;
  }

  bool local() const noexcept { return mode == PairMode::local; }
  /// As the kernels have it in a plan.
  static constexpr std::uint32_t query_begin = 1, query_end = 2, subject_begin = 4, subject_end = 8;
  std::uint32_t bits() const noexcept {
    return (free.query_begin ? query_begin : 0) | (free.query_end ? query_end : 0) |
           (free.subject_begin ? subject_begin : 0) | (free.subject_end ? subject_end : 0);
  }
};

/// What H of an empty alignment of a pair is counted as, so that no H, E or F is below 1: no H is below that of an
/// alignment of two gaps.
std::int64_t zero_of(const GapPenalty& gap, std::uint64_t query_length, std::uint64_t subject_length) noexcept;

/// Whether every value of the pair, counted so, fits 31 bits.
bool fits(const Matrix& matrix, const GapPenalty& gap, std::uint64_t query_length,
          std::uint64_t subject_length) noexcept;

/// The best end of an alignment with none of the letters of one of the two: at (0, n) or (m, 0), where it may end
/// there. Its score is the score; `found` is false where there is none. Not for local alignments.
struct BorderEnd {
  bool found = false;
  TileEnd end;
};
BorderEnd border_end(const PairEnds& ends, const GapPenalty& gap, std::uint32_t query_length,
                     std::uint32_t subject_length) noexcept;

/// Whether the first counts: the higher score, then the smaller end in the subject, then in the query.
bool ends_before(const TileEnd& a, const TileEnd& b) noexcept;

}  // namespace genocl::align
