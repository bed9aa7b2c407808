// Paired ends.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "genocl/marose/mapper.hpp"

namespace genocl::marose {

/// Template length range of a proper pair. The reads are on opposite strands of one contig, the read on the forward
/// strand begins at or left of the other, and the template extends from the leftmost base of either to the rightmost.
struct InsertRange {
  std::uint64_t least = 0, most = 1000;
};

/// A placement of both reads of a template.
struct PairHit {
  std::uint64_t first = 0, second = 0;  ///< indices into the hits of the two reads
  std::uint32_t errors = 0;             ///< of both
  std::int64_t template_length =
      0;  ///< as SAM counts it for the first read: negative when it is the one that lies right

  friend bool operator==(const PairHit&, const PairHit&) = default;
};

/// All proper pairs of one template, by errors, then contig, position of the hit on the forward strand, position of
/// the other. Both spans are in the order of Hits. O((a + b) log(a + b) + pairs log(pairs)).
GENOCL_EXPORT std::vector<PairHit> proper_pairs(std::span<const Hit> first, std::span<const Hit> second,
                                                const InsertRange& range);

/// The best proper pairs of one template, without listing all.
struct BestPairs {
  PairHit best;                    ///< the first pair of proper_pairs()
  std::uint64_t count = 0;         ///< number of pairs with the same errors, counted up to the limit
  std::uint32_t second = 0;        ///< the next number of errors of a pair; 0: none
  std::uint64_t second_count = 0;  ///< number of these, counted up to the limit
};

/// The best proper pairs; empty if none exists. O((a + b) * (errors + 1) * log(a + b) + limit).
GENOCL_EXPORT std::optional<BestPairs> best_pairs(std::span<const Hit> first, std::span<const Hit> second,
                                                  const InsertRange& range, std::uint64_t limit = 1000);

/// Searches for the mate of a read with `hits`: all alignments of the mate within `errors` errors that form a proper
/// pair with any of `hits`. The definition of hits is that of Mapper; computed on the host. Sorted as Hits. O(windows
/// * range * (1 + length / 64)), where overlapping windows count once.
GENOCL_EXPORT std::vector<Hit> rescue_mate(const Index& index, std::span<const Hit> hits, std::span<const Code> mate,
                                           unsigned errors, Model model, const InsertRange& range);

}  // namespace genocl::marose
