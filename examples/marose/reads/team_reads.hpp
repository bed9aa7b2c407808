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
  using MapperReads = genocl::marose::Mapper::ReadsToMake;

  /// A batch that was read before it is mapped.
  struct Ahead {
    std::uint64_t count = 0;  ///< ReadsToMake::count
    genocl::SequenceSet reads;
    BatchNotes notes;
  };

  /// `ahead`: the first batches, which `source` has given already.
  TeamReads(ReadSource& source, std::vector<std::shared_ptr<Ahead>> ahead, Blocks& blocks,
            std::optional<PlacedReads> placed)
      : source_(source), ahead_(std::move(ahead)), blocks_(blocks), placed_(std::move(placed)) {
    reads_seen_ = source.given();
    for (const std::shared_ptr<Ahead>& batch : ahead_) reads_seen_ -= batch->count;
  }

  /// The next batch of this member; no value at the end. For one thread at a time.
  std::optional<MapperReads> next();
  /// The number among all batches of the own one whose first read has this number among the own ones. Any thread may
  /// ask, as below.
  std::uint64_t block_of(std::uint64_t first_read) const { return batch_of(first_read).block; }
  /// The notes of the batch, whose reads have been made.
  BatchNotes& notes_of(std::uint64_t first_read) const { return *batch_of(first_read).notes; }
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
    std::shared_ptr<BatchNotes> notes;
  };
  MapperReads own(std::uint64_t block, std::uint64_t first_of_input, const ReadsToMake& reads);
  OwnBatch batch_of(std::uint64_t first_read) const;

  ReadSource& source_;
  std::vector<std::shared_ptr<Ahead>> ahead_;
  Blocks& blocks_;
  std::optional<PlacedReads> placed_;
  std::atomic<double> placed_fraction_ = 0;
  std::uint64_t seen_ = 0, reads_seen_ = 0, own_reads_ = 0;
  mutable std::mutex mutex_;  // of what follows
  std::map<std::uint64_t, OwnBatch> own_;
};

}  // namespace program
