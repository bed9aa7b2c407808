#include "genocl/pwm/compare.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "genocl/error.hpp"
#include "pwm/compare/compare_steps.hpp"
#include "runtime/chunks.hpp"
#include "runtime/device/access.hpp"

namespace genocl::pwm {
namespace {

/// Words that are listed at most: all there are of 13 letters; those of a longer matrix while it is worth it.
constexpr std::uint64_t most_of_short = std::uint64_t{1} << 26, most_of_long = std::uint64_t{1} << 22;
/// The same for each matrix of a collection.
constexpr std::uint64_t most_of_many = std::uint64_t{1} << 20;
constexpr std::size_t enumerated_columns = 13;
constexpr std::uint32_t bound_bins = 512, most_counted = 31;

/// A matrix, one strand of it: its hits where they can be listed, and their probability.
struct Party {
  Side side;
  std::optional<std::vector<std::uint64_t>> hits;
  PValue p;

  std::uint32_t length() const { return static_cast<std::uint32_t>(side.matrix->length()); }
};

PValue exactly(double p) { return {p, p, true, std::nullopt}; }

/// Of `words` among all words of a length.
PValue counted(std::uint64_t words, std::uint32_t length) {
  PValue p = exactly(std::ldexp(static_cast<double>(words), -2 * static_cast<int>(length)));
  if (length <= most_counted) p.words = words;
  return p;
}

Party party_of(const Side& side, std::optional<std::vector<std::uint64_t>> hits, const Background& background) {
  Party party{side, std::move(hits), {}};
  if (!party.hits)
    party.p = bound_single(party.side, background);
  else if (background.uniform())
    party.p = counted(party.hits->size(), party.length());
  else
    party.p = exactly(probability_of(*party.hits, party.length(), background));
  return party;
}

/// Of a matrix as it is, and of its reverse complement `turned`: hits of that are the reverse complements of hits, not
/// what its own score(), which adds in the other order, makes hits.
std::array<Party, 2> parties_of(const ScoreMatrix& matrix, const ScoreMatrix& turned, double threshold,
                                std::uint64_t most, const Background& background) {
  const Side side{&matrix, threshold};
  Party forward = party_of(side, hit_words(side, most), background);
  std::optional<std::vector<std::uint64_t>> hits;
  if (forward.hits) hits = turned_words(*forward.hits, forward.length());
  return {std::move(forward), party_of({&turned, threshold}, std::move(hits), background)};
}

std::uint64_t most_for(const ScoreMatrix& matrix) {
  return matrix.length() <= enumerated_columns ? most_of_short : most_of_long;
}

void check(const CompareOptions& options) {
  if (options.background.order() != 0)
    throw InputError("background", {}, "order " + std::to_string(options.background.order()), "order 0 to compare");
  if (options.method != PMethod::bucket) return;
  if (options.slices == 0) throw InputError("slices", {}, "0", "1 or more");
  if (options.buckets < 2 || options.buckets > 2048)
    throw InputError("buckets", {}, std::to_string(options.buckets), "2 to 2048 in each direction");
}

void check_threshold(const ScoreMatrix& matrix, double threshold) {
  if (std::isnan(threshold)) throw InputError("motif " + shown(matrix.id()) + ": a threshold that is no number");
}

/// What is in `all` and not in `both`.
PValue without(const PValue& all, const PValue& both, std::uint32_t length, std::uint32_t union_length) {
  PValue rest;
  rest.exact = all.exact && both.exact;
  if (rest.exact && all.words && both.words && union_length <= most_counted)
    return counted((*all.words << (2 * (union_length - length))) - *both.words, union_length);
  rest.low = std::max(0.0, all.low - both.high);
  rest.high = std::max(rest.low, std::min(1.0, all.high - both.low));
  return rest;
}

double middle(const PValue& p) { return (p.low + p.high) / 2; }

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

bool can_list(const Device& device, const CompareOptions& options) {
  return options.method == PMethod::certified && (options.background.uniform() || device.info().fp64);
}

/// One overlap without lists.
PValue joint_of(const Device& device, const Party& a, const Party& b, int shift, const CompareOptions& options) {
  if (options.method == PMethod::bucket)
    return bucket_joint(device, a.side, b.side, shift, options.background, options.slices, options.buckets);
  const bool apart = shift >= static_cast<int>(a.length()) || -shift >= static_cast<int>(b.length());
  if (apart) return {a.p.low * b.p.low, a.p.high * b.p.high, a.p.exact && b.p.exact, std::nullopt};
  return bound_joint(device, a.side, b.side, shift, options.background, bound_bins);
}

/// Which of two lists begins first goes first.
WordLists::Task task_of(std::uint32_t a, std::uint32_t b, int shift) {
  if (shift >= 0) return {a, b, static_cast<std::uint32_t>(shift)};
  return {b, a, static_cast<std::uint32_t>(-shift)};
}

PValue joint_at(const WordLists::Joint& joint, std::size_t task, std::uint32_t union_letters) {
  if (joint.probability.empty()) return counted(joint.words[task], union_letters);
  return exactly(joint.probability[task]);
}

/// Similar, then near, then forward.
bool better(const Overlap& a, const Overlap& b) {
  if (a.similarity != b.similarity) return a.similarity > b.similarity;
  if (std::abs(a.shift) != std::abs(b.shift)) return std::abs(a.shift) < std::abs(b.shift);
  if (a.shift != b.shift) return a.shift < b.shift;
  return !a.reverse && b.reverse;
}

/// All shifts of two parties in one orientation, in order, without lists.
void add_bounds(const Device& device, const Party& a, const Party& b, bool reverse, const CompareOptions& options,
                std::vector<Overlap>& overlaps) {
  const int m = static_cast<int>(a.length()), n = static_cast<int>(b.length());
  for (int shift = -n; shift <= m; ++shift) {
    if (options.progress && !options.progress({0, overlaps.size(), 2 * static_cast<std::uint64_t>(m + n + 1)}))
      throw Cancelled();
    overlaps.push_back(overlap_of(a, b, shift, reverse, joint_of(device, a, b, shift, options)));
  }
}

}  // namespace

std::vector<Overlap> compare(const Device& device, const ScoreMatrix& a, double threshold_a, const ScoreMatrix& b,
                             double threshold_b, const CompareOptions& options) {
  check(options);
  check_threshold(a, threshold_a);
  check_threshold(b, threshold_b);
  const ScoreMatrix turned = b.reverse_complement();
  const Party first = party_of({&a, threshold_a}, hit_words({&a, threshold_a}, most_for(a)), options.background);
  const std::array<Party, 2> seconds = parties_of(b, turned, threshold_b, most_for(b), options.background);
  const int m = static_cast<int>(a.length()), n = static_cast<int>(b.length());
  std::vector<Overlap> overlaps;
  for (const bool reverse : {false, true}) {
    const Party& second = seconds[reverse ? 1 : 0];
    if (!first.hits || !second.hits || !can_list(device, options)) {
      add_bounds(device, first, second, reverse, options, overlaps);
      continue;
    }
    const std::vector<std::uint64_t>* const lists[2] = {&*first.hits, &*second.hits};
    const std::uint32_t lengths[2] = {first.length(), second.length()};
    const WordLists words(device, lists, lengths, options.background);
    std::vector<WordLists::Task> tasks;
    for (int shift = -n; shift <= m; ++shift) tasks.push_back(task_of(0, 1, shift));
    const WordLists::Joint joint = words.join(device, tasks);
    for (int shift = -n; shift <= m; ++shift)
      overlaps.push_back(overlap_of(
          first, second, shift, reverse,
          joint_at(joint, static_cast<std::size_t>(shift + n), union_length(a.length(), b.length(), shift))));
  }
  return overlaps;
}

namespace {

/// Two collections on their way to be compared. Parties of b: 2 j forward, 2 j + 1 its reverse complement.
struct Collections {
  std::vector<ScoreMatrix> turned;
  std::vector<Party> a, b;
  std::vector<const std::vector<std::uint64_t>*> lists;  ///< of a, then of b; empty where there is none
  std::vector<std::uint32_t> lengths;
};

/// The best overlaps of matrix `row` of a with all of b.
std::vector<Overlap> best_of_row(const Device& device, const Collections& all, const WordLists* words, std::size_t row,
                                 const CompareOptions& options) {
  const Party& first = all.a[row];
  const int m = static_cast<int>(first.length());
  const auto listed = [&](const Party& second) { return words != nullptr && first.hits && second.hits; };
  std::vector<WordLists::Task> tasks;
  for (std::size_t i = 0; i < all.b.size(); ++i) {
    if (!listed(all.b[i])) continue;
    for (int shift = -static_cast<int>(all.b[i].length()); shift <= m; ++shift)
      tasks.push_back(task_of(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(all.a.size() + i), shift));
  }
  WordLists::Joint joint;
  if (!tasks.empty()) joint = words->join(device, tasks);
  std::vector<Overlap> best;
  std::size_t task = 0;
  for (std::size_t i = 0; i < all.b.size(); ++i) {
    const Party& second = all.b[i];
    const bool reverse = i % 2 == 1;
    std::vector<Overlap> overlaps;
    if (listed(second)) {
      for (int shift = -static_cast<int>(second.length()); shift <= m; ++shift, ++task)
        overlaps.push_back(overlap_of(first, second, shift, reverse,
                                      joint_at(joint, task, union_length(first.length(), second.length(), shift))));
    } else {
      CompareOptions silent = options;
      silent.progress = {};
      add_bounds(device, first, second, reverse, silent, overlaps);
    }
    const Overlap one = *std::ranges::min_element(overlaps, better);
    if (!reverse)
      best.push_back(one);
    else if (better(one, best.back()))
      best.back() = one;
  }
  return best;
}

}  // namespace

std::vector<Overlap> best_overlaps(std::span<const Device> devices, std::span<const ScoreMatrix> a,
                                   std::span<const double> thresholds_a, std::span<const ScoreMatrix> b,
                                   std::span<const double> thresholds_b, const CompareOptions& options) {
  if (devices.empty()) throw InputError("no device given");
  if (thresholds_a.size() != a.size() || thresholds_b.size() != b.size())
    throw InputError("thresholds", {}, "not as many as matrices", "one for each");
  check(options);
  for (std::size_t i = 0; i < a.size(); ++i) check_threshold(a[i], thresholds_a[i]);
  for (std::size_t j = 0; j < b.size(); ++j) check_threshold(b[j], thresholds_b[j]);
  if (a.empty() || b.empty()) return {};

  Collections all;
  for (const ScoreMatrix& matrix : b) all.turned.push_back(matrix.reverse_complement());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Side side{&a[i], thresholds_a[i]};
    all.a.push_back(party_of(side, hit_words(side, most_of_many), options.background));
  }
  for (std::size_t j = 0; j < b.size(); ++j)
    for (Party& party : parties_of(b[j], all.turned[j], thresholds_b[j], most_of_many, options.background))
      all.b.push_back(std::move(party));
  static const std::vector<std::uint64_t> none;
  for (const auto* parties : {&all.a, &all.b})
    for (const Party& party : *parties) {
      all.lists.push_back(party.hits ? &*party.hits : &none);
      all.lengths.push_back(std::min(party.length(), most_counted));
    }
  // Each device has all lists; its queues share them.
  std::vector<std::unique_ptr<WordLists>> words;
  for (const Device& device : devices)
    words.push_back(can_list(device, options)
                        ? std::make_unique<WordLists>(device, all.lists, all.lengths, options.background)
                        : nullptr);
  const auto words_on = [&](const Device& device) -> const WordLists* {
    for (std::size_t d = 0; d < devices.size(); ++d)
      if (&runtime::core_of(devices[d]) == &runtime::core_of(device) && devices[d].family() == device.family())
        return words[d].get();
    return nullptr;
  };
  for (const Device& device : devices) device.finish();

  std::vector<Overlap> result;
  result.reserve(a.size() * b.size());
  std::size_t next = 0;
  runtime::ChunkOptions chunks;
  chunks.items_total = a.size() * b.size();
  chunks.progress = options.progress;
  runtime::for_each_chunk(
      devices, [&]() -> std::optional<std::size_t> { return next < a.size() ? std::optional(next++) : std::nullopt; },
      [&](const Device& device, std::size_t&& row) { return best_of_row(device, all, words_on(device), row, options); },
      [&](std::vector<Overlap>&& row) {
        result.insert(result.end(), row.begin(), row.end());
        return row.size();
      },
      chunks);
  return result;
}

}  // namespace genocl::pwm
