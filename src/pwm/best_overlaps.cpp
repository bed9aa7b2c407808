// The best overlap of each pair of two collections. If the hits of both matrices can be listed, all pairs are joined
// at once. Bounds of a matrix with too many hits take one launch for all shifts and all of the other collection.
#include <algorithm>
#include <memory>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/pwm/compare.hpp"
#include "pwm/compare.hpp"
#include "pwm/compare_long.hpp"
#include "pwm/hit_lists.hpp"
#include "runtime/access.hpp"
#include "runtime/chunks.hpp"
#include "runtime/parallel.hpp"

namespace genocl::pwm {
namespace {

/// Maximum number of listed words of a matrix.
constexpr std::uint64_t max_listed_hits = std::uint64_t{1} << 20;

/// A collection with both strands of each matrix: those with listed hits by length, then the others.
struct Collection {
  std::vector<ScoreMatrix> turned;
  std::vector<BothStrands> parties;
  std::vector<std::size_t> listed, others;

  Collection(Devices devices, std::span<const ScoreMatrix> matrices, std::span<const double> thresholds,
             const CompareOptions& options)
      : parties(matrices.size()) {
    for (const ScoreMatrix& matrix : matrices) turned.push_back(matrix.reverse_complement());
    runtime::parallel_for(matrices.size(), runtime::threads_for(matrices.size(), 4), [&](std::size_t i) {
      parties[i] = parties_of(matrices[i], turned[i], thresholds[i], max_listed_hits, options.background);
    });
    find_probabilities(devices, parties, options);
    for (std::size_t i = 0; i < matrices.size(); ++i) (parties[i][0].hits ? listed : others).push_back(i);
    std::ranges::stable_sort(listed, {}, [&](std::size_t i) { return matrices[i].length(); });
  }

  /// Lists of the matrices [first, last) with listed hits.
  HitLists lists(const Device& device, std::size_t first, std::size_t last, const Background& background) const {
    std::vector<const std::vector<std::uint64_t>*> lists;
    std::vector<std::uint32_t> lengths;
    for (std::size_t k = first; k < last; ++k)
      for (const Party& party : parties[listed[k]]) {
        lists.push_back(&*party.hits);
        lengths.push_back(party.length());
      }
    return {device, lists, lengths, background};
  }

  /// The matrices without lists, `strands` of each.
  std::vector<Side> other_sides(std::size_t strands) const {
    std::vector<Side> sides;
    for (const std::size_t i : others)
      for (std::size_t strand = 0; strand < strands; ++strand) sides.push_back(parties[i][strand].side);
    return sides;
  }

  std::vector<std::uint32_t> other_lengths() const {
    std::vector<std::uint32_t> lengths;
    for (const std::size_t i : others) lengths.push_back(parties[i][0].length());
    std::ranges::sort(lengths);
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    return lengths;
  }
};

/// Data of both collections on a device.
struct Resident {
  HitLists columns;
  LongSides long_rows, long_columns;

  Resident(const Device& device, const Collection& a, const Collection& b, const Background& background)
      : columns(b.lists(device, 0, b.listed.size(), background)),
        long_rows(device, a.other_sides(1), b.other_lengths(), background, pair_bins),
        long_columns(device, b.other_sides(2), a.other_lengths(), background, pair_bins) {}
};

/// A range of rows: with lists, or without.
struct Job {
  bool listed = true;
  std::size_t first = 0, last = 0;
};

struct Found {
  std::size_t row = 0, column = 0;
  Overlap overlap;
};

class Comparison {
 public:
  Comparison(const Collection& a, const Collection& b, const CompareOptions& options)
      : a_(a), b_(b), options_(options), mirrored_(&a == &b && options.background.uniform()) {}

  std::vector<Found> listed_rows(const Device& device, const Resident& there, const Job& job) const {
    std::vector<Found> found;
    const HitLists rows = a_.lists(device, job.first, job.last, options_.background);
    join(device, rows, there.columns, job, found);
    if (mirrored_) return found;
    const std::vector<Side> sides = b_.other_sides(2);
    const LongJoin long_ones(device, rows, 2, sides, options_.background);
    for (std::size_t c = 0; c < b_.others.size(); ++c)
      for (std::size_t k = job.first; k < job.last; ++k) {
        std::vector<Overlap> overlaps;
        for (const bool reverse : {false, true})
          add(a_.parties[a_.listed[k]][0], b_.parties[b_.others[c]][reverse ? 1 : 0], reverse, overlaps,
              [&](int shift) { return long_ones.both(2 * c + (reverse ? 1 : 0), 2 * (k - job.first), shift); });
        found.push_back({a_.listed[k], b_.others[c], best_of(overlaps)});
      }
    return found;
  }

