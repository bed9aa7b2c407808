// Composition of sequences, and fitting of pair frequencies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "genocl/pairwise/scoring.hpp"
#include "genocl/sequence/alphabet.hpp"

namespace genocl::align {

constexpr std::size_t amino_acids = 20;
using LetterTable = std::array<double, amino_acids>;
using PairTable = std::array<LetterTable, amino_acids>;

/// The table is symmetric with sum 1. Empty for a matrix that is not one of NCBI's.
std::optional<PairTable> target_frequencies(std::string_view matrix);

/// A letter that represents either of two.
struct Ambiguity {
  char letter, first, second;
};
constexpr Ambiguity ambiguities[] = {{'B', 'D', 'N'}, {'Z', 'E', 'Q'}, {'J', 'I', 'L'}};

/// By codes.
using RatioTable = std::array<std::array<double, protein::letters.size()>, protein::letters.size()>;

/// Returns the pair frequencies of all letters, divided by the products of their marginals. U, O and X have the ratio
/// 0.75 with each letter. Throws InputError for a matrix that is not one of NCBI's.
RatioTable frequency_ratios(const pairwise::Matrix& matrix);

/// Returns the scale of the matrix in fractions of a bit, from its scores and its frequency ratios.
int parts_of_a_bit(const pairwise::Matrix& matrix, const RatioTable& ratios);

/// Lambda of a distribution of scores, divided by `lambda`; 0.5 to 1. probability[i]: of the score lowest + i. 0.5 if
/// the mean is not below 0, or no score is above 0.
double bounded_lambda_ratio(std::span<const double> probability, int lowest, double lambda);

struct Composition {
  LetterTable frequency{};    ///< of the amino acids, sum 1
  std::uint64_t letters = 0;  ///< number of amino acids in the sequence
};

/// Selenocysteine counts as cysteine. Other letters than the twenty amino acids do not count.
Composition composition_of(std::span<const Code> protein);

/// Returns the frequencies of the composition, weighted by its letter count, mixed with `pseudocounts` background
/// letters.
LetterTable with_pseudocounts(const Composition& composition, const LetterTable& background, double pseudocounts);

/// The square root of the Jensen-Shannon divergence, in nats: a metric (Endres and Schindelin 2003).
double distance(const LetterTable& a, const LetterTable& b);

/// Returns the pair frequencies of minimum relative entropy to `targets` under two conditions. Their marginals equal
/// `rows` and `columns` (no entry 0). Their relative entropy to the product of the marginals is `entropy`, in nats per
/// pair. Empty if no solution exists.
std::optional<PairTable> fitted_frequencies(const PairTable& targets, const LetterTable& rows,
                                            const LetterTable& columns, double entropy);

/// In nats per pair, relative to the product of `rows` and `columns`.
double relative_entropy(const PairTable& pairs, const LetterTable& rows, const LetterTable& columns);

}  // namespace genocl::align
