#include "align/hits.hpp"

#include <algorithm>

namespace genocl::align {

bool better(const Hit& a, const Hit& b) noexcept {
  if (a.score != b.score) return a.score > b.score;
  if (a.subject != b.subject) return a.subject < b.subject;
  return !a.minus && b.minus;
}

void BestHits::add(std::vector<Hit> hits) {
  const std::lock_guard lock(mutex_);
  std::erase_if(hits, [&](const Hit& hit) { return hit.score < cutoff_; });
  if (hits.empty()) return;
  const std::size_t before = hits_.size();
  hits_.insert(hits_.end(), std::make_move_iterator(hits.begin()), std::make_move_iterator(hits.end()));
  const auto middle = hits_.begin() + static_cast<std::ptrdiff_t>(before);
  std::sort(middle, hits_.end(), better);
  std::inplace_merge(hits_.begin(), middle, hits_.end(), better);
  if (hits_.size() < top_) return;
  hits_.resize(top_);
  // A later hit of the same score counts when it comes earlier in the database.
  cutoff_ = std::max(cutoff_, hits_.back().score);
}

std::int32_t BestHits::cutoff() const {
  const std::lock_guard lock(mutex_);
  return cutoff_;
}

std::vector<Hit> BestHits::take() {
  const std::lock_guard lock(mutex_);
  return std::move(hits_);
}

std::vector<Hit> merge_hits(std::span<const std::vector<Hit>> shards, std::size_t top) {
  std::vector<Hit> all;
  for (const std::vector<Hit>& shard : shards) all.insert(all.end(), shard.begin(), shard.end());
  std::sort(all.begin(), all.end(), better);
  if (all.size() > top) all.resize(top);
  return all;
}

}  // namespace genocl::align
