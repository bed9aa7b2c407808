// Scores a read against a diagonal, and proves where no gap can score higher.
#pragma once

#include <cstdint>
#include <span>

#include "genocl/pairwise/banded.hpp"

namespace genocl::marose {

/// Diagonals of the band on either side of a candidate's.
constexpr std::int32_t band_radius = 60;

/// The best alignment on one diagonal, ends clipped where that scores higher.
struct UngappedAlignment {
  std::int32_t score = 0;            ///< without end bonuses; 0: none
  std::int32_t total = 0;            ///< with them
  std::uint32_t begin = 0, end = 0;  ///< aligned query bases

  friend bool operator==(const UngappedAlignment&, const UngappedAlignment&) = default;
};

/// `text`: as long as the query. O(length).
UngappedAlignment align_ungapped(std::span<const Code> query, std::span<const Code> text,
                                 const pairwise::DnaScoring& scoring);

/// Whether an alignment with gaps in the band might score higher than `best`, the ungapped one. Errs on the safe side:
/// false is a proof.
///
/// An alignment with a gap loses at least the cost of the shortest gap of what a perfect one scores. Where `best` loses
/// little more, it has to follow another diagonal without much of a loss from an end of the query to beyond the second
/// mismatch, or through half of it; those diagonals are compared.
///
/// @param window  text around the query's place: query base i lies at window[first + i]; bases outside do not exist
bool may_gain_by_gap(std::span<const Code> query, std::span<const Code> window, std::int64_t first,
                     const UngappedAlignment& best, const pairwise::DnaScoring& scoring);

}  // namespace genocl::marose
