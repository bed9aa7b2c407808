// Bucket Score Distribution.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/error.hpp"
#include "pwm/p_value.hpp"
#include "pwm/scores.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::pwm {
namespace {

/// Words of some columns: probability[b] of a score in [b, b + 1) * range / (number of buckets) above the lowest.
struct BucketSlice {
  std::vector<double> probability;
  double range = 0;
};

/// In units of 2^-32 buckets of both, rounded down so that no bucket is above its scores; never 0.
std::uint64_t width(double own_range, double whole_range) {
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ldexp(own_range / whole_range * (1 - 1e-12), 32)));
}

/// Merges two slices with the same number of buckets, which is that of the result. The bucket of a score is that of
/// the lower ends of its parts' buckets. O(buckets^2), on devices with fp64; otherwise on the host.
BucketSlice merge_buckets(const Device& device, const BucketSlice& a, const BucketSlice& b) {
  BucketSlice merged{.probability = {}, .range = a.range + b.range};
  const std::size_t buckets = a.probability.size();
  // All words of a slice without a range are in its first bucket.
  if (a.range <= 0 || b.range <= 0) {
    const BucketSlice &wide = a.range <= 0 ? b : a, &point = a.range <= 0 ? a : b;
    for (const double p : wide.probability) merged.probability.push_back(p * point.probability[0]);
    return merged;
  }
  const std::uint64_t width_a = width(a.range, merged.range), width_b = width(b.range, merged.range);
  if (device.info().fp64) {
    const Array<double> from_a(device, std::span<const double>(a.probability));
    const Array<double> from_b(device, std::span<const double>(b.probability));
    Array<double> to(device, buckets);
    runtime::launch_items(device, "pwm/published/bucket_merge.cl", "bucket_merge", {},
                          {.items = buckets, .bytes = 3 * to.bytes()}, from_a, from_b, width_a, width_b,
                          static_cast<std::uint32_t>(buckets), to);
    merged.probability = to.download();
  } else {
    merged.probability.assign(buckets, 0.0);
    for (std::size_t i = 0; i < buckets; ++i)
      for (std::size_t j = 0; j < buckets; ++j)
        merged.probability[(i * width_a + j * width_b) >> 32] += a.probability[i] * b.probability[j];
  }
  return merged;
}

// Giraud and Varre's BUCKET SCORE DISTRIBUTION.

using runtime::ceil_div;

/// LOW of cl/pwm/published/bucket.cl, columns unrolled there; shorter slices get columns of one letter.
constexpr std::size_t low_columns = 4;
/// 4^20 words take a minute on a large GPU.
constexpr std::size_t longest_slice = 20;
/// Scores of a slice are below this in the kernel's units; a letter that does not occur adds it.
constexpr std::uint32_t impossible = std::uint32_t{1} << 27;
constexpr std::uint32_t max_buckets = 1u << 16;

/// Input of a slice's kernel, and the range of its scores.
struct Slice {
  std::vector<std::uint32_t> columns;  ///< [column][letter]
  double range = 0;                    ///< highest - lowest score
  std::uint32_t length() const { return static_cast<std::uint32_t>(columns.size() / 4); }
};

struct Extremes {
  double lowest, highest;
};

Extremes extremes(const std::array<double, 4>& column) {
  Extremes e{INFINITY, -INFINITY};
  for (const double score : column) {
    if (std::isinf(score)) continue;
    e.lowest = std::min(e.lowest, score);
    e.highest = std::max(e.highest, score);
  }
  return e;
}

Slice make_slice(std::span<const std::array<double, 4>> columns, std::uint32_t buckets, unsigned fraction) {
  Slice slice;
  for (const auto& column : columns) slice.range += extremes(column).highest - extremes(column).lowest;
  // Rounded down with a small margin, so that no word gets a bucket above its score.
  const double units =
      slice.range > 0 ? std::ldexp(buckets, static_cast<int>(fraction)) / slice.range * (1 - 1e-12) : 0;
  for (const auto& column : columns)
    for (const double score : column)
      slice.columns.push_back(
          std::isinf(score) ? impossible : static_cast<std::uint32_t>((score - extremes(column).lowest) * units));
  while (slice.length() < low_columns)
    for (const std::uint32_t one_letter : {0u, impossible, impossible, impossible}) slice.columns.push_back(one_letter);
  return slice;
}