  std::vector<Found> other_rows(const Device& device, const Resident& there, const Job& job) const {
    std::vector<Found> found;
    const std::vector<Side> sides = a_.other_sides(1);
    const LongJoin listed(device, there.columns, 1, std::span(sides).subspan(job.first, job.last - job.first),
                          options_.background);
    for (std::size_t r = job.first; r < job.last; ++r) {
      const std::size_t row = a_.others[r];
      const Party& first = a_.parties[row][0];
      for (std::size_t k = 0; k < b_.listed.size(); ++k) {
        std::vector<Overlap> overlaps;
        for (const bool reverse : {false, true})
          add(first, b_.parties[b_.listed[k]][reverse ? 1 : 0], reverse, overlaps,
              [&](int shift) { return listed.both(r - job.first, 2 * k + (reverse ? 1 : 0), -shift); });
        found.push_back({row, b_.listed[k], best_of(overlaps)});
        if (mirrored_) found.push_back({b_.listed[k], row, best_of(mirrored(first, b_.listed[k], row, overlaps))});
      }
      const std::vector<std::vector<PValue>> pairs =
          join_pairs(device, there.long_rows, r, there.long_columns, options_.background);
      for (std::size_t k = 0; k < b_.others.size(); ++k) {
        std::vector<Overlap> overlaps;
        const auto n = static_cast<int>(b_.parties[b_.others[k]][0].length());
        for (const bool reverse : {false, true})
          add(first, b_.parties[b_.others[k]][reverse ? 1 : 0], reverse, overlaps,
              [&](int shift) { return pairs[2 * k + (reverse ? 1 : 0)][static_cast<std::size_t>(shift + n - 1)]; });
        found.push_back({row, b_.others[k], best_of(overlaps)});
      }
    }
    return found;
  }

  /// Without lists.
  std::vector<Found> plain_row(const Device& device, std::size_t row) const {
    CompareOptions silent = options_;
    silent.progress = {};
    std::vector<Found> found;
    for (std::size_t column = 0; column < b_.parties.size(); ++column) {
      std::vector<Overlap> overlaps;
      for (const bool reverse : {false, true})
        add_bounds(device, a_.parties[row][0], b_.parties[column][reverse ? 1 : 0], reverse, silent, overlaps);
      found.push_back({row, column, best_of(overlaps)});
    }
    return found;
  }

 private:
  static Overlap best_of(const std::vector<Overlap>& overlaps) { return *std::ranges::min_element(overlaps, better); }

  /// All shifts in one orientation.
  static void add(const Party& first, const Party& second, bool reverse, std::vector<Overlap>& overlaps,
                  const auto& both) {
    const int m = static_cast<int>(first.length()), n = static_cast<int>(second.length());
    for (int shift = -n; shift <= m; ++shift)
      overlaps.push_back(overlap_of(first, second, shift, reverse,
                                    shift == -n || shift == m ? disjoint_joint(first, second) : both(shift)));
  }

  /// The overlaps of `row` and `column`, derived from those of `column` as the first party and `row`: exchanged, and
  /// with both strands inverted if the second one was inverted.
  std::vector<Overlap> mirrored(const Party& first, std::size_t row, std::size_t column,
                                const std::vector<Overlap>& overlaps) const {
    const BothStrands& seconds = b_.parties[row];
    const auto more = static_cast<int>(seconds[0].length()) - static_cast<int>(first.length());
    std::vector<Overlap> result;
    for (const Overlap& one : overlaps)
      result.push_back(overlap_of(a_.parties[row][0], b_.parties[column][one.reverse ? 1 : 0],
                                  one.reverse ? one.shift + more : -one.shift, one.reverse, one.both));
    return result;
  }

  void join(const Device& device, const HitLists& rows, const HitLists& columns, const Job& job,
            std::vector<Found>& found) const {
    std::vector<double> row_p, column_p;
    for (std::size_t k = job.first; k < job.last; ++k) row_p.push_back(a_.parties[a_.listed[k]][0].p.high);
    for (const std::size_t j : b_.listed)
      for (const Party& party : b_.parties[j]) column_p.push_back(party.p.high);
    const std::vector<JoinedPair> pairs = join_lists(device, rows, columns, row_p, column_p, options_.background);
    std::size_t at = 0;
    for (std::size_t k = job.first; k < job.last; ++k)
      for (const std::size_t j : b_.listed)
        found.push_back({a_.listed[k], j, best_of_join(a_.parties[a_.listed[k]][0], b_.parties[j], pairs[at++])});
  }

  Overlap best_of_join(const Party& first, const BothStrands& seconds, const JoinedPair& pair) const {
    const int m = static_cast<int>(first.length()), n = static_cast<int>(seconds[0].length());
    std::vector<Overlap> overlaps;
    if (pair.any) {
      const std::uint32_t letters = union_length(first.length(), seconds[0].length(), pair.shift);
      overlaps.push_back(overlap_of(first, seconds[pair.reverse ? 1 : 0], pair.shift, pair.reverse,
                                    options_.background.uniform() ? counted(pair.words, letters) : pair.both));
    } else {
      overlaps.push_back(
          overlap_of(first, seconds[0], 0, false, counted(0, union_length(first.length(), seconds[0].length(), 0))));
    }
    for (const bool reverse : {false, true})
      for (const int shift : {-n, m}) {
        const Party& second = seconds[reverse ? 1 : 0];
        PValue both = disjoint_joint(first, second);
        // The words of both, concatenated.
        if (first.p.words && second.p.words)
          both = counted(*first.p.words * *second.p.words, static_cast<std::uint32_t>(m + n));
        overlaps.push_back(overlap_of(first, second, shift, reverse, both));
      }
    return best_of(overlaps);
  }

