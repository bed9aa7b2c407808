// Letters as the kernels see them: classes of letters that score alike, fewer than codes, so that profiles are small.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "genocl/align/pairwise.hpp"

namespace genocl::align {

/// What kernels know of the scoring. Subject letters are classes: codes with the same column of scores share one (but
/// for two amino acids, which a profile may tell apart), and codes that the database does not have get none (class 0,
/// never looked at). The class `pad` stands behind subjects.
struct ScoringTable {
  static constexpr unsigned most_classes = 31;  ///< so that a class with the pad fits 5 bits
  static constexpr int pad_score = -128;        ///< of a pad with anything

  Matrix matrix = blosum62();
  GapPenalty gap;
  std::array<std::uint8_t, 32> class_of = {};  ///< [subject code]
  std::vector<Code> representative;            ///< [class] a code of it
  unsigned classes() const noexcept { return static_cast<unsigned>(representative.size()); }
  std::uint8_t pad() const noexcept { return static_cast<std::uint8_t>(representative.size()); }

  /// The score of a query's code and a class; pad_score for the pad.
  int score(Code query, unsigned subject_class) const noexcept {
    return subject_class < representative.size() ? matrix(query, representative[subject_class]) : pad_score;
  }
};

/// `letter_counts`: Database::letter_counts(); empty: every code may occur.
ScoringTable make_scoring_table(const Matrix& matrix, const GapPenalty& gap,
                                std::span<const std::uint64_t> letter_counts);

}  // namespace genocl::align
