// Comparison of two matrices by the words that are hits of both.

#include "pwm/compare.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <span>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/pwm/compare.hpp"
#include "pwm/compare_long.hpp"
#include "pwm/hit_lists.hpp"

namespace genocl::pwm {
namespace {

constexpr std::uint32_t max_counted = 31;

constexpr std::uint32_t bound_bins = 512;

void set_listed(Party& party, const Background& background) {
  if (background.uniform())
    party.p = counted(party.hits->size(), party.length());
  else
    party.p = exactly(probability_of(*party.hits, party.length(), background));
}

/// The similarity for this probability of both.
double similarity_of(double both, double first, double second) {
  const double either = first + second - both;
  return either > 0 ? std::clamp(both / either, 0.0, 1.0) : 0;
}

/// One overlap by buckets. The similarity is that of the distribution, within the bounds of both.
Overlap bucket_overlap(const Device& device, const Party& a, const Party& b, int shift, bool reverse,
                       const CompareOptions& options) {
  const BucketJoint joint =
      bucket_joint(device, a.side, b.side, shift, options.background, options.slices, options.buckets);
  Overlap overlap = overlap_of(a, b, shift, reverse, joint.both);
  if (!joint.similarity) return overlap;
  const double low = similarity_of(overlap.both.low, a.p.high, b.p.high);
  overlap.similarity =
      std::clamp(*joint.similarity, low, std::max(low, similarity_of(overlap.both.high, a.p.low, b.p.low)));
  return overlap;
}

/// One overlap without lists.
Overlap overlap_without_lists(const Device& device, const Party& a, const Party& b, int shift, bool reverse,
                              const CompareOptions& options) {
  if (options.method == PValueMethod::bucket) return bucket_overlap(device, a, b, shift, reverse, options);
  const bool disjoint = shift >= static_cast<int>(a.length()) || -shift >= static_cast<int>(b.length());
  return overlap_of(
      a, b, shift, reverse,
      disjoint ? disjoint_joint(a, b) : bound_joint(device, a.side, b.side, shift, options.background, bound_bins));
}

/// Probability of `all` without `both`.
PValue without(const PValue& all, const PValue& both, std::uint32_t length, std::uint32_t union_length) {
  PValue rest;
  rest.exact = all.exact && both.exact;
  if (rest.exact && all.words && both.words && union_length <= max_counted)
    return counted((*all.words << (2 * (union_length - length))) - *both.words, union_length);
  rest.low = std::max(0.0, all.low - both.high);
  rest.high = std::max(rest.low, std::min(1.0, all.high - both.low));
  return rest;
}

double middle(const PValue& p) { return (p.low + p.high) / 2; }

}  // namespace

PValue exactly(double p) { return {p, p, true, std::nullopt}; }

PValue counted(std::uint64_t words, std::uint32_t length) {
  PValue p = exactly(std::ldexp(static_cast<double>(words), -2 * static_cast<int>(length)));
  if (length <= max_counted) p.words = words;
  return p;
}

BothStrands parties_of(const ScoreMatrix& matrix, const ScoreMatrix& turned, double threshold, std::uint64_t most,
                       const Background& background) {
  BothStrands parties{Party{{&matrix, threshold}, hit_words({&matrix, threshold}, most), {}},
                      Party{{&turned, threshold}, std::nullopt, {}}};
  if (!parties[0].hits) return parties;
  parties[1].hits = turned_words(*parties[0].hits, parties[0].length());
  for (Party& party : parties) set_listed(party, background);
  return parties;
}

void find_probabilities(Devices devices, std::span<BothStrands> parties, const CompareOptions& options) {
  std::vector<ScoreMatrix> matrices;
  std::vector<std::vector<double>> thresholds;
  std::vector<BothStrands*> open;
  for (BothStrands& one : parties) {
    if (one[0].hits) continue;
    matrices.push_back(*one[0].side.matrix);
    thresholds.push_back({one[0].side.threshold});
    open.push_back(&one);
  }
  if (open.empty()) return;
  for (const bool reverse : {false, true}) {
    PValueOptions of_hits;
    of_hits.background = options.background;
    of_hits.strands = reverse ? Strands::reverse : Strands::forward;
    const std::vector<std::vector<PValue>> found = p_values(devices, matrices, thresholds, of_hits);
    for (std::size_t i = 0; i < open.size(); ++i) (*open[i])[reverse ? 1 : 0].p = found[i][0];
  }
}

void check(const CompareOptions& options) {
  if (options.background.order() != 0)
    throw InputError("background", {}, "order " + std::to_string(options.background.order()), "order 0 to compare");
  if (options.method != PValueMethod::bucket) return;
  if (options.buckets != 0 && (options.buckets < 2 || options.buckets > 2048))
    throw InputError("buckets", {}, std::to_string(options.buckets), "2 to 2048 in each direction");
}

void check_slices(const CompareOptions& options, std::size_t longest_union) {
  if (options.method == PValueMethod::bucket && options.slices != 0 &&
      std::size_t{options.slices} * max_slice_columns < longest_union)
    throw InputError(
        "slices", {},
        std::to_string(options.slices) + " slices for unions of up to " + std::to_string(longest_union) + " columns",
        std::to_string((longest_union + max_slice_columns - 1) / max_slice_columns) + " or more");
  constexpr double max_operations = 1e12;
  if (options.method != PValueMethod::bucket || options.buckets == 0) return;
  const unsigned slices = options.slices != 0 ? options.slices : slices_for(longest_union, options.buckets);
  if (bucket_operations(longest_union, slices, options.buckets) > max_operations)
    throw InputError("buckets", {},
                     std::to_string(options.buckets) + " buckets and " + std::to_string(slices) +
                         " slices for unions of up to " + std::to_string(longest_union) +
                         " columns: too many operations",
                     "at most " + std::to_string(buckets_for(longest_union)));
}

void check_threshold(const ScoreMatrix& matrix, double threshold) {
  if (std::isnan(threshold)) throw InputError("motif " + shown(matrix.id()) + ": a threshold that is no number");
}

bool can_list(const Device& device, const CompareOptions& options) {
  return options.method == PValueMethod::certified && (options.background.uniform() || device.info().fp64);
}

PValue disjoint_joint(const Party& a, const Party& b) {
  return {a.p.low * b.p.low, a.p.high * b.p.high, a.p.exact && b.p.exact, std::nullopt};
}

Overlap overlap_of(const Party& a, const Party& b, int shift, bool reverse, PValue both) {
  Overlap overlap;
  overlap.shift = shift;
  overlap.reverse = reverse;
  overlap.union_length = union_length(a.length(), b.length(), shift);
  both.high = std::min({both.high, a.p.high, b.p.high});
  both.low = std::min(both.low, both.high);
  overlap.both = both;
  overlap.only_first = without(a.p, both, a.length(), overlap.union_length);
  overlap.only_second = without(b.p, both, b.length(), overlap.union_length);
  const double all = middle(overlap.both) + middle(overlap.only_first) + middle(overlap.only_second);
  overlap.similarity = all > 0 ? middle(overlap.both) / all : 0;
  return overlap;
}

bool better(const Overlap& a, const Overlap& b) {
  if (a.similarity != b.similarity) return a.similarity > b.similarity;
  if (std::abs(a.shift) != std::abs(b.shift)) return std::abs(a.shift) < std::abs(b.shift);
  if (a.shift != b.shift) return a.shift < b.shift;
  return !a.reverse && b.reverse;
}

void add_bounds(const Device& device, const Party& a, const Party& b, bool reverse, const CompareOptions& options,
                std::vector<Overlap>& overlaps) {
  const int m = static_cast<int>(a.length()), n = static_cast<int>(b.length());
  for (int shift = -n; shift <= m; ++shift) {
    if (options.progress && !options.progress({0, overlaps.size(), 2 * static_cast<std::uint64_t>(m + n + 1)}))
      throw Cancelled();
    overlaps.push_back(overlap_without_lists(device, a, b, shift, reverse, options));
  }
}

namespace {

/// Maximum number of listed words: all words of 13 letters; for a longer matrix as far as it pays.
constexpr std::uint64_t max_of_short = std::uint64_t{1} << 26, max_of_long = std::uint64_t{1} << 22;
constexpr std::size_t enumerated_columns = 13;

std::uint64_t max_for(const ScoreMatrix& matrix) {
  return matrix.length() <= enumerated_columns ? max_of_short : max_of_long;
}

/// Two matrices, both strands of each.
struct Two {
  ScoreMatrix turned_a, turned_b;
  std::array<BothStrands, 2> parties;
  const BothStrands &a = parties[0], &b = parties[1];

