// Paired ends.
#pragma once

#include <cstdint>
#include <vector>

#include "genocl/marose/mapper.hpp"

namespace genocl::marose {

/// A proper pair: on one contig, the two reads on opposite strands, the one on the forward strand not further right,
/// and the template (from the leftmost base of either to the rightmost) within the range.
struct InsertRange {
  std::uint64_t least = 0, most = 1000;
};

/// One way to place both reads of a template.
struct PairHit {
  std::uint64_t first = 0, second = 0;  ///< indices into the hits of the two reads
  std::uint32_t errors = 0;             ///< of both
  std::int64_t template_length = 0;  ///< as SAM counts it for the first read: negative when it lies right of the second
};

/// All proper pairs of one template, by errors and then by position; both spans as Hits::of gives them for
/// Report::all(). O((a + b) log + pairs).
GENOCL_EXPORT std::vector<PairHit> proper_pairs(std::span<const Hit> first, std::span<const Hit> second,
                                                const InsertRange& range);

/// Looks for the mate of a read that has hits while the mate has none (within the bound of the mapper): all alignments
/// of the mate within `errors` inside the insert range of any of `hits`, by the same dynamic programming as everywhere,
/// on the host. Sorted as Hits are.
GENOCL_EXPORT std::vector<Hit> rescue_mate(const Index& index, std::span<const Hit> hits, std::span<const Code> mate,
                                           unsigned errors, Model model, const InsertRange& range);

}  // namespace genocl::marose
