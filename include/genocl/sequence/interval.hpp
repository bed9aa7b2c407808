// Half-open ranges of positions.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "genocl/export.hpp"

namespace genocl {

/// Positions [begin, end), 0-based, as in BED and htslib's hts_pair_pos_t. Ordered by begin, then end.
template <class Position>
struct BasicInterval {
  Position begin = 0, end = 0;

  constexpr bool empty() const noexcept { return end <= begin; }
  /// Precondition: begin <= end.
  constexpr Position length() const noexcept { return end - begin; }
  /// Returns the same positions of the reverse complement of a sequence of `size` letters. Precondition: end <= size.
  constexpr BasicInterval reversed(Position size) const noexcept { return {size - end, size - begin}; }

  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend constexpr auto operator<=>(const BasicInterval&, const BasicInterval&) = default;
};

/// Positions of a sequence.
using Interval = BasicInterval<std::uint64_t>;

/// Positions [begin, end) of sequence number `sequence`: a record of a set or a contig of an index. Ordered by
/// sequence, begin, end.
struct SequenceInterval {
  std::uint64_t sequence = 0;
  std::uint64_t begin = 0, end = 0;

  /// Precondition: begin <= end.
  constexpr std::uint64_t length() const noexcept { return end - begin; }

  friend constexpr auto operator<=>(const SequenceInterval&, const SequenceInterval&) = default;
};

/// Returns the positions that both intervals contain; an empty interval if they are disjoint. O(1).
template <class Position>
constexpr BasicInterval<Position> intersection(const BasicInterval<Position>& a,
                                               const BasicInterval<Position>& b) noexcept {
  const Position begin = a.begin < b.begin ? b.begin : a.begin, end = b.end < a.end ? b.end : a.end;
  return {begin, begin < end ? end : begin};
}

/// Sorts intervals and joins those that overlap or touch, as `bedtools merge` does. Empty intervals are dropped.
/// O(n log n). Thread-safe.
GENOCL_EXPORT std::vector<Interval> merged(std::vector<Interval> intervals);

}  // namespace genocl
