// The KMP-like filter: Liefooghe, Touzet and Varre, "Self-overlapping occurrences and Knuth-Morris-Pratt algorithm for
// weighted matching" (2009). Giraud and Varre tried it on a GPU.
//
// A scan leaves a place after column i if the sum is below `least[i]`. The sums before were not. The shift is the
// smallest k for which a word exists with these sums at both places: at the place that is left, and from letter k on.

#include <algorithm>
#include <utility>

#include "pwm/finders.hpp"
#include "pwm/scores.hpp"

namespace genocl::pwm {
namespace {

using Columns = std::vector<std::array<double, 4>>;

/// Sums of a prefix at two places.
struct TwoSums {
  double left = 0, right = 0;
};

/// Keeps the points that no other one exceeds in both sums. Above `max_points`, neighbours are replaced by their
/// maxima: shifts can only become smaller.
void keep_maxima(std::vector<TwoSums>& points) {
  constexpr std::size_t max_points = 64;
  std::sort(points.begin(), points.end(),
            [](const TwoSums& a, const TwoSums& b) { return a.left != b.left ? a.left > b.left : a.right > b.right; });
  std::size_t kept = 0;
  for (const TwoSums& point : points)
    if (kept == 0 || point.right > points[kept - 1].right) points[kept++] = point;
  points.resize(kept);
  while (points.size() > max_points) {
    // By falling `left` and rising `right`.
    std::size_t half = 0;
    for (std::size_t i = 0; i < points.size(); i += 2)
      points[half++] = i + 1 < points.size() ? TwoSums{points[i].left, points[i + 1].right} : points[i];
    points.resize(half);
  }
}

/// [i]: the shift after column i; [length]: after a candidate.
std::vector<std::uint32_t> shifts_of(const Columns& columns, const std::vector<double>& least) {
  const std::size_t length = columns.size();
  // Float sums are off by less than half of this: see FloatScores.
  const double margin = 4.0 * static_cast<double>(length) * static_cast<double>(length) * 0x1p-24;
  std::vector<std::uint32_t> shifts(length + 1);
  for (std::size_t i = 0; i < length; ++i) shifts[i] = static_cast<std::uint32_t>(i) + 1;
  shifts[length] = static_cast<std::uint32_t>(length);
  std::vector<TwoSums> points, longer;
  for (std::size_t k = length - 1; k > 0; --k) {
    // Below column k the best letters give the best sum.
    TwoSums best;
    for (std::size_t x = 0; x < k; ++x) best.left += *std::max_element(columns[x].begin(), columns[x].end());
    points.assign(1, best);
    for (std::size_t x = k; x < length && !points.empty(); ++x) {
      longer.clear();
      for (const TwoSums& point : points)
        for (unsigned letter = 0; letter < 4; ++letter) {
          const TwoSums sums = {point.left + columns[x][letter], point.right + columns[x - k][letter]};
          if (sums.right >= least[x - k] - margin) longer.push_back(sums);
        }
      // The place was left here whatever the last letter; k falls, so that the last one is the smallest.
      if (!longer.empty()) shifts[x] = static_cast<std::uint32_t>(k);
      std::erase_if(longer, [&](const TwoSums& sums) { return sums.left < least[x] - margin; });
      keep_maxima(longer);
      points.swap(longer);
    }
    if (!points.empty()) shifts[length] = static_cast<std::uint32_t>(k);
  }
  return shifts;
}

}  // namespace

std::unique_ptr<Finder> make_kmp_finder(const Device& device, std::span<const Target> targets) {
  PlaceTables tables;
  for (const Target& target : targets) {
    const FloatScores scores(target);
    tables.add(target, float_below(scores.threshold));
    const std::size_t length = scores.columns.size();
    std::vector<double> least = min_sums(scores);
    const bool counts = scores.threshold != FloatScores::everywhere && scores.threshold != FloatScores::nowhere;
    const std::vector<std::uint32_t> shifts =
        counts ? shifts_of(scores.columns, least) : std::vector<std::uint32_t>(length + 1, 1);
    // Column layout of cl/pwm/published/kmp.cl.
    for (std::size_t i = 0; i < length; ++i) {
      for (const double score : scores.columns[i]) tables.tables.push_back(static_cast<float>(score));
      tables.tables.push_back(FloatScores::forbidden);
      tables.tables.push_back(float_below(least[i]));
      tables.tables.push_back(static_cast<float>(shifts[i]));
    }
    tables.tables.push_back(static_cast<float>(shifts[length]));
  }
  return std::make_unique<PlaceFinder>(device, "kmp", tables, false);
}

}  // namespace genocl::pwm
