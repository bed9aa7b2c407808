// The best hits of a query, gathered from many pieces of work in any order.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "genocl/align/searcher.hpp"

namespace genocl::align {

/// The order of hits: by score, highest first, then database order, plus strand first.
bool better(const Hit& a, const Hit& b) noexcept;

/// The `top` best of what was added. cutoff() may be read while another thread adds.
class BestHits {
 public:
  BestHits(std::size_t top, std::int32_t least_score) : top_(top), cutoff_(least_score) {}

  void add(std::vector<Hit> hits);
  /// Hits with a lower score cannot be among the best any more.
  std::int32_t cutoff() const;
  /// In their order.
  std::vector<Hit> take();

 private:
  mutable std::mutex mutex_;
  std::size_t top_;
  std::int32_t cutoff_;
  std::vector<Hit> hits_;  ///< the best so far, in order
};

}  // namespace genocl::align
