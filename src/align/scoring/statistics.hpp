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

/// Terms of one sequence for alignments of a score. The model is a normal distribution of the alignment length.
struct LengthTerms {
  double outside = 0;      ///< mean number of letters outside the alignment; at least 0
  double probability = 0;  ///< probability that the alignment fits
};

/// Requires `parameters.finite_size`. Both terms increase with `length`, the length of the sequence.
LengthTerms length_terms(const KarlinAltschul& parameters, double score, double length);

/// The mean number of pairs of positions where an alignment of the score can begin or end.
double search_area(const KarlinAltschul& parameters, double score, const LengthTerms& query,
                   const LengthTerms& subject);

/// Returns a lower bound of the E-value of a score, from the minimum terms per letter of a subject. Requires
/// `finite_size`.
double min_evalue(const Significance& significance, double score, const LengthTerms& by_letter);

/// probability[i] is the probability that a pair of letters scores lowest + i. The first and last entries are not 0.
struct ScoreDistribution {
  int lowest = 0;
  std::vector<double> probability;

  int highest() const noexcept { return lowest + static_cast<int>(probability.size()) - 1; }
};

/// Background frequencies of the amino acids (Robinson and Robinson 1991), in the order of the codes, with sum 1.
const std::array<double, 20>& chance_frequencies();

/// The score distribution of random letters, with the frequencies of Robinson and Robinson 1991 for amino acids and
/// equal ones for A, C, G and T.
ScoreDistribution score_distribution(const Matrix& matrix);
/// The score distribution of a DNA query's letters, without N, against A, C, G and T.
ScoreDistribution score_distribution(const Matrix& matrix, std::span<const Code> query);

/// The score distribution of a protein's letters, except X, against random amino acids.
ScoreDistribution protein_score_distribution(const Matrix& matrix, std::span<const Code> protein);

/// Returns the name of NCBI's matrix with equal scores of the twenty amino acids; the matrix may have another name.
std::optional<std::string_view> named_protein_matrix(const Matrix& matrix);

/// lambda, K and H; alpha = lambda / H and beta = 0. Empty unless a score above 0 is possible and the mean is below 0.
std::optional<KarlinAltschul> ungapped_parameters(const ScoreDistribution& scores);

}  // namespace genocl::align
