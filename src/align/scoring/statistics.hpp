// Karlin-Altschul statistics of ungapped scores, and the finite-size correction.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "genocl/align/pairwise.hpp"
#include "genocl/align/statistics.hpp"

namespace genocl::align {

/// What one of the two sequences has to say of alignments of a score, whose length in it is taken for normal.
struct LengthTerms {
  double room = 0;         ///< letters that are left beside the alignment, in the mean; not below 0
  double probability = 0;  ///< that the alignment fits
};

/// `parameters.finite_size` is known. `length`: of the sequence. Both terms rise with it.
LengthTerms length_terms(const KarlinAltschul& parameters, double score, double length);

/// Pairs of places where an alignment of the score can begin or end, in the mean.
double search_area(const KarlinAltschul& parameters, double score, const LengthTerms& query,
                   const LengthTerms& subject);

/// How often a pair of letters scores lowest + i: probability[i], with neither end 0.
struct ScoreDistribution {
  int lowest = 0;
  std::vector<double> probability;

  int highest() const noexcept { return lowest + static_cast<int>(probability.size()) - 1; }
};

/// How often each amino acid comes by chance (Robinson and Robinson 1991), in the order of the codes; adding up to 1.
const std::array<double, 20>& chance_frequencies();

/// The scores of letters that come by chance: the amino acids as Robinson and Robinson 1991 counted them, A, C, G and T
/// alike.
ScoreDistribution score_distribution(const Matrix& matrix);
/// The same of the letters of a query of DNA, without N, with A, C, G and T.
ScoreDistribution score_distribution(const Matrix& matrix, std::span<const Code> query);

/// The name of NCBI's matrix that scores the twenty amino acids alike, whatever its own.
std::optional<std::string_view> named_protein_matrix(const Matrix& matrix);

/// lambda, K and H; alpha = lambda / H and beta = 0. Empty unless a score above 0 is possible and the mean is below 0.
std::optional<KarlinAltschul> ungapped_parameters(const ScoreDistribution& scores);

}  // namespace genocl::align