/// Words of the slice in each bucket.
std::vector<std::uint64_t> count_words(const Device& device, const Slice& slice, std::uint32_t buckets,
                                       std::uint32_t fraction, bool serialised) {
  const Array<std::uint32_t> columns(device, std::span<const std::uint32_t>(slice.columns));
  Array<std::uint64_t> counts(device, buckets);
  const std::uint64_t upper_words = std::uint64_t{1} << (2 * (slice.length() - low_columns));
  // A table's counts have 32 bits.
  const std::uint64_t max_share = std::uint64_t{1} << (31 - 2 * low_columns);
  const std::uint64_t table_bytes = std::uint64_t{buckets + 1} * sizeof(std::uint32_t);
  runtime::Defines defines;
  defines.set("LOW", low_columns);
  const char* const file = "pwm/published/bucket.cl";
  if (runtime::uses_cpu_kernels(device) || table_bytes + 2048 > device.info().local_memory) {
    const std::uint64_t wanted = runtime::workers_that_fill(device, 4);
    const std::uint64_t share = std::clamp<std::uint64_t>(ceil_div(upper_words, wanted), 1, max_share);
    const std::uint64_t workers = ceil_div(upper_words, share);
    const runtime::Scratch tables(device, workers * table_bytes);
    defines.set("ONLY_CPU", 1);
    runtime::Kernel(device, file, "bucket_words_cpu", defines)
        .args(columns, slice.length(), buckets, fraction, tables, share)
        .run(workers, 1);
    const runtime::Shares shares = runtime::share_out(device, {}, buckets, 16, 1024);
    runtime::Kernel(device, file, "bucket_add_tables_cpu", defines)
        .args(tables, static_cast<std::uint32_t>(workers), buckets, counts, shares.share)
        .run(shares.workers, 1);
  } else {
    counts.fill(0);
    const unsigned size = runtime::group_size(device);
    const std::uint64_t max_groups = runtime::groups_that_fill(device);
    const std::uint64_t items = std::min(std::bit_ceil(max_groups) * size, upper_words);
    const std::uint64_t share = std::min(ceil_div(upper_words, items), std::max<std::uint64_t>(1, max_share / size));
    defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size).set("SERIALISED", serialised ? 1 : 0);
    runtime::Kernel(device, file, "bucket_words_gpu", defines)
        .args(columns, slice.length(), buckets, fraction, share, runtime::LocalBytes{table_bytes}, counts)
        .run(static_cast<std::size_t>(ceil_div(ceil_div(upper_words, share), size)), size);
  }
  return counts.download();
}

/// Probability of a word of the slice in each bucket. `columns` are those of the matrix, without columns of one letter.
std::vector<double> weigh_words(const Device& device, const Slice& slice, std::uint32_t columns,
                                const Background& background, std::uint32_t buckets, std::uint32_t fraction) {
  const Array<std::uint32_t> on_device(device, std::span<const std::uint32_t>(slice.columns));
  std::vector<float> letters;
  for (const double frequency : background.frequencies()) letters.push_back(static_cast<float>(frequency));
  const Array<float> frequencies(device, std::span<const float>(letters));
  Array<std::uint32_t> low(device, buckets), high(device, buckets);
  low.fill(0);
  high.fill(0);
  const std::uint64_t words = std::uint64_t{1} << (2 * columns);
  runtime::launch_items(device, "pwm/published/bucket_weighted.cl", "bucket_weighted", {},
                        {.items = words, .bytes = words * 8}, on_device, frequencies, low, high, columns, buckets,
                        fraction, words);
  const std::vector<std::uint32_t> lows = low.download(), highs = high.download();
  std::vector<double> probability(buckets);
  for (std::uint32_t b = 0; b < buckets; ++b)
    probability[b] = std::ldexp(static_cast<double>(std::uint64_t{highs[b]} << 32 | lows[b]), -62);
  return probability;
}

/// Bounds of the rounding of a distribution: sums of positive numbers; with weights also products of floats, and
/// probabilities cut off at 2^-62.
struct Rounding {
  double relative = 1e-11, absolute = 0;

  void add_weighted_slice(std::uint32_t columns) {
    relative += 2 * (columns + 1) * std::ldexp(1.0, -24);
    absolute += std::ldexp(1.0, 2 * static_cast<int>(columns) - 62);
  }
};

}  // namespace

