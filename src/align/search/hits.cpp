#include "align/search/hits.hpp"

#include <algorithm>

namespace genocl::align {

void BestHits::add(std::vector<FoundHit> hits) {
  const std::lock_guard lock(mutex_);
  std::erase_if(hits, [&](const FoundHit& hit) { return hit.score < cutoff_; });
  if (hits.empty()) return;
  const std::size_t before = hits_.size();
  hits_.insert(hits_.end(), hits.begin(), hits.end());
  const auto middle = hits_.begin() + static_cast<std::ptrdiff_t>(before);
  std::sort(middle, hits_.end(), better<FoundHit>);
  std::inplace_merge(hits_.begin(), middle, hits_.end(), better<FoundHit>);
  if (hits_.size() < top_) return;
  hits_.resize(top_);
  // A later hit of the same score counts when it comes earlier in the database.
  cutoff_ = std::max(cutoff_, hits_.back().score);
}

std::int32_t BestHits::cutoff() const {
  const std::lock_guard lock(mutex_);
  return cutoff_;
}

std::vector<FoundHit> BestHits::take() {
  const std::lock_guard lock(mutex_);
  return std::move(hits_);
}

std::vector<Hit> merge_hits(std::span<const std::vector<Hit>> shards, std::size_t top) {
  std::vector<const Hit*> all;
  for (const std::vector<Hit>& shard : shards)
    for (const Hit& hit : shard) all.push_back(&hit);
  std::sort(all.begin(), all.end(), [](const Hit* a, const Hit* b) { return better(*a, *b); });
  if (all.size() > top) all.resize(top);
  std::vector<Hit> merged;
  for (const Hit* hit : all) merged.push_back(*hit);
  return merged;
}

}  // namespace genocl::align
