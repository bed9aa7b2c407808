// Scores that take into account which letters the two sequences have.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "align/composition/composition.hpp"
#include "genocl/align/searcher.hpp"
#include "genocl/align/statistics.hpp"
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

class PairAdjuster {
 public:
  /// Throws InputError for a matrix whose target frequencies are not known, and for scores without known statistics.
  PairAdjuster(const Matrix& matrix, const GapPenalty& gap, const std::optional<KarlinAltschul>& statistics,
               CompositionStatistics composition);

  struct Query {
    std::span<const Code> codes;
    Composition composition;
  };
  Query query(std::span<const Code> codes) const { return {codes, composition_of(codes)}; }

  struct Pair {
    pairwise::HostScoring scoring;  ///< AdjustedScores::scale as large
    std::vector<Code> subject;      ///< what is masked is X
  };
  /// Empty where no letters are left to compare. `plain_score`: that of the pair without adjustment, where it is known.
  std::optional<Pair> adjust(const Query& query, std::span<const Code> subject,
                             std::optional<std::int32_t> plain_score = {}) const;

 private:
  bool nearly_identical(std::span<const Code> query, std::span<const Code> subject,
                        std::optional<std::int32_t> plain_score) const;

  Matrix matrix_;
  AdjustedScores scores_;
  pairwise::HostScoring plain_;
  double identical_score_ = 0;  ///< of a letter, in nearly identical sequences
};

}  // namespace genocl::align
