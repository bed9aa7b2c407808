#include "genocl/pwm/compare.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "genocl/error.hpp"
#include "pwm/compare/hit_lists.hpp"
#include "pwm/compare/long/long_pairs.hpp"
#include "pwm/compare/long/long_words.hpp"
#include "pwm/compare/parties.hpp"

namespace genocl::pwm {
namespace {

/// Words that are listed at most: all there are of 13 letters; those of a longer matrix while it is worth it.
constexpr std::uint64_t most_of_short = std::uint64_t{1} << 26, most_of_long = std::uint64_t{1} << 22;
constexpr std::size_t enumerated_columns = 13;

std::uint64_t most_for(const ScoreMatrix& matrix) {
  return matrix.length() <= enumerated_columns ? most_of_short : most_of_long;
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
        parties{parties_of(first, turned_a, threshold_a, most_for(first), options.background),
                parties_of(second, turned_b, threshold_b, most_for(second), options.background)} {
    find_probabilities(std::span(&device, 1), parties, options);
  }
};

HitLists lists_of(const Device& device, const BothStrands& of, const Background& background) {
  const std::vector<std::uint64_t>* const lists[2] = {&*of[0].hits, &*of[1].hits};
  const std::uint32_t lengths[2] = {of[0].length(), of[1].length()};
  return {device, lists, lengths, background};
}

/// [reverse][shift + n]: P of both, at shifts where they share a letter.
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
      // Which of two lists begins first goes first.
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
      const bool apart = shift == -n || shift == m;
      overlaps.push_back(overlap_of(two.a[0], second, shift, reverse,
                                    apart && !shared.exact ? joint_apart(two.a[0], second) : shared));
    }
  }
  return overlaps;
}

}  // namespace genocl::pwm
