// A pair of sequences made ready to be scored by its composition.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "align/composition/adjusted_scores.hpp"
#include "genocl/align/statistics.hpp"

namespace genocl::align {

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
