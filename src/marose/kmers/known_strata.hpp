// What all segments together tell of the reads that were mapped by k-mers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "marose/kmers/kmers.hpp"
#include "marose/map/report.hpp"

namespace genocl::marose {

class KnownStrata {
 public:
  /// Of reads which[i] of a set; which[i] - first is their number among the summaries, which tell their bounds, and in
  /// the hits.
  KnownStrata(std::span<const std::uint32_t> which, std::size_t first, std::span<ReadSummary> summaries);

  /// What is known of a read is what is known in every segment. `reads`: those of the class that were mapped.
  void add(const Knowledge& segment, std::span<const std::uint32_t> reads);

  /// Keeps of hits[from] and those behind it what is known, and of a capped read that has no such hit the best that
  /// were seen. Tells the summaries. Returns those of `reads` whose best stratum, or one of the `gap` beyond it, is
  /// not known though it is within the bound: their hits are forgotten, to be found again. `ahead`: not all strata were
  /// asked for, so that capped reads and those of heuristic plans are among them; else they are done.
  std::vector<std::uint32_t> settle(std::vector<RawHit>& hits, std::size_t from, std::span<const std::uint32_t> reads,
                                    std::uint32_t gap, bool ahead = false);

  /// [read of the class]: the fewest errors of its hits that were seen, no_hit when there were none.
  std::span<const std::uint32_t> best() const noexcept { return best_; }

 private:
  std::span<const std::uint32_t> which_;
  std::size_t first_;
  std::span<ReadSummary> summaries_;
  std::vector<std::uint16_t> strata_;
  std::vector<std::uint8_t> capped_;
  std::vector<std::uint32_t> best_;
};

}  // namespace genocl::marose
