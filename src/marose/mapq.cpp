// Mapping quality.
//
// The model: a base of a read differs from the place it was drawn from with some probability, so a place that scores
// one mismatch less than the best is less likely by a constant factor; `others` places that score `gap` less than the
// best are the right one with a probability of others * 10^(-quality(gap) / 10) against it. The knots of quality() are
// measured on the drawn genomes of docs/methods/marose.md: of reads one mismatch better than the next place, between 1
// in 170 and 1 in 500 were wrong; of those better by six tenths of that, 1 in 20. Beyond two mismatches the choice
// among places is seldom the error, and qualities grow slowly.
#include "marose/mapq.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace genocl::marose {
namespace {

/// `gap`: in scores of a mismatch. Linear between the knots.
struct Knot {
  double gap, quality;
};
constexpr std::array<Knot, 6> knots = {{{0, 0}, {0.7, 14}, {1, 26}, {2, 45}, {3, 55}, {4, 60}}};

double gap_quality(double gap) {
  if (gap <= 0) return 0;
  for (std::size_t i = 1; i < knots.size(); ++i)
    if (gap <= knots[i].gap) {
      const Knot &a = knots[i - 1], &b = knots[i];
      return a.quality + (b.quality - a.quality) * (gap - a.gap) / (b.gap - a.gap);
    }
  return knots.back().quality;
}

double mismatches(std::int32_t score, const pairwise::DnaScoring& scoring) {
  return static_cast<double>(score) / (scoring.match + scoring.mismatch);
}

/// Against `others` places that score `gap` less.
double quality(double others, std::int32_t gap, const pairwise::DnaScoring& scoring) {
  const double weight = others * std::pow(10, -gap_quality(mismatches(gap, scoring)) / 10);
  return std::clamp(-10 * std::log10(weight / (1 + weight)), 0.0, 60.0);
}

std::uint8_t rounded(double quality) { return static_cast<std::uint8_t>(std::lround(std::clamp(quality, 0.0, 60.0))); }

}  // namespace

std::uint8_t single_mapq(const MapqEvidence& evidence, const pairwise::DnaScoring& scoring) {
  if (evidence.score <= 0) return 0;
  if (evidence.second > evidence.score) return 0;
  double result = 60;
  if (evidence.second > 0)
    result = quality(static_cast<double>(std::max<std::uint64_t>(1, evidence.second_count)),
                     evidence.score - evidence.second, scoring);
  if (evidence.unseen > 0)
    result = std::min(result, quality(1, std::max(0, evidence.score - evidence.unseen), scoring));
  return rounded(result);
}

std::uint8_t pair_mapq(std::int32_t score, std::int32_t second, std::uint64_t second_count,
                       const pairwise::DnaScoring& scoring) {
  if (second <= 0) return 60;
  return rounded(
      quality(static_cast<double>(std::max<std::uint64_t>(1, second_count)), std::max(0, score - second), scoring));
}

std::uint8_t mapq_in_pair(std::uint8_t single, std::uint8_t pair) {
  return std::max(single, std::min(pair, static_cast<std::uint8_t>(std::min(60, single + 30))));
}

}  // namespace genocl::marose
