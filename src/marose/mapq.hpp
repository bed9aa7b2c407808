// Mapping quality.
#pragma once

#include <cstdint>

#include "genocl/marose/pairs.hpp"
#include "genocl/pairwise/banded.hpp"

namespace genocl::marose {

/// The score of an alignment, compared with other places for the same bases.
struct MapqEvidence {
  std::int32_t score = 0;          ///< of the alignment, with end bonuses
  std::int32_t second = 0;         ///< highest score of another place; 0: none
  std::uint64_t second_count = 0;  ///< number of places of that score
  std::int32_t unseen = 0;         ///< highest possible score of a place that was not searched
};

/// Phred-scaled probability that the alignment of a single read is in a wrong place, 0 to 60.
std::uint8_t single_mapq(const MapqEvidence& evidence, const pairwise::DnaScoring& scoring);

/// Phred-scaled probability that the chosen pair is wrong, 0 to 60.
///
/// @param score   of the pair: both alignments and the insert size
/// @param second  highest score of another placement of both reads, paired or unpaired; 0: none
std::uint8_t pair_mapq(std::int32_t score, std::int32_t second, std::uint64_t second_count,
                       const pairwise::DnaScoring& scoring);

/// The same from numbers of errors: the MAPQ of a read with this number of places and errors.
///
/// @param explored  every pair with fewer errors was found
std::uint8_t pair_mapq(const BestPairs& best, std::uint32_t explored);

/// MAPQ of a mate from its single-read MAPQ and the MAPQ of its pair.
std::uint8_t mapq_in_pair(std::uint8_t single, std::uint8_t pair);

}  // namespace genocl::marose
