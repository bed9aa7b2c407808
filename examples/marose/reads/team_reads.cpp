#include "marose/reads/team_reads.hpp"

namespace program {

using genocl::SequenceSet;

TeamReads::MapperReads TeamReads::own(std::uint64_t block, std::uint64_t first_of_input, const ReadsToMake& reads) {
  auto notes = std::make_shared<BatchNotes>();
  const std::lock_guard lock(mutex_);
  own_[own_reads_] = {block, first_of_input, notes};
  own_reads_ += reads.count;
  return {reads.count, [notes, make = reads.make](SequenceSet& batch) { make(batch, *notes); }};
}

std::optional<TeamReads::MapperReads> TeamReads::next() {
  const std::uint64_t block = blocks_.take();
  if (placed_) {
    if (block >= placed_->blocks()) return std::nullopt;
    placed_fraction_ = static_cast<double>(block + 1) / static_cast<double>(placed_->blocks());
    return own(block, 0, placed_->block(block));
  }
  while (true) {
    std::optional<ReadsToMake> reads;
    if (seen_ < ahead_.size()) {
      const auto batch = std::move(ahead_[seen_]);
      reads = ReadsToMake{batch->count, [batch](SequenceSet& to, BatchNotes& notes) {
                            to = std::move(batch->reads);
                            notes = std::move(batch->notes);
                          }};
    } else {
      reads = source_.next();
    }
    if (!reads) return std::nullopt;
    const std::uint64_t first = reads_seen_;
    reads_seen_ += reads->count;
    if (seen_++ == block) return own(block, first, *reads);
  }
}

TeamReads::OwnBatch TeamReads::batch_of(std::uint64_t first_read) const {
  const std::lock_guard lock(mutex_);
  return std::prev(own_.upper_bound(first_read))->second;
}

}  // namespace program
