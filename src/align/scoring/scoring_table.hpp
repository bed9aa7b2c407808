// Letter classes of the kernels. Letters with equal scores share a class, which makes profiles smaller.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "genocl/align/pairwise.hpp"

namespace genocl::align {

/// The scoring parameters of the kernels. Subject codes with the same column of scores share a class, except amino
/// acids, which a profile may distinguish. Codes absent from the database have no class (class 0, never read). The
/// class `pad` follows each subject.
struct ScoringTable {
  static constexpr unsigned max_classes = 31;  ///< a class with the pad fits 5 bits
  static constexpr int pad_score = -128;       ///< score of a pad with any letter

  Matrix matrix = blosum62();
  GapPenalty gap;
  std::array<std::uint8_t, 32> class_of = {};  ///< [subject code]
  std::vector<Code> representative;            ///< [class] a code of the class
  unsigned classes() const noexcept { return static_cast<unsigned>(representative.size()); }
  std::uint8_t pad() const noexcept { return static_cast<std::uint8_t>(representative.size()); }

  /// Returns the score of a query code with a class; pad_score for the pad.
  int score(Code query, unsigned subject_class) const noexcept {
    return subject_class < representative.size() ? matrix(query, representative[subject_class]) : pad_score;
  }
};

/// @param letter_counts Database::letter_counts(); empty: every code may occur.
ScoringTable make_scoring_table(const Matrix& matrix, const GapPenalty& gap,
                                std::span<const std::uint64_t> letter_counts);

}  // namespace genocl::align
