// Aligns candidates with affine gaps in a band around their places, many at a time on the device.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "genocl/marose/index.hpp"
#include "genocl/pairwise/banded.hpp"
#include "marose/align/candidate.hpp"
#include "marose/align/ungapped.hpp"

namespace genocl::marose {

/// Collects candidates, aligns those that need it on the device, and hands the results out.
class Extender {
 public:
  Extender(const Device& device, const Index& index, const pairwise::DnaScoring& scoring)
      : device_(device),
        index_(index),
        options_{.scoring = scoring, .diagonals = 2 * static_cast<std::uint32_t>(band_radius) + 1},
        bound_(scoring) {}

  /// Aligns the candidate at once where no gap can raise its score; else it waits for run().
  ///
  /// @param exact    the whole query is known to match there
  /// @param slot     names the candidate in run()
  /// @param reached  total of another place of the query: where it is beyond what a place with a difference scores, the
  ///                 score of this one without gaps serves
  void add(Query& query, Candidate& candidate, bool exact, std::uint64_t slot, std::int32_t reached = 0);

  /// Aligns what waits. `done` receives the slot and the alignment, with a score of 0 where there is none; the order is
  /// that of add().
  void run(const std::function<void(std::uint64_t slot, const Candidate& aligned)>& done);

  std::size_t waiting() const noexcept { return waiting_.size(); }

 private:
  struct Waiting {
    Candidate candidate;
    std::uint64_t slot = 0;
    std::uint64_t window_begin = 0;  ///< contig position of the text's first base
    bool may_be_narrow = false;      ///< the place is known to a few bases
  };
  std::vector<pairwise::BandedAlignment> align();
  std::int32_t total_of(std::size_t i, const pairwise::BandedAlignment& alignment) const;

  const Device& device_;
  const Index& index_;
  pairwise::BandedOptions options_;
  pairwise::BandedPairs pairs_;
  std::vector<Waiting> waiting_;
  GapBound bound_;
  std::vector<Code> window_;
  PackedBases packed_query_, packed_window_;
  std::vector<std::uint32_t> mismatches_;
};

}  // namespace genocl::marose
