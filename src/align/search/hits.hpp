// Gathers the best hits of a query from many units in any order.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "genocl/align/searcher.hpp"

namespace genocl::align {

/// A hit as long as nothing else is known of it.
struct FoundHit {
  std::uint64_t subject = 0;
  std::int32_t score = 0;
  bool minus = false;
};

/// The order of hits: by score, highest first, then database order, plus strand first.
template <class A>
bool better(const A& a, const A& b) noexcept {
  if (a.score != b.score) return a.score > b.score;
  if (a.subject != b.subject) return a.subject < b.subject;
  return !a.minus && b.minus;
}

/// The `top` best of what was added. cutoff() may be read while another thread adds.
class BestHits {
 public:
  BestHits(std::size_t top, std::int32_t least_score) : top_(top), cutoff_(least_score) {}

  void add(std::vector<FoundHit> hits);
  /// Hits with a lower score cannot be among the best any more.
  std::int32_t cutoff() const;
  /// In their order.
  std::vector<FoundHit> take();

 private:
  mutable std::mutex mutex_;
  std::size_t top_;
  std::int32_t cutoff_;
  std::vector<FoundHit> hits_;  ///< the best so far, in order
};

}  // namespace genocl::align
