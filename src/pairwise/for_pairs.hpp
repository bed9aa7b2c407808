// Distributes the pairs of two sets among devices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "genocl/progress.hpp"
#include "genocl/sequence/sequence_set.hpp"
#include "pairwise/pair_batch.hpp"
#include "runtime/chunks.hpp"

namespace genocl::pairwise {

/// Throws InputError for sets of different sizes, or a sequence that is too long.
void check_pairs(const SequenceSet& a, const SequenceSet& b);

/// Limits of a range, which a device computes at a time.
constexpr std::uint64_t max_range_cells = std::uint64_t{1} << 36;
constexpr std::size_t max_range_pairs = std::size_t{1} << 17;

inline std::vector<std::span<const Code>> texts_of(const SequenceSet& set, std::size_t first, std::size_t count) {
  std::vector<std::span<const Code>> texts;
  texts.reserve(count);
  for (std::size_t i = first; i < first + count; ++i) texts.push_back(set[i]);
  return texts;
}

struct PairRange {
  std::size_t first = 0, count = 0;
  std::uint64_t cells = 0;
};

/// Splits the pairs, in their order, into ranges: at least some for each device, within the limits.
inline std::vector<PairRange> ranges_of(const SequenceSet& a, const SequenceSet& b, std::size_t devices) {
  const auto cells = [&](std::size_t i) { return a.length(i) * b.length(i); };
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) total += cells(i);
  const std::uint64_t range_cells =
      devices == 1 ? max_range_cells : std::min(max_range_cells, total / (4 * devices) + 1);
  std::vector<PairRange> ranges;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (ranges.empty() || ranges.back().count == max_range_pairs || ranges.back().cells + cells(i) > range_cells)
      ranges.push_back({.first = i});
    ++ranges.back().count;
    ranges.back().cells += cells(i);
  }
  return ranges;
}

/// Calls on_device(device, texts of a, texts of b, workers) for each range; it returns the results of the range, in
/// order. `workers` is the number of concurrent calls on one device. Returns all results, in the order of the pairs.
template <class Result, class OnDevice>
std::vector<Result> for_pairs(Devices devices, const SequenceSet& a, const SequenceSet& b, const Progress& progress,
                              OnDevice&& on_device) {
  const std::vector<PairRange> ranges = ranges_of(a, b, devices.size());
  std::vector<Result> results(a.size());
  runtime::ChunkOptions chunks;
  // Copies of one range overlap with the kernels of another.
  chunks.workers_per_device = ranges.size() > 2 * devices.size() ? 2 : 1;
  chunks.progress = progress;
  for (const PairRange& range : ranges) chunks.items_total += range.cells;
  struct Done {
    PairRange range;
    std::vector<Result> results;
  };
  std::size_t next = 0;
  runtime::for_each_chunk(
      devices, [&] { return next < ranges.size() ? std::optional<PairRange>(ranges[next++]) : std::nullopt; },
      [&](const Device& device, PairRange&& range) {
        const auto queries = texts_of(a, range.first, range.count), subjects = texts_of(b, range.first, range.count);
        return Done{range, on_device(device, queries, subjects, chunks.workers_per_device)};
      },
      [&](Done&& done) {
        std::ranges::move(done.results, results.begin() + static_cast<std::ptrdiff_t>(done.range.first));
        return done.range.cells;
      },
      chunks);
  return results;
}

}  // namespace genocl::pairwise
