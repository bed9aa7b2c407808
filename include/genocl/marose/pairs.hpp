// Paired ends.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "genocl/marose/mapper.hpp"

namespace genocl::marose {

/// A proper pair: on one contig, the two reads on opposite strands, the one on the forward strand beginning not further
/// right, and the template (from the leftmost base of either to the rightmost) within the range.
struct InsertRange {
  std::uint64_t least = 0, most = 1000;
};

/// One way to place both reads of a template.
struct PairHit {
  std::uint64_t first = 0, second = 0;  ///< indices into the hits of the two reads
  std::uint32_t errors = 0;             ///< of both
  std::int64_t template_length =
      0;  ///< as SAM counts it for the first read: negative when it is the one that lies right

  friend bool operator==(const PairHit&, const PairHit&) = default;
};

/// Gives all proper pairs of one template, by errors, then contig, position of the hit on the forward strand, position
/// of the other; both spans in the order of Hits. O((a + b) log(a + b) + pairs log(pairs)).
GENOCL_EXPORT std::vector<PairHit> proper_pairs(std::span<const Hit> first, std::span<const Hit> second,
                                                const InsertRange& range);

/// What is to be known of the proper pairs of one template where they may be too many to be listed.
struct BestPairs {
  PairHit best;                    ///< the first that proper_pairs() would give
  std::uint64_t count = 0;         ///< with as few errors, counted up to the limit
  std::uint32_t second = 0;        ///< the next number of errors of a pair; 0: there is none
  std::uint64_t second_count = 0;  ///< of those, counted up to the limit
};

/// It is empty without a proper pair. O((a + b) * (errors + 1) * log(a + b) + limit).
GENOCL_EXPORT std::optional<BestPairs> best_pairs(std::span<const Hit> first, std::span<const Hit> second,
                                                  const InsertRange& range, std::uint64_t limit = 1000);

/// Looks for the mate of a read that has hits while the mate has none (within the bound of the mapper): all alignments
/// of the mate within `errors` that make a proper pair with any of `hits`, by the same dynamic programming as
/// everywhere, on the host. Sorted as Hits are. O(windows * range * (1 + length / 64)), overlapping windows being one.
GENOCL_EXPORT std::vector<Hit> rescue_mate(const Index& index, std::span<const Hit> hits, std::span<const Code> mate,
                                           unsigned errors, Model model, const InsertRange& range);

}  // namespace genocl::marose
