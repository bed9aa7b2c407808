// The reads of an input as the members of a team take them: batch by batch.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "common/team.hpp"
#include "genocl/marose/mapper.hpp"
#include "marose/reads/read_places.hpp"
#include "marose/reads/read_source.hpp"

namespace program {

/// Everybody takes the batches that come to it: by their places where those are known, or else it tells the reads of
/// the whole input apart.
class TeamReads {
 public:
  using ReadsToMake = genocl::marose::Mapper::ReadsToMake;

  /// `ahead`: the first batches, which were read before.
  TeamReads(ReadSource& source, std::vector<std::shared_ptr<genocl::SequenceSet>> ahead, Blocks& blocks,
            std::optional<PlacedReads> placed)
      : source_(source), ahead_(std::move(ahead)), blocks_(blocks), placed_(std::move(placed)) {}

  /// The next batch of this member; no value at the end. For one thread at a time.
  std::optional<ReadsToMake> next();
  /// The number among all batches of the own one whose first read has this number among the own ones. Any thread may
  /// ask, as below.
  std::uint64_t block_of(std::uint64_t first_read) const { return batch_of(first_read).block; }
  /// The file that this batch comes from.
  std::string file_of(std::uint64_t first_read) const {
    const OwnBatch batch = batch_of(first_read);
    return placed_ ? placed_->file_of(batch.block) : source_.file_of(batch.first_of_input);
  }
  /// How much of the input has been given out, 0 to 1, as far as this member knows.
  double fraction() const noexcept { return placed_ ? placed_fraction_.load() : source_.fraction(); }

 private:
  struct OwnBatch {
    std::uint64_t block = 0, first_of_input = 0;
  };
  OwnBatch batch_of(std::uint64_t first_read) const;

  ReadSource& source_;
  std::vector<std::shared_ptr<genocl::SequenceSet>> ahead_;
  Blocks& blocks_;
  std::optional<PlacedReads> placed_;
  std::atomic<double> placed_fraction_ = 0;
  std::uint64_t seen_ = 0, reads_seen_ = 0, own_reads_ = 0;
  mutable std::mutex mutex_;  // of what follows
  std::map<std::uint64_t, OwnBatch> own_;
};

}  // namespace program
