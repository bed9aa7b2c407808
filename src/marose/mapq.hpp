// Mapping quality.
#pragma once

#include <cstdint>

#include "genocl/marose/pairs.hpp"
#include "genocl/pairwise/banded.hpp"

namespace genocl::marose {

/// What is known of an alignment and of the other places for the same bases.
struct MapqEvidence {
  std::int32_t score = 0;          ///< of the alignment, with end bonuses
  std::int32_t second = 0;         ///< of the best other place; 0: none
  std::uint64_t second_count = 0;  ///< other places of that score
  std::int32_t unseen = 0;         ///< what a place that was not looked for may score
};

/// Phred-scaled probability that the alignment of a single read is in a wrong place, 0 to 60.
std::uint8_t single_mapq(const MapqEvidence& evidence, const pairwise::DnaScoring& scoring);

/// The same for the pair that is chosen.
///
/// @param score   of the pair: both alignments and its insert
/// @param second  of the best other way to place both reads, as a pair or apart; 0: none
std::uint8_t pair_mapq(std::int32_t score, std::int32_t second, std::uint64_t second_count,
                       const pairwise::DnaScoring& scoring);

/// The same from numbers of errors: that of a read with as many places and errors.
///
/// @param explored  every pair with fewer errors is known
std::uint8_t pair_mapq(const BestPairs& best, std::uint32_t explored);

/// MAPQ of a mate: what its pair adds to what is known of it alone.
std::uint8_t mapq_in_pair(std::uint8_t single, std::uint8_t pair);

}  // namespace genocl::marose
