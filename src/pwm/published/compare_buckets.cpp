// Giraud and Varre's BUCKET SCORE DISTRIBUTION for two scores at once. Buckets have the same width in every slice, a
// B-th of the score's whole range, and a slice rounds a score down by less than one bucket: N slices by less than N
// buckets. (The slices of the paper have different widths and round again when they are merged: 1 + ceil(log2 N)
// buckets, the same for N of 2 and 3.)
#include <algorithm>
#include <cmath>
#include <limits>

#include "genocl/error.hpp"
#include "pwm/compare.hpp"
#include "runtime/launch.hpp"

namespace genocl::pwm {
namespace {

constexpr std::uint32_t no_hit = std::numeric_limits<std::uint32_t>::max();
constexpr unsigned fraction_bits = 16;

/// A side's scores in buckets.
struct Buckets {
  std::vector<std::array<std::uint32_t, 4>> columns;  ///< above the column's least, in 2^-16 of a bucket
  double threshold = 0;                               ///< above the least score, in buckets
};

Buckets buckets_of(const Side& side, unsigned buckets) {
  const ScoreMatrix& matrix = *side.matrix;
  std::vector<double> least;
  double low = 0, range = 0;
  for (const auto& column : matrix.columns()) {
    double smallest = std::numeric_limits<double>::infinity(), largest = -smallest;
    for (const double score : column)
      if (std::isfinite(score)) {
        smallest = std::min(smallest, score);
        largest = std::max(largest, score);
      }
    if (!(smallest <= largest)) smallest = largest = 0;  // only minus infinity
    least.push_back(smallest);
    low += smallest;
    range += largest - smallest;
  }
  // The best word is inside the last bucket.
  const double width = range > 0 ? range / (buckets - 1) : 1;
  Buckets result;
  result.threshold = (side.threshold - low) / width;
  for (std::size_t i = 0; i < matrix.length(); ++i) {
    std::array<std::uint32_t, 4> column{};
    for (Code letter = 0; letter < 4; ++letter) {
      const double above = (matrix(i, letter) - least[i]) / width * (1 << fraction_bits);
      column[letter] = std::isfinite(above) ? static_cast<std::uint32_t>(std::lround(above)) : no_hit;
    }
    result.columns.push_back(column);
  }
  return result;
}

/// Probabilities of a slice's words, [bucket of the first][bucket of the second].
std::vector<float> slice_distribution(const Device& device, std::span<const std::uint32_t> scores, unsigned columns,
                                      const Background& background, std::uint32_t buckets) {
  const std::uint64_t cells = std::uint64_t{buckets} * buckets, words = std::uint64_t{1} << (2 * columns);
  Array<std::uint32_t> low(device, cells), high(device, cells);
  low.fill(0);
  high.fill(0);
  std::vector<float> letters;
  for (const double frequency : background.frequencies()) letters.push_back(static_cast<float>(frequency));
  const Array<std::uint32_t> on_device(device, scores);
  const Array<float> frequencies(device, std::span<const float>(letters));
  runtime::Defines defines;
  defines.set("WEIGHTED", background.uniform() ? 0 : 1).set("FRACTION_BITS", fraction_bits);
  runtime::launch_items(device, "pwm/published/compare_buckets.cl", "fill_buckets", defines,
                        {.items = words, .bytes = words * 8 + cells * 8}, on_device, frequencies, low, high, columns,
                        buckets, words);
  const std::vector<std::uint32_t> lows = low.download(), highs = high.download();
  const double unit = background.uniform() ? 1.0 / static_cast<double>(words) : std::ldexp(1.0, -62);
  std::vector<float> distribution(cells);
  for (std::size_t cell = 0; cell < cells; ++cell)
    distribution[cell] = static_cast<float>(static_cast<double>(std::uint64_t{highs[cell]} << 32 | lows[cell]) * unit);
  return distribution;
}

std::vector<float> merged(const Device& device, const std::vector<float>& left, const std::vector<float>& right,
                          std::uint32_t buckets) {
  const std::uint64_t cells = left.size();
  const Array<float> a(device, std::span<const float>(left)), b(device, std::span<const float>(right));
  const Array<float> result(device, cells);
  runtime::launch_items(device, "pwm/published/compare_buckets.cl", "merge_buckets", {},
                        {.items = cells, .bytes = cells * 12}, a, b, result, buckets, cells);
  return result.download();
}

/// P(first bucket >= from_first, second >= from_second) of the last two slices, without forming their merged
/// distribution.
double tail_of_both(const std::vector<float>& left, const std::vector<float>& right, std::uint32_t buckets,
                    std::int64_t from_first, std::int64_t from_second) {
  // tail[i][j]: P of the right slice from (i, j) on; with a final row and column of zeros.
  const std::size_t row = buckets + 1;
  std::vector<double> tail(row * row, 0);
  for (std::size_t i = buckets; i-- > 0;)
    for (std::size_t j = buckets; j-- > 0;)
      tail[i * row + j] = static_cast<double>(right[i * buckets + j]) + tail[(i + 1) * row + j] +
                          tail[i * row + j + 1] - tail[(i + 1) * row + j + 1];
  const auto rest = [&](std::int64_t from, std::size_t bucket) {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(from - static_cast<std::int64_t>(bucket), 0, buckets));
  };
  double sum = 0;
  for (std::size_t i = 0; i < buckets; ++i)
    for (std::size_t j = 0; j < buckets; ++j)
      sum += static_cast<double>(left[i * buckets + j]) * tail[rest(from_first, i) * row + rest(from_second, j)];
  return sum;
}

}  // namespace

