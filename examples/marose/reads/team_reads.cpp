#include "marose/reads/team_reads.hpp"

namespace program {

using genocl::SequenceSet;

std::optional<TeamReads::ReadsToMake> TeamReads::next() {
  const std::uint64_t block = blocks_.take();
  if (placed_) {
    if (block >= placed_->blocks()) return std::nullopt;
    placed_fraction_ = static_cast<double>(block + 1) / static_cast<double>(placed_->blocks());
    const ReadsToMake reads = placed_->block(block);
    const std::lock_guard lock(mutex_);
    own_[own_reads_] = {block, 0};
    own_reads_ += reads.count;
    return reads;
  }
  while (true) {
    std::optional<ReadsToMake> reads;
    if (seen_ < ahead_.size()) {
      const auto batch = std::move(ahead_[seen_]);
      reads = ReadsToMake{batch->size(), [batch](SequenceSet& to) { to = std::move(*batch); }};
    } else {
      reads = source_.next();
    }
    if (!reads) return std::nullopt;
    const std::uint64_t first = reads_seen_;
    reads_seen_ += reads->count;
    if (seen_++ != block) continue;
    const std::lock_guard lock(mutex_);
    own_[own_reads_] = {block, first};
    own_reads_ += reads->count;
    return reads;
  }
}

TeamReads::OwnBatch TeamReads::batch_of(std::uint64_t first_read) const {
  const std::lock_guard lock(mutex_);
  return std::prev(own_.upper_bound(first_read))->second;
}

}  // namespace program