Distribution bucket_distribution(const Device& device, const ScoreMatrix& matrix, const Background& background,
                                 unsigned slices, unsigned buckets, bool serialised) {
  const std::size_t length = matrix.length();
  if (buckets > max_buckets)
    throw InputError("bucket: " + std::to_string(buckets) + " buckets; expected at most " +
                     std::to_string(max_buckets));
  const std::size_t count = std::min<std::size_t>(slices, length);
  if (ceil_div(length, count) > longest_slice)
    throw InputError("matrix " + matrix.id() + ": slices of " + std::to_string(ceil_div(length, count)) +
                     " columns are too many words to enumerate; expected at least " +
                     std::to_string(ceil_div(length, longest_slice)) + " slices");
  const FixedPoint checked = fixed_point(matrix);  // throws for a matrix that no word can have
  const auto fraction = static_cast<std::uint32_t>(27 - std::bit_width(buckets));

  std::vector<BucketSlice> parts;
  Rounding rounding;
  for (std::size_t s = 0, begin = 0; s < count; ++s) {
    const std::size_t end = begin + (length - begin) / (count - s) + ((length - begin) % (count - s) != 0 ? 1 : 0);
    const Slice slice = make_slice(matrix.columns().subspan(begin, end - begin), buckets, fraction);
    BucketSlice part{.probability = {}, .range = slice.range};
    if (background.uniform()) {
      for (const std::uint64_t words : count_words(device, slice, buckets, fraction, serialised))
        part.probability.push_back(std::ldexp(static_cast<double>(words), -2 * static_cast<int>(end - begin)));
    } else {
      const auto columns = static_cast<std::uint32_t>(end - begin);
      part.probability = weigh_words(device, slice, columns, background, buckets, fraction);
      rounding.add_weighted_slice(columns);
    }
    parts.push_back(std::move(part));
    begin = end;
  }
  unsigned levels = 0;
  for (; parts.size() > 1; ++levels) {
    std::vector<BucketSlice> merged;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2)
      merged.push_back(merge_buckets(device, parts[i], parts[i + 1]));
    if (parts.size() % 2 != 0) merged.push_back(std::move(parts.back()));
    parts = std::move(merged);
  }

  Distribution distribution;
  const BucketSlice& all = parts.front();
  const double width = all.range / buckets;
  double lowest = 0;
  for (const auto& column : matrix.columns()) lowest += extremes(column).lowest;
  // Each of 1 + levels roundings to a bucket is by less than one: the bound of the paper. Those of the columns' units
  // are together far below one more.
  const unsigned error = 1 + levels;
  distribution.error = error * width;
  std::vector<double> tail(buckets + 1, 0.0);
  for (unsigned b = buckets; b-- > 0;) tail[b] = tail[b + 1] + all.probability[b];
  for (unsigned b = 0; b <= buckets; ++b) {
    distribution.edge.push_back(lowest + width * b);
    distribution.low.push_back(std::min(1.0, tail[b] * (1 - rounding.relative)));
    const double above = tail[b >= error ? b - error : 0];
    distribution.high.push_back(std::min(1.0, above * (1 + rounding.relative) + rounding.absolute));
  }
  return distribution;
}

PValue bucket_p_value(const Distribution& distribution, double score) {
  PValue p;
  const auto at_least = std::lower_bound(distribution.edge.begin(), distribution.edge.end(), score);
  p.low = at_least == distribution.edge.end()
              ? 0
              : distribution.low[static_cast<std::size_t>(at_least - distribution.edge.begin())];
  const auto above = std::upper_bound(distribution.edge.begin(), distribution.edge.end(), score);
  const auto last = static_cast<std::size_t>(above - distribution.edge.begin());
  p.high = last == 0 ? 1 : distribution.high[last - 1];
  return p;
}

Threshold bucket_threshold(const Distribution& distribution, const ScoreMatrix& matrix,
                           std::span<const Background> backgrounds, double p, bool paper_convention) {
  Threshold threshold;
  double best = 0;
  for (const Background& background : backgrounds)
    best += best_word_probability(fixed_point(matrix), background) / static_cast<double>(backgrounds.size());
  threshold.none = !paper_convention && best > p * (1 + 1e-12);
  // The distribution's own P decreases from edge to edge.
  std::size_t at = 0;
  const std::size_t last = distribution.edge.size() - 1;
  if (paper_convention) {
    while (at < last && distribution.low[at + 1] >= p) ++at;
  } else {
    while (at < last && (threshold.none || distribution.low[at] > p)) ++at;
  }
  threshold.score = distribution.edge[at];
  threshold.p = bucket_p_value(distribution, threshold.score);
  return threshold;
}

}  // namespace genocl::pwm
