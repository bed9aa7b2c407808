// Hits scored again by the letters of the two sequences.
#pragma once

#include "align/composition/adjusted_scores.hpp"
#include "genocl/align/searcher.hpp"

namespace genocl::align {

/// By what factor an E-value may become lower by adjustment, as BLAST takes it: what is above is not looked at again.
constexpr double evalue_stretch(CompositionStatistics composition) {
  return composition == CompositionStatistics::conditional ? 5 : 1;
}

/// What a score of AdjustedScores means: it is rounded for all but the E-value, as in BLAST.
struct AdjustedScore {
  AdjustedScore(std::int32_t adjusted, const Significance& significance, std::uint64_t subject_length);

  std::int32_t score;
  double bits, evalue;
};

}  // namespace genocl::align
