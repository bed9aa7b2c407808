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
  /// bounds[i] is the bound on the errors of read i.
  explicit KnownStrata(std::vector<std::uint16_t> bounds);

  /// What is known of a read is what is known in every segment.
  void add(const Knowledge& segment);

  /// Keeps of hits[from] and those behind it what is known, and of a capped read that has no such hit the best that
  /// were seen. Tells the summaries. Read i of the class is which[i] in the set, and which[i] - first among the
  /// summaries and in the hits. Returns the reads, as numbers in the set, that have no hit of a known stratum though
  /// there may be one beyond.
  std::vector<std::uint32_t> settle(std::vector<RawHit>& hits, std::size_t from, std::span<const std::uint32_t> which,
                                    std::size_t first, std::span<ReadSummary> summaries) const;

 private:
  std::vector<std::uint16_t> bounds_, strata_;
  std::vector<std::uint8_t> capped_;
};

}  // namespace genocl::marose
