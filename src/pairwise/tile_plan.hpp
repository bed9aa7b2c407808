// A pair and the work on it as the kernels of tiles read them.
#pragma once

#include <cstdint>

namespace genocl::align {

/// A pair as the kernels read it (Plan in cl/align/pairs/tiles.clh). Borders are counted in elements of 8 bytes.
struct TilePlan {
  std::uint64_t query = 0, subject = 0;
  std::uint64_t rows = 0, columns = 0;
  std::uint64_t path = 0;
  std::uint32_t query_length = 0, subject_length = 0;
  std::uint32_t row_step = all_in_place;
  std::uint32_t keep_columns = 0;
  std::uint32_t has_top = 0;
  std::uint32_t ends = 0;
  std::uint32_t above = 0;  ///< letters of the query above the first row
  std::uint32_t free = 0;   ///< PairEnds::bits()
  std::int32_t zero = 0;    ///< what H of an empty alignment is counted as; 0 for local ones
  std::uint32_t unused = 0;

  static constexpr std::uint32_t all_in_place = 0x7fffffff;
  std::uint64_t cells() const noexcept { return std::uint64_t{query_length} * subject_length; }
};

/// Consecutive tiles of a pair that a worker or a group computes in turn, as the kernels read it: rows of tiles one
/// after the other, the same columns of each.
struct TileJob {
  std::uint32_t pair, first_row, rows, first_column, columns;
};

/// The best alignment's score, counted from -TilePlan::zero, and where it ends; [begin, end).
struct TileEnd {
  std::int32_t score = 0;
  std::uint32_t subject_end = 0, query_end = 0;
};

}  // namespace genocl::align
