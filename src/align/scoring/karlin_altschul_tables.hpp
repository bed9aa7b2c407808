// Tables of Karlin-Altschul parameters of gapped alignments.
#pragma once

#include <span>
#include <string_view>

#include "genocl/align/pairwise.hpp"

namespace genocl::align {

/// The last two are known for proteins: alpha and sigma of FiniteSize.
struct TableParameters {
  double lambda, k, h, alpha, beta;
  double alpha_v = 0, sigma = 0;
};

struct GappedParameters {
  int open, extend;
  TableParameters values;
};

/// The entry of a named matrix.
struct ProteinParameters {
  std::string_view matrix;
  GapPenalty usual;          ///< BLAST's default
  TableParameters ungapped;  ///< BLAST's parameters without gaps
  std::span<const GappedParameters> gapped;
};

/// The entry of a match and a mismatch score without a common divisor. If both are multiplied by d, gap penalties are
/// multiplied and lambda and alpha divided by d.
struct DnaParameters {
  int match, mismatch;
  GapPenalty as_without;  ///< gaps have no effect from these penalties on, unless a row lists them
  bool even_scores;       ///< derived from even scores: an odd score counts as the next lower one
  std::span<const GappedParameters> gapped;
};

std::span<const ProteinParameters> protein_parameters();
std::span<const DnaParameters> dna_parameters();

}  // namespace genocl::align
