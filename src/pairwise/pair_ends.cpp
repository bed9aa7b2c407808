#include "pairwise/pair_ends.hpp"

#include <algorithm>

namespace genocl::pairwise {

std::int64_t zero_of(const GapPenalty& gap, std::uint64_t query_length, std::uint64_t subject_length) noexcept {
  return std::int64_t{3} * gap.first() + 1 + static_cast<std::int64_t>(query_length + subject_length) * gap.extend;
}

bool fits(const Matrix& matrix, const GapPenalty& gap, std::uint64_t query_length,
          std::uint64_t subject_length) noexcept {
  const auto shorter = static_cast<std::int64_t>(std::min(query_length, subject_length));
  // Kernels add a score before they subtract a gap, and compute borders some letters past the pair's end.
  return zero_of(gap, query_length, subject_length) + gap.first() + shorter * std::max(0, matrix.highest()) <
         std::int64_t{1} << 31;
}

BorderEnd border_end(const PairEnds& ends, const GapPenalty& gap, std::uint32_t query_length,
                     std::uint32_t subject_length) noexcept {
  BorderEnd best;
  const auto take = [&](std::uint32_t rows, std::uint32_t columns) {
    const bool whole_query = rows == query_length, whole_subject = columns == subject_length;
    if (!(whole_query && (whole_subject || ends.free.subject_end)) && !(whole_subject && ends.free.query_end)) return;
    const std::uint32_t letters = rows + columns;  // one of them is 0
    const bool is_free = letters == 0 || (rows > 0 ? ends.free.query_begin : ends.free.subject_begin);
    const std::int64_t score = is_free ? 0 : -(std::int64_t{gap.open} + std::int64_t{letters} * gap.extend);
    const TileEnd end{static_cast<std::int32_t>(score), columns, rows};
    if (!best.found || ends_before(end, best.end)) best = {true, end};
  };
  take(0, subject_length);
  take(query_length, 0);
  // If one sequence is empty, the alignment may also end before all letters of the other.
  if (query_length == 0 || subject_length == 0) take(0, 0);
  return best;
}

bool ends_before(const TileEnd& a, const TileEnd& b) noexcept {
  if (a.score != b.score) return a.score > b.score;
  if (a.subject_end != b.subject_end) return a.subject_end < b.subject_end;
  return a.query_end < b.query_end;
}

}  // namespace genocl::pairwise
