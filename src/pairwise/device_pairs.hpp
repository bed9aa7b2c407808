// Scores and alignments of pairs on one device. Both functions wait for the device.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/pairwise/alignment.hpp"
#include "genocl/pairwise/scoring.hpp"
#include "pairwise/pair_ends.hpp"

namespace genocl::pairwise {

/// The queries or the subjects of the pairs.
using Texts = std::span<const std::span<const Code>>;

/// Computes exact scores of the pairs, in their order. `border_bytes`: as PairOptions::border_bytes.
std::vector<std::int32_t> score_on_device(const Device& device, const Matrix& matrix, const GapPenalty& gap,
                                          Texts queries, Texts subjects, std::uint64_t border_bytes,
                                          const PairEnds& ends = {});

/// Computes the alignments of the pairs, in their order (ties as in Alignment). `border_bytes`: as
/// PairOptions::border_bytes.
std::vector<Alignment> align_on_device(const Device& device, const Matrix& matrix, const GapPenalty& gap, Texts queries,
                                       Texts subjects, std::uint64_t border_bytes, const PairEnds& ends = {});

}  // namespace genocl::pairwise
