// Extension of an alignment from one of its columns, on the host.
#pragma once

#include <cstdint>
#include <span>

#include "genocl/pairwise/alignment.hpp"
#include "pairwise/host_pair.hpp"
#include "pairwise/row_scores.hpp"

namespace genocl::pairwise {

/// A pair of letters, 0-based.
struct Pivot {
  std::uint64_t query = 0, subject = 0;
};

/// Chooses a pair of letters of an alignment: of the run of columns without a gap that scores highest, the pair in the
/// middle.
Pivot pivot_of(const Alignment& alignment, std::span<const Code> query, std::span<const Code> subject,
               const HostScoring& scoring);

/// Computes how far the score falls below its highest value before, at most, along the alignment from the pivot to
/// either end. The pivot is one of its pairs.
std::int32_t deepest_drop(const Alignment& alignment, const Pivot& pivot, std::span<const Code> query,
                          std::span<const Code> subject, const HostScoring& scoring);

/// Computes the best alignment that contains the pivot, by gapped X-drop extension to both sides (Zhang, Berman, Wiehe
/// and Miller 1999, Bioinformatics 15, 1012-1019; Altschul and others 1997): cells that score more than `x_drop` less
/// than the best one so far are left out. Used pairs are excluded, except the pivot itself. `scores` decide which
/// columns count as positives. The score may be 0 or less. O(letters * width) time and bytes; the width is at most some
/// 2 * x_drop / gap_extend.
Alignment extend(std::span<const Code> query, std::span<const Code> subject, const Pivot& pivot,
                 const HostScoring& scoring, const RowScores& scores, std::int32_t x_drop, const UsedPairs& used = {});

}  // namespace genocl::pairwise
