#include "overlap/rmq/enhanced_suffix_array.hpp"

#include <algorithm>

#include "genocl/error.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {
namespace {

/// Scratch memory of the LCP values in bytes per symbol.
constexpr std::uint64_t lcp_scratch_bytes = 8;

const Text& checked(const Text& text, const char* purpose, std::uint64_t bytes_per_symbol) {
  const std::uint64_t size = std::max<std::uint64_t>(text.size(), 1);
  runtime::check_capacity(text.device(), purpose, 8 * size, std::max(bytes_per_symbol, 8 + lcp_scratch_bytes) * size);
  return text;
}

}  // namespace

void Stages::reach(double fraction) const {
  if (!progress_) return;
  const auto done = static_cast<std::uint64_t>(fraction * static_cast<double>(items_));
  if (!progress_({fraction, std::min(done, items_), items_})) throw Cancelled();
}

Progress Stages::up_to(double fraction) const {
  if (!progress_) return {};
  return [this, fraction](const ProgressState& state) {
    const double now = fraction * state.fraction;
    return progress_({now, static_cast<std::uint64_t>(now * static_cast<double>(items_)), items_});
  };
}

EnhancedSuffixArray::EnhancedSuffixArray(const Text& text, const char* purpose, unsigned bytes_per_symbol,
                                         const Stages& stages, Algorithm algorithm)
    : suffixes_(checked(text, purpose, bytes_per_symbol), {.algorithm = algorithm, .progress = stages.up_to(0.5)}),
      lcp_(algorithm == Algorithm::published ? kasai_values(text, suffixes_.positions())
                                             : lcp_values(text, suffixes_.positions())) {
  stages.reach(built);
}

const Rmq& EnhancedSuffixArray::minima() {
  if (!minima_) minima_.emplace(device(), lcp_);
  return *minima_;
}

}  // namespace genocl::overlap
