#include "align/search/cutoffs.hpp"

#include <algorithm>
#include <cmath>

namespace genocl::align {
namespace {

/// Lengths are taken together when they differ by no more than this factor: the bound is as much too low at most, less
/// than a unit of score.
constexpr double length_step = 1.2;
/// Bounds and E-values are rounded differently.
constexpr double rounding = 1 - 1e-9;

}  // namespace

LengthBounds::LengthBounds(const KarlinAltschul& parameters, std::uint64_t shortest, std::uint64_t longest, int highest)
    : parameters_(parameters),
      shortest_(static_cast<double>(std::max<std::uint64_t>(1, shortest))),
      longest_(static_cast<double>(std::max<std::uint64_t>(1, longest))),
      highest_(std::max(1, highest)) {}

LengthTerms LengthBounds::compute(std::int64_t score) const {
  // Neither term falls as the length grows: over some lengths it is that of the least, for as many letters as the most.
  double from = std::min(std::max(shortest_, std::ceil(static_cast<double>(score) / highest_)), longest_);
  LengthTerms least{.room = 1, .probability = 1};
  for (bool last = false; !last;) {
    const double to = std::min(longest_, std::floor(from * length_step));
    last = to >= longest_;
    const LengthTerms terms = length_terms(parameters_, static_cast<double>(score), from);
    least.room = std::min(least.room, terms.room / to);
    least.probability = std::min(least.probability, terms.probability / to);
    from = to + 1;
  }
  return least;
}

LengthTerms LengthBounds::least(std::int64_t score) const {
  const std::lock_guard lock(mutex_);
  while (static_cast<std::int64_t>(known_.size()) < score)
    known_.push_back(compute(static_cast<std::int64_t>(known_.size()) + 1));
  return known_[static_cast<std::size_t>(score - 1)];
}

std::int64_t ScoreCutoffs::least_score(double evalue) {
  if (bounds_ == nullptr) return significance_.least_score(evalue, 1);
  while (lowest_.empty() || lowest_.back() > evalue) {
    const auto score = static_cast<std::int64_t>(lowest_.size()) + 1;
    const double bound = significance_.least_evalue(static_cast<double>(score), bounds_->least(score)) * rounding;
    lowest_.push_back(lowest_.empty() ? bound : std::min(bound, lowest_.back()));
  }
  const auto found = std::ranges::partition_point(lowest_, [&](double lowest) { return lowest > evalue; });
  return found - lowest_.begin() + 1;
}

}  // namespace genocl::align
