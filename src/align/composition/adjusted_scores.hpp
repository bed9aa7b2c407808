// Scores that take into account which letters the two sequences have.
#pragma once

#include <optional>

#include "align/composition/composition.hpp"
#include "genocl/align/searcher.hpp"
#include "pairwise/host_pair.hpp"

namespace genocl::align {

/// Makes a pair's scores from its letters, `scale` times as large as those of the matrix, gap penalties too.
class AdjustedScores {
 public:
  static constexpr int scale = 32;

  /// Throws InputError for a matrix whose target frequencies are not known.
  AdjustedScores(const Matrix& matrix, const GapPenalty& gap, CompositionStatistics statistics);

  /// `query_length`, `subject_length`: with letters that are no amino acids. Empty where one of them has none.
  std::optional<pairwise::HostScoring> of(const Composition& query, std::uint64_t query_length,
                                          const Composition& subject, std::uint64_t subject_length) const;

  /// Whether a pair's scores are the matrix's scaled (Schaeffer and others 2001), or made from fitted target
  /// frequencies (the conditions of Altschul and others 2005).
  bool only_scales(const Composition& query, std::uint64_t query_length, const Composition& subject,
                   std::uint64_t subject_length) const;
  /// The matrix's scale for these letters, by the one for letters as they are in all proteins: 0.5 to 1.
  double lambda_ratio(const Composition& query, const Composition& subject) const;

 private:
  /// Scores of the twenty amino acids with one another, and of the other codes by them.
  pairwise::HostScoring all_scores(const PairTable& targets, const LetterTable& target_rows,
                                   const LetterTable& target_columns, const LetterTable& rows,
                                   const LetterTable& columns, double lambda) const;

  Matrix matrix_;
  GapPenalty gap_;
  CompositionStatistics statistics_;
  PairTable targets_{};
  LetterTable background_{};
  double lambda_ = 0;  ///< of the matrix, without gaps, for scaled scores
  std::array<std::array<std::int32_t, amino_acids>, amino_acids> start_{};  ///< scores before they are adjusted
};

}  // namespace genocl::align
