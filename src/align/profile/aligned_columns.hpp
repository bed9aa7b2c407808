// The sequences of an alignment, by the columns of its query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "genocl/align/profile_making.hpp"

namespace genocl::align {

/// A letter of a sequence beside one of the query.
struct AlignedLetter {
  /// An amino acid, X for what is none of the twenty, or a gap.
  static constexpr Code x = 20, gap = 21;
  Code letter = gap;
  bool aligned = false;
};

struct AlignedColumns {
  std::vector<Code> query;                        ///< as it is
  std::vector<std::vector<AlignedLetter>> cells;  ///< [sequence][column of the query], the query first
  std::size_t columns() const noexcept { return query.size(); }
  std::size_t sequences() const noexcept { return cells.size(); }
};

/// Throws InputError for what is no alignment.
AlignedColumns aligned_columns(std::span<const AlignedSequence> alignment);

/// Leaves out stretches of sequences that are no news beside the query or another sequence, and sequences that have
/// nothing else.
void purge(AlignedColumns& alignment);

}  // namespace genocl::align
