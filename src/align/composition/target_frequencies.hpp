// How often pairs of amino acids stand side by side in the alignments that a matrix was made from.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace genocl::align {

constexpr std::size_t amino_acids = 20;
using LetterTable = std::array<double, amino_acids>;
using PairTable = std::array<LetterTable, amino_acids>;

/// Symmetric, and adding up to 1; empty for a matrix that is none of NCBI's.
std::optional<PairTable> target_frequencies(std::string_view matrix);

}  // namespace genocl::align
