// What the steps of a way back amount to.
#pragma once

#include <cstdint>
#include <span>

#include "align/scoring/row_scores.hpp"
#include "genocl/align/alignment.hpp"

namespace genocl::align {

/// A step takes a letter of the query and one of the subject, or one of either.
constexpr std::uint8_t step_pair = 1, step_deletion = 2, step_insertion = 3;

/// Where an alignment begins and ends, [begin, end).
struct PathPlace {
  std::uint64_t query_begin = 0, query_end = 0, subject_begin = 0, subject_end = 0;
};

/// `steps` lead backwards from the end to the beginning; `scores` tell which pairs of letters are positive.
Alignment alignment_of(std::int32_t score, const PathPlace& place, std::span<const std::uint8_t> steps,
                       std::span<const Code> query, std::span<const Code> subject, const RowScores& scores);

/// The same alignment of the sequences with other letters, where it was found with some of them masked.
Alignment with_letters(const Alignment& alignment, std::span<const Code> query, std::span<const Code> subject,
                       const Matrix& matrix);

}  // namespace genocl::align
