// Scores of the rows of a query: by the letter of the row and a matrix, or by a position-specific scoring matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "genocl/pairwise/scoring.hpp"

namespace genocl::pairwise {

/// A position-specific scoring matrix (PSSM): scores[row * codes + subject code]. The caller keeps the scores alive.
struct PositionScores {
  static constexpr std::size_t codes = 32;

  const std::int8_t* scores = nullptr;
  int highest = 0, lowest = 0;

  int operator()(std::size_t row, Code subject) const noexcept { return scores[row * codes + subject]; }
};

/// The score of a row of the query with a letter of the subject.
class RowScores {
 public:
  RowScores(const Matrix& matrix) : matrix_(&matrix) {}
  RowScores(const PositionScores& positions) : positions_(positions) {}

  /// `letter`: the query's letter in that row.
  int operator()(std::size_t row, Code letter, Code subject) const noexcept {
    return positions_ ? (*positions_)(row, subject) : (*matrix_)(letter, subject);
  }

 private:
  const Matrix* matrix_ = nullptr;
  std::optional<PositionScores> positions_;
};

}  // namespace genocl::pairwise
