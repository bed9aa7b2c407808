#include "align/search/search_progress.hpp"

#include <algorithm>

#include "genocl/error.hpp"

namespace genocl::align {

void tell(const Progress& progress, const ProgressState& state) {
  if (progress && !progress(state)) throw Cancelled();
}

Progress part_of(const Progress& progress, double begin, double end, std::uint64_t items_total) {
  if (!progress) return {};
  return [&progress, begin, end, items_total](const ProgressState& state) {
    const double fraction = begin + (end - begin) * state.fraction;
    return progress({fraction, static_cast<std::uint64_t>(fraction * static_cast<double>(items_total)), items_total});
  };
}

ProgressState SearchProgress::at(double of_batch, std::uint64_t cells) const {
  const double done = static_cast<double>(before_) + of_batch * static_cast<double>(batch_);
  return {cells_ != 0 ? std::min(1.0, done / static_cast<double>(cells_)) : 0, before_ + cells, cells_};
}

Progress SearchProgress::scores(std::uint64_t cells) {
  before_ += batch_;
  batch_ = cells;
  if (!progress_) return {};
  return [this](const ProgressState& state) { return progress_(at(share_ * state.fraction, state.items_done)); };
}

Progress SearchProgress::alignments() const {
  if (!progress_) return {};
  return [this](const ProgressState& state) { return progress_(at(share_ + (1 - share_) * state.fraction, batch_)); };
}

}  // namespace genocl::align
