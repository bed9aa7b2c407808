// Scores adjusted to the composition of two sequences.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "align/composition/composition.hpp"
#include "align/composition/scaled_profile.hpp"
#include "genocl/align/searcher.hpp"
#include "genocl/align/statistics.hpp"
#include "pairwise/host_pair.hpp"

namespace genocl::align {

/// Computes a pair's scores from both compositions. Scores and gap penalties are `scale` times those of the matrix.
class AdjustedScores {
 public:
  static constexpr int scale = 32;
  /// Upper bound of scores with an unknown letter.
  static constexpr double highest_unknown = -1;

  /// Throws InputError for a matrix without known target frequencies.
  AdjustedScores(const Matrix& matrix, const GapPenalty& gap, CompositionStatistics statistics);

  /// Both lengths count all letters, also those that are not amino acids. Empty if a sequence has no amino acids.
  std::optional<pairwise::HostScoring> of(const Composition& query, std::uint64_t query_length,
                                          const Composition& subject, std::uint64_t subject_length) const;

  /// Returns whether to scale the matrix (Schaeffer and others 2001) instead of fitting target frequencies (conditions
  /// of Altschul and others 2005).
  bool only_scales(const Composition& query, std::uint64_t query_length, const Composition& subject,
                   std::uint64_t subject_length) const;
  /// Lambda of the matrix with these compositions, divided by that with the background composition; 0.5 to 1.
  double lambda_ratio(const Composition& query, const Composition& subject) const;

 private:
  /// Scores of the twenty amino acids, and of the other codes derived from them.
  pairwise::HostScoring all_scores(const PairTable& targets, const LetterTable& target_rows,
                                   const LetterTable& target_columns, const LetterTable& rows,
                                   const LetterTable& columns, double lambda) const;

  GapPenalty gap_;
  CompositionStatistics statistics_;
  PairTable targets_{};
  LetterTable background_{};
  double lambda_ = 0;                      ///< of the ungapped matrix, for scaled scores
  std::int32_t stop_ = 0, two_stops_ = 0;  ///< scores of a stop codon, which are not adjusted
  std::array<std::array<std::int32_t, amino_acids>, amino_acids> start_{};  ///< scores before adjustment
};

class PairAdjuster {
 public:
  /// Throws InputError for a matrix without known target frequencies, and for scores without known statistics.
  PairAdjuster(const Matrix& matrix, const GapPenalty& gap, const std::optional<KarlinAltschul>& statistics,
               CompositionStatistics composition);

  struct Query {
    std::span<const Code> codes;
    Composition composition;
    const ScaledProfile* profile = nullptr;  ///< if present, its rows score
  };
  Query query(std::span<const Code> codes) const { return {codes, composition_of(codes)}; }
  /// `profile` must outlive the result. Any mode of composition-based statistics scales its scores, as in psiblast.
  Query query(const ScaledProfile& profile) const {
    return {profile.profile().letters(), composition_of(profile.profile().letters()), &profile};
  }

  struct Pair {
    pairwise::HostScoring scoring;  ///< multiplied by AdjustedScores::scale
    std::vector<Code> subject;      ///< masked letters as X
  };
  /// Empty if no letters remain for a comparison. `plain_score`: the unadjusted score of the pair, if known.
  std::optional<Pair> adjust(const Query& query, std::span<const Code> subject,
                             std::optional<std::int32_t> plain_score = {}) const;

  /// A window of a translated sequence, and the other sequence.
  struct Window {
    std::span<const Code> query, subject;
    std::uint64_t query_length = 0;  ///< letters of the whole query, or of its frame
    bool of_query = false;           ///< the query is the window
    std::vector<Code> masked = {};   ///< the subject with low-complexity segments as X; empty without any
  };
  Window window(std::span<const Code> query, std::uint64_t query_length, std::span<const Code> subject,
                bool of_query) const;
  /// The inputs of an adjustment. Alignments with equal ones have the same scores.
  struct WindowRule {
    std::uint64_t begin = 0, end = 0;  ///< letters of the window whose composition counts
    bool masks = false;                ///< the subject is masked

    friend auto operator<=>(const WindowRule&, const WindowRule&) = default;
  };
  /// Returns the rule of a plain alignment, in the letters of the window: the composition of the letters around it, up
  /// to 20 letters from the next stop codons, as in BLAST. Nearly identical sequences are not masked.
  WindowRule rule(const Window& window, const Alignment& plain) const;
  std::optional<Pair> adjust(const Window& window, const WindowRule& rule) const;

 private:
  bool nearly_identical(const Query& query, std::span<const Code> subject,
                        std::optional<std::int32_t> plain_score) const;
  /// Whether an alignment is one of nearly identical sequences. `query_length`: letters of the query.
  bool nearly_identical(const Alignment& found, std::uint64_t query_length) const;

  Matrix matrix_;
  GapPenalty gap_;
  AdjustedScores scores_;
  pairwise::HostScoring plain_;
  double identical_score_ = 0;  ///< per letter, in nearly identical sequences
};

}  // namespace genocl::align