  const Collection &a_, &b_;
  const CompareOptions& options_;
  /// A collection with itself, if both strands of a word are as probable: pairs of a long and a listed matrix are
  /// computed once.
  bool mirrored_;
};

/// Number of listed rows that a device takes at once: their cells fit, and each device has some.
std::size_t rows_at_once(Devices devices, const Collection& a, const Collection& b) {
  std::uint64_t memory = devices[0].info().global_memory;
  for (const Device& device : devices) memory = std::min(memory, device.info().global_memory);
  const std::uint64_t of_row = std::max<std::uint64_t>(1, b.listed.size()) * 32;
  const std::uint64_t fitting = std::max<std::uint64_t>(1, memory / 16 / of_row);
  const std::uint64_t share =
      std::max<std::uint64_t>(256, (a.listed.size() + 2 * devices.size() - 1) / (2 * devices.size()));
  return static_cast<std::size_t>(std::min(fitting, share));
}

}  // namespace

std::vector<Overlap> best_overlaps(Devices devices, std::span<const ScoreMatrix> a,
                                   std::span<const double> thresholds_a, std::span<const ScoreMatrix> b,
                                   std::span<const double> thresholds_b, const CompareOptions& options) {
  if (devices.empty()) throw InputError("no device given");
  if (thresholds_a.size() != a.size() || thresholds_b.size() != b.size())
    throw InputError("thresholds", {}, "their number differs from that of the matrices", "one for each");
  check(options);
  const auto longest = [](std::span<const ScoreMatrix> matrices) {
    std::size_t columns = 0;
    for (const ScoreMatrix& matrix : matrices) columns = std::max(columns, matrix.length());
    return columns;
  };
  check_slices(options, longest(a) + longest(b));
  for (std::size_t i = 0; i < a.size(); ++i) check_threshold(a[i], thresholds_a[i]);
  for (std::size_t j = 0; j < b.size(); ++j) check_threshold(b[j], thresholds_b[j]);
  if (a.empty() || b.empty()) return {};

  const Collection rows(devices, a, thresholds_a, options);
  std::unique_ptr<Collection> own_columns;
  const bool same = a.data() == b.data() && a.size() == b.size() && std::ranges::equal(thresholds_a, thresholds_b);
  if (!same) own_columns = std::make_unique<Collection>(devices, b, thresholds_b, options);
  const Collection& columns = same ? rows : *own_columns;
  const bool by_lists = std::ranges::all_of(devices, [&](const Device& device) { return can_list(device, options); });

  std::vector<Job> jobs;
  if (by_lists) {
    const std::size_t step = rows_at_once(devices, rows, columns);
    for (std::size_t first = 0; first < rows.listed.size(); first += step)
      jobs.push_back({true, first, std::min(rows.listed.size(), first + step)});
    for (std::size_t first = 0; first < rows.others.size(); first += step)
      jobs.push_back({false, first, std::min(rows.others.size(), first + step)});
  } else {
    for (std::size_t i = 0; i < a.size(); ++i) jobs.push_back({true, i, i + 1});
  }

  // Each device holds both collections once, shared by its queues.
  std::vector<std::unique_ptr<Resident>> resident;
  for (const Device& device : devices)
    resident.push_back(by_lists ? std::make_unique<Resident>(device, rows, columns, options.background) : nullptr);
  for (const Device& device : devices) device.finish();
  const auto on = [&](const Device& device) -> const Resident& {
    for (std::size_t d = 0; d < devices.size(); ++d)
      if (&runtime::core_of(devices[d]) == &runtime::core_of(device) && devices[d].family() == device.family())
        return *resident[d];
    return *resident[0];
  };

  const Comparison comparison(rows, columns, options);
  std::vector<Overlap> result(a.size() * b.size());
  std::size_t next = 0;
  runtime::ChunkOptions chunks;
  chunks.items_total = a.size() * b.size();
  chunks.progress = options.progress;
  runtime::for_each_chunk(
      devices, [&]() -> std::optional<Job> { return next < jobs.size() ? std::optional(jobs[next++]) : std::nullopt; },
      [&](const Device& device, Job&& job) {
        if (!by_lists) return comparison.plain_row(device, job.first);
        return job.listed ? comparison.listed_rows(device, on(device), job)
                          : comparison.other_rows(device, on(device), job);
      },
      [&](std::vector<Found>&& found) {
        for (const Found& one : found) result[one.row * b.size() + one.column] = one.overlap;
        return found.size();
      },
      chunks);
  return result;
}

}  // namespace genocl::pwm
