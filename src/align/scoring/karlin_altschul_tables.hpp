// Has the statistics of gapped alignments as data.
#pragma once

#include <span>
#include <string_view>

#include "genocl/align/pairwise.hpp"

namespace genocl::align {

/// The last two are known for proteins: what FiniteSize calls alpha and sigma.
struct TableParameters {
  double lambda, k, h, alpha, beta;
  double alpha_v = 0, sigma = 0;
};

struct GappedParameters {
  int open, extend;
  TableParameters values;
};

/// Looks up one of the named matrices.
struct ProteinParameters {
  std::string_view matrix;
  GapPenalty usual;          ///< what BLAST takes where nothing is said
  TableParameters ungapped;  ///< what it takes without gaps
  std::span<const GappedParameters> gapped;
};

/// Looks up a match and a mismatch without a common divisor. Where both are multiplied by d, gap penalties are too, and
/// lambda and alpha are divided by d.
struct DnaParameters {
  int match, mismatch;
  GapPenalty as_without;  ///< with both penalties at least these, and no row, gaps do not matter
  bool even_scores;       ///< made from even scores: an odd one counts as the one below
  std::span<const GappedParameters> gapped;
};

std::span<const ProteinParameters> protein_parameters();
std::span<const DnaParameters> dna_parameters();

}  // namespace genocl::align
