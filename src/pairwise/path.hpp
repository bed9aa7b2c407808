// Alignments from the steps of a traceback, and their scores.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "genocl/pairwise/alignment.hpp"
#include "genocl/sequence/interval.hpp"
#include "pairwise/row_scores.hpp"

namespace genocl::pairwise {

/// A step of a traceback consumes a letter of both sequences (pair), of the subject (deletion) or of the query
/// (insertion).
constexpr std::uint8_t step_pair = 1, step_deletion = 2, step_insertion = 3;
/// The origin of a cell on the host: that of H (0: H is 0; otherwise a step); whether E opens at the cell to the left,
/// F at the one above.
constexpr std::uint8_t step_bits = 3, e_opens = 4, f_opens = 8;
/// Below every score, and far enough from the smallest number to subtract gap costs.
constexpr std::int32_t never = std::numeric_limits<std::int32_t>::min() / 2;

/// The letters of an alignment.
struct AlignmentCoordinates {
  Interval query, subject;
};

/// Returns the alignment of `steps`, which lead backwards from its end to its beginning. `scores` decide which columns
/// count as positives.
Alignment alignment_of(std::int32_t score, const AlignmentCoordinates& coordinates, std::span<const std::uint8_t> steps,
                       std::span<const Code> query, std::span<const Code> subject, const RowScores& scores);

/// Returns the same path with the columns of other letters: for an alignment of masked sequences. `scores` decide which
/// columns count as positives.
Alignment with_letters(const Alignment& alignment, std::span<const Code> query, std::span<const Code> subject,
                       const RowScores& scores);

/// Computes the score of the runs. Throws InputError if they do not fit the sequences.
std::int64_t score_of_runs(const Alignment& alignment, std::span<const Code> query, std::span<const Code> subject,
                           const RowScores& scores, const GapPenalty& gap);

}  // namespace genocl::pairwise
