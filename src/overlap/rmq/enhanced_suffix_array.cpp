#include "overlap/rmq/enhanced_suffix_array.hpp"

#include <algorithm>

#include "genocl/error.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {
namespace {

/// Lcp takes so much for a symbol while it is made, besides the values.
constexpr std::uint64_t bytes_of_lcp = 8;

const Text& checked(const Text& text, const char* what, std::uint64_t bytes_of_symbol) {
  const std::uint64_t size = std::max<std::uint64_t>(text.size(), 1);
  const std::uint64_t later = std::max(bytes_of_symbol, 8 + bytes_of_lcp) * size;
  runtime::check_capacity(text.device(), what, 8 * size, later);
  return text;
}

}  // namespace

Array<std::uint32_t> SortedText::upload_begins() const {
  const std::vector<std::uint32_t> begins(text.begins.begin(), text.begins.end());
  return Array<std::uint32_t>(device(), std::span<const std::uint32_t>(begins));
}

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

Sorting::Sorting(const Text& text, const char* what, unsigned bytes_of_symbol, const Stages& stages)
    : suffixes_(checked(text, what, bytes_of_symbol), {.progress = stages.up_to(0.5)}), lcp_(suffixes_) {
  stages.reach(built);
}

std::uint64_t Locator::record(std::uint64_t position) {
  if (begins_[last_] <= position) {
    if (position < begins_[last_ + 1]) return last_;
    if (last_ + 2 < begins_.size() && position < begins_[last_ + 2]) return ++last_;
  }
  last_ = static_cast<std::uint64_t>(std::upper_bound(begins_.begin(), begins_.end(), position) - begins_.begin()) - 1;
  return last_;
}

}  // namespace genocl::overlap