// A slice takes 4^columns additions to random buckets, a merge of two slices buckets^4 products in order; the last two
// slices are not merged.
double bucket_operations(std::size_t columns, unsigned slices, unsigned buckets) {
  constexpr double addition = 8;
  const double words = std::pow(4, (columns + slices - 1) / slices);
  return slices * words * addition + (slices > 2 ? slices - 2 : 0) * std::pow(buckets, 4);
}

unsigned buckets_for(std::size_t columns) {
  constexpr double most = 4e8;
  unsigned buckets = 1024;
  while (buckets > 16 && bucket_operations(columns, slices_for(columns, buckets), buckets) > most) buckets /= 2;
  return buckets;
}

unsigned slices_for(std::size_t columns, unsigned buckets) {
  unsigned best = 0;
  double least = std::numeric_limits<double>::infinity();
  const auto fewest = static_cast<unsigned>((columns + max_slice_columns - 1) / max_slice_columns);
  for (unsigned slices = std::max(2u, fewest); slices <= std::max<std::size_t>(columns, 2); ++slices) {
    const double work = bucket_operations(columns, slices, buckets);
    if (work >= least) continue;
    least = work;
    best = slices;
  }
  return best;
}

BucketJoint bucket_joint(const Device& device, const Side& first, const Side& second, int shift,
                         const Background& background, unsigned slices, unsigned buckets) {
  constexpr double everything = -std::numeric_limits<double>::infinity();
  if (first.threshold == everything) return {bound_single(second, background)};
  if (second.threshold == everything) return {bound_single(first, background)};
  const std::uint32_t columns = union_length(first.matrix->length(), second.matrix->length(), shift);
  if (buckets == 0) buckets = buckets_for(columns);
  const Buckets a = buckets_of(first, buckets), b = buckets_of(second, buckets);
  const unsigned used = std::min<unsigned>(slices != 0 ? slices : slices_for(columns, buckets), columns);
  if ((columns + used - 1) / used > max_slice_columns)
    throw InputError("slices", {}, std::to_string(slices) + " slices for a union of " + std::to_string(columns),
                     std::to_string((columns + max_slice_columns - 1) / max_slice_columns) + " or more");
  const std::size_t first_begin = shift < 0 ? static_cast<std::size_t>(-shift) : 0;
  const std::size_t second_begin = shift > 0 ? static_cast<std::size_t>(shift) : 0;
  std::vector<std::uint32_t> scores(8 * columns, 0);
  for (std::size_t i = 0; i < a.columns.size(); ++i)
    std::ranges::copy(a.columns[i], scores.begin() + static_cast<std::ptrdiff_t>(8 * (first_begin + i)));
  for (std::size_t i = 0; i < b.columns.size(); ++i)
    std::ranges::copy(b.columns[i], scores.begin() + static_cast<std::ptrdiff_t>(8 * (second_begin + i) + 4));

  std::vector<std::vector<float>> parts;
  for (std::uint32_t slice = 0; slice < used; ++slice) {
    const std::uint32_t begin = columns * slice / used, end = columns * (slice + 1) / used;
    parts.push_back(slice_distribution(device, std::span(scores).subspan(8 * begin, 8 * (end - begin)), end - begin,
                                       background, buckets));
  }
  // Neighbours are merged until two are left.
  while (parts.size() > 2) {
    std::vector<std::vector<float>> next;
    for (std::size_t i = 0; i < parts.size(); i += 2) {
      if (i + 1 == parts.size())
        next.push_back(std::move(parts[i]));
      else
        next.push_back(merged(device, parts[i], parts[i + 1], buckets));
    }
    parts = std::move(next);
  }
  if (parts.size() == 1) {
    std::vector<float> nothing(parts[0].size(), 0);
    nothing[0] = 1;
    parts.push_back(std::move(nothing));
  }
  // A score of K buckets is between K and K + slices, plus the rounding of scores to fractions of a bucket.
  const double rounded = (columns + 1) * std::ldexp(0.5, -static_cast<int>(fraction_bits)) + 1e-6;
  const auto bucket = [&](double value) {
    return static_cast<std::int64_t>(std::clamp(value, 0.0, static_cast<double>(buckets) * (used + 1)));
  };
  const auto surely = [&](double threshold) { return bucket(std::ceil(threshold + rounded)); };
  const auto maybe = [&](double threshold) { return bucket(std::floor(threshold - used - rounded) + 1); };
  const double low = tail_of_both(parts[0], parts[1], buckets, surely(a.threshold), surely(b.threshold));
  const double high = tail_of_both(parts[0], parts[1], buckets, maybe(a.threshold), maybe(b.threshold));
  // Sums of at most buckets^2 floats; differences of sums in the tail; weights cut off at 2^-62.
  const double error = 1e-6 + 1.2e-7 * (used > 2 ? static_cast<double>(buckets) * buckets : columns);
  // The slices round a score down by used / 2 buckets on average.
  const auto near = [&](double threshold) { return bucket(std::ceil(threshold - used / 2.0)); };
  const std::int64_t near_a = near(a.threshold), near_b = near(b.threshold);
  const double both = tail_of_both(parts[0], parts[1], buckets, near_a, near_b);
  const double either = tail_of_both(parts[0], parts[1], buckets, near_a, 0) +
                        tail_of_both(parts[0], parts[1], buckets, 0, near_b) - both;
  return {{std::max(0.0, low * (1 - error) - 1e-12), std::min(1.0, high * (1 + error) + 1e-10), false, std::nullopt},
          either > 0 ? std::min(1.0, both / either) : 0};
}

}  // namespace genocl::pwm
