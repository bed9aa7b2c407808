// Mapping quality (MAPQ).
//
// The model: a base of a read differs from its true place with some probability. A place that scores one mismatch
// less than the best is therefore less likely by a constant factor. `others` places that score `gap` less than the
// best include the true one with probability others * 10^(-quality(gap) / 10) relative to it. The knots of quality()
// are measured on the drawn genomes of docs/methods/marose.md: of reads one mismatch better than the next place,
// between 1 in 170 and 1 in 500 were wrong; of those better by six tenths of that, 1 in 20. Beyond two mismatches the
// choice among places is seldom the error, and qualities grow slowly.
#include "marose/mapq.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace genocl::marose {
namespace {

/// `gap`: in mismatch scores. Linear between the knots.
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

/// MAPQ against `others` places that score `gap` less.
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

namespace {

// MAPQ against `others` places with `gap` errors more than the best. Each error makes a place about 50 times less
// likely (an error of 2% against a match).
double quality_by_errors(double others, int gap) {
  const double weight = others * std::pow(50.0, -gap);
  return std::clamp(-10 * std::log10(weight / (1 + weight)), 0.0, 60.0);
}

}  // namespace

std::uint8_t ReadSummary::mapping_quality() const noexcept {
  if (hits == 0 || (capped && best >= explored)) return 0;
  // Several best places: the probability of the right one is 1 / best_hits.
  if (best_hits > 1)
    return static_cast<std::uint8_t>(std::lround(-10 * std::log10(1 - 1 / static_cast<double>(best_hits))));
  // One best place: compared with all hits of the next stratum. If none is known, one hit just beyond the explored
  // strata is assumed. A rescued pair may have more errors than the bound; no place is then known to be worse.
  static const std::array<std::uint8_t, 5> of_gap = [] {
    std::array<std::uint8_t, 5> table{};
    for (int gap = 0; gap < 5; ++gap)
      table[static_cast<std::size_t>(gap)] = static_cast<std::uint8_t>(std::lround(quality_by_errors(1, gap)));
    return table;
  }();
  const auto once = [&](unsigned errors) {
    const unsigned gap = errors > best ? errors - best : 0;
    return of_gap[std::min<std::size_t>(gap, of_gap.size() - 1)];
  };
  const unsigned beyond = explored;
  if (second_hits == 0) return once(beyond);
  std::uint8_t chance = once(second);
  if (second_hits > 1)
    chance = static_cast<std::uint8_t>(
        std::lround(quality_by_errors(static_cast<double>(second_hits), std::max(0, int{second} - int{best}))));
  return second >= beyond ? std::min(chance, once(beyond)) : chance;
}

// The MAPQ of a read with the same numbers of places and errors.
std::uint8_t pair_mapq(const BestPairs& best, std::uint32_t explored) {
  ReadSummary both;
  both.hits = best.count + best.second_count;
  both.best_hits = best.count;
  both.best = static_cast<std::uint16_t>(best.best.errors);
  both.second = static_cast<std::uint16_t>(best.second);
  both.second_hits = best.second_count;
  both.explored = static_cast<std::uint16_t>(std::min<std::uint32_t>(explored, 0xffff));
  return both.mapping_quality();
}

}  // namespace genocl::marose
