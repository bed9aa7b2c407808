// Chains of anchors: matches in the same order in two sequences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace genocl::overlap {

/// reference[reference ..] and query[query ..] agree in `length` letters.
struct Anchor {
  std::uint64_t reference = 0, query = 0, length = 0;

  std::uint64_t reference_end() const noexcept { return reference + length; }
  std::uint64_t query_end() const noexcept { return query + length; }
  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend auto operator<=>(const Anchor&, const Anchor&) = default;
};

struct ChainOptions {
  std::uint64_t max_gap = 5000;       ///< maximum distance of neighbours, in either sequence
  std::uint64_t min_letters = 65;     ///< minimum number of letters of the anchors of a chain
  std::size_t max_predecessors = 64;  ///< anchors nearby that are compared as predecessors
};

/// A chain: anchors in order. Both coordinates of the starts increase.
struct Chain {
  double score = 0;
  std::vector<std::uint32_t> anchors;  ///< indices
};

/// The score of a link from `before` to `after` without the score of `before`: the letters that `after` adds, less the
/// cost of the gap. With g the distance between the anchors (the smaller of the two) and d the difference of the two
/// distances, a gap costs 0.01 g + 0.05 d + log2(d + 1) / 2. An overlap is counted once. Minus infinity if `after` does
/// not follow, or is further away than max_gap.
double link_score(const Anchor& before, const Anchor& after, std::uint64_t max_gap) noexcept;

/// Computes disjoint chains, best first; ties by the first anchor. A chain's score is that of its best path: the length
/// of its first anchor and the scores of its links.
///
/// The predecessor of an anchor is the best of the `max_predecessors` anchors before it, and of one that may be further
/// away: of all anchors that end before it, and at most max_gap before it, in both sequences, the one with the highest
/// score less 0.01 times the distances in both. Each chain is traced from the best end that is left; it ends at an
/// anchor of an earlier chain. O(n (log n + max_predecessors)) time.
///
/// @param anchors  sorted by reference, then query; at most 2^32 - 1
std::vector<Chain> chains_of(std::span<const Anchor> anchors, const ChainOptions& options);

}  // namespace genocl::overlap