  Two(const Device& device, const ScoreMatrix& first, double threshold_a, const ScoreMatrix& second, double threshold_b,
      const CompareOptions& options)
      : turned_a(first.reverse_complement()),
        turned_b(second.reverse_complement()),
        parties{parties_of(first, turned_a, threshold_a, max_for(first), options.background),
                parties_of(second, turned_b, threshold_b, max_for(second), options.background)} {
    find_probabilities(std::span(&device, 1), parties, options);
  }
};

HitLists lists_of(const Device& device, const BothStrands& of, const Background& background) {
  const std::vector<std::uint64_t>* const lists[2] = {&*of[0].hits, &*of[1].hits};
  const std::uint32_t lengths[2] = {of[0].length(), of[1].length()};
  return {device, lists, lengths, background};
}

/// [reverse][shift + n]: P of both, at shifts with a common letter.
using Joints = std::array<std::vector<PValue>, 2>;

Joints joints_of_lists(const Device& device, const Two& two, const CompareOptions& options) {
  const int m = static_cast<int>(two.a[0].length()), n = static_cast<int>(two.b[0].length());
  Joints joints;
  for (const bool reverse : {false, true}) {
    const std::vector<std::uint64_t>* const lists[2] = {&*two.a[0].hits, &*two.b[reverse ? 1 : 0].hits};
    const std::uint32_t lengths[2] = {two.a[0].length(), two.b[0].length()};
    const WordLists words(device, lists, lengths, options.background);
    std::vector<WordLists::Task> tasks;
    for (int shift = -n; shift <= m; ++shift)
      // The list that begins first is the first argument.
      tasks.push_back(shift >= 0 ? WordLists::Task{0, 1, static_cast<std::uint32_t>(shift)}
                                 : WordLists::Task{1, 0, static_cast<std::uint32_t>(-shift)});
    const WordLists::Joint joint = words.join(device, tasks);
    for (std::size_t i = 0; i < tasks.size(); ++i)
      joints[reverse ? 1 : 0].push_back(
          joint.probability.empty()
              ? counted(joint.words[i], union_length(lengths[0], lengths[1], static_cast<int>(i) - n))
              : exactly(joint.probability[i]));
  }
  return joints;
}

Joints joints_with_list(const Device& device, const Two& two, const CompareOptions& options) {
  const int m = static_cast<int>(two.a[0].length()), n = static_cast<int>(two.b[0].length());
  const bool a_listed = two.a[0].hits.has_value();
  const HitLists lists = lists_of(device, a_listed ? two.a : two.b, options.background);
  const Side sides[] = {a_listed ? two.b[0].side : two.a[0].side, two.b[1].side};
  const LongJoin join(device, lists, a_listed ? 2 : 1, std::span(sides, a_listed ? 2 : 1), options.background);
  Joints joints;
  for (const std::size_t reverse : {0, 1}) {
    joints[reverse].resize(static_cast<std::size_t>(m + n + 1));
    for (int shift = 1 - n; shift < m; ++shift)
      joints[reverse][static_cast<std::size_t>(shift + n)] =
          a_listed ? join.both(reverse, 0, shift) : join.both(0, reverse, -shift);
  }
  return joints;
}

Joints joints_of_bounds(const Device& device, const Two& two, const CompareOptions& options) {
  const std::uint32_t m = two.a[0].length(), n = two.b[0].length();
  const Side rows[] = {two.a[0].side}, columns[] = {two.b[0].side, two.b[1].side};
  const std::uint32_t of_a[] = {m}, of_b[] = {n};
  const LongSides a(device, rows, of_b, options.background, pair_bins);
  const LongSides b(device, columns, of_a, options.background, pair_bins);
  const std::vector<std::vector<PValue>> pairs = join_pairs(device, a, 0, b, options.background);
  Joints joints;
  for (const std::size_t reverse : {0, 1}) {
    joints[reverse].resize(m + n + 1);
    std::ranges::copy(pairs[reverse], joints[reverse].begin() + 1);
  }
  return joints;
}

Joints joints_of(const Device& device, const Two& two, const CompareOptions& options) {
  if (two.a[0].hits && two.b[0].hits) return joints_of_lists(device, two, options);
  if (two.a[0].hits || two.b[0].hits) return joints_with_list(device, two, options);
  return joints_of_bounds(device, two, options);
}

}  // namespace

std::vector<Overlap> compare(const Device& device, const ScoreMatrix& a, double threshold_a, const ScoreMatrix& b,
                             double threshold_b, const CompareOptions& options) {
  check(options);
  check_slices(options, a.length() + b.length());
  check_threshold(a, threshold_a);
  check_threshold(b, threshold_b);
  const Two two(device, a, threshold_a, b, threshold_b, options);
  const int m = static_cast<int>(a.length()), n = static_cast<int>(b.length());
  if (options.progress && !options.progress({0, 0, 2 * static_cast<std::uint64_t>(m + n + 1)})) throw Cancelled();
  std::vector<Overlap> overlaps;
  if (!can_list(device, options)) {
    for (const bool reverse : {false, true})
      add_bounds(device, two.a[0], two.b[reverse ? 1 : 0], reverse, options, overlaps);
    return overlaps;
  }
  const Joints joints = joints_of(device, two, options);
  for (const bool reverse : {false, true}) {
    const Party& second = two.b[reverse ? 1 : 0];
    for (int shift = -n; shift <= m; ++shift) {
      const PValue& shared = joints[reverse ? 1 : 0][static_cast<std::size_t>(shift + n)];
      const bool disjoint = shift == -n || shift == m;
      overlaps.push_back(overlap_of(two.a[0], second, shift, reverse,
                                    disjoint && !shared.exact ? disjoint_joint(two.a[0], second) : shared));
    }
  }
  return overlaps;
}

}  // namespace genocl::pwm
