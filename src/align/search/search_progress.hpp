// The progress of a search, whose scores and alignments come batch by batch.
#pragma once

#include <cstdint>

#include "genocl/progress.hpp"

namespace genocl::align {

/// Throws Cancelled where `progress` says so.
void tell(const Progress& progress, const ProgressState& state);

/// A part of a longer operation: its fractions 0 to 1 are those from `begin` to `end` of the whole, and so are its
/// items. `progress` outlives it.
Progress part_of(const Progress& progress, double begin, double end, std::uint64_t items_total);

/// Hands out the progress of one batch of queries after the other. It stays where it is as long as they are used.
class SearchProgress {
 public:
  /// `cells` of all batches; `aligns`: alignments follow the scores of each.
  SearchProgress(const Progress& progress, std::uint64_t cells, bool aligns)
      : progress_(progress), cells_(cells), share_(aligns ? 0.9 : 1.0) {}

  /// Of the scores of the next batch, which counts cells.
  Progress scores(std::uint64_t cells);
  /// Of the alignments of that batch, of which only the fraction is looked at.
  Progress alignments() const;

 private:
  /// Where the whole is, when that much of this batch is done.
  ProgressState at(double of_batch, std::uint64_t cells) const;

  const Progress& progress_;
  std::uint64_t cells_;
  double share_;  ///< of the scores, in a batch
  std::uint64_t before_ = 0, batch_ = 0;
};

}  // namespace genocl::align
