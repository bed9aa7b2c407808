// Composition of sequences, and letter pair frequencies that fit it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "genocl/sequence/alphabet.hpp"

namespace genocl::align {

constexpr std::size_t amino_acids = 20;
using LetterTable = std::array<double, amino_acids>;
using PairTable = std::array<LetterTable, amino_acids>;

/// Symmetric, and adding up to 1; empty for a matrix that is none of NCBI's.
std::optional<PairTable> target_frequencies(std::string_view matrix);

struct Composition {
  LetterTable frequency{};    ///< of the amino acids, adding up to 1
  std::uint64_t letters = 0;  ///< of the sequence that are amino acids
};

/// Selenocysteine counts as cysteine; other letters that are none of the twenty do not count.
Composition composition_of(std::span<const Code> protein);

/// Mixes frequencies that were seen in so many letters with `pseudocounts` letters of the background.
LetterTable with_pseudocounts(const Composition& composition, const LetterTable& background, double pseudocounts);

/// The square root of the Jensen-Shannon divergence, in nats: a distance (Endres and Schindelin 2003).
double distance(const LetterTable& a, const LetterTable& b);

/// The frequencies of pairs that are nearest to `targets`, in relative entropy, of all with these letters in the rows
/// and in the columns (none 0) and with the relative entropy `entropy` (nats a pair) to what these letters give by
/// chance. Empty where there are none.
std::optional<PairTable> fitted_frequencies(const PairTable& targets, const LetterTable& rows,
                                            const LetterTable& columns, double entropy);

/// Nats a pair, to what rows and columns give by chance.
double relative_entropy(const PairTable& pairs, const LetterTable& rows, const LetterTable& columns);

}  // namespace genocl::align
