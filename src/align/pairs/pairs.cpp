#include "genocl/align/pairs.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "align/pairs/pair_batch.hpp"
#include "align/steps.hpp"
#include "genocl/align/database.hpp"
#include "genocl/error.hpp"
#include "runtime/chunks.hpp"

namespace genocl::align {
namespace {

/// What a device takes at a time has no more cells and pairs than this.
constexpr std::uint64_t most_cells = std::uint64_t{1} << 36;
constexpr std::size_t most_pairs = std::size_t{1} << 17;

void check(const SequenceSet& a, const SequenceSet& b, const PairOptions& options) {
  options.gap.check();
  if (a.size() != b.size())
    throw InputError("pairs of " + std::to_string(a.size()) + " and " + std::to_string(b.size()) +
                     " sequences; expected as many of both");
  for (const SequenceSet* const set : {&a, &b}) {
    if (!set->empty() && set->alphabet() != options.matrix.alphabet())
      throw InputError("the matrix " + options.matrix.name() + " is of another alphabet than the sequences");
    for (std::size_t i = 0; i < set->size(); ++i)
      if (set->length(i) > Database::longest_sequence)
        throw InputError("sequence " + std::to_string(i + 1) + " (" + shown(set->name(i)) + ") has " +
                         std::to_string(set->length(i)) + " letters; expected at most " +
                         std::to_string(Database::longest_sequence));
  }
  if (options.mode == PairMode::local) return;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!fits(options.matrix, options.gap, a.length(i), b.length(i)))
      throw InputError("pair " + std::to_string(i + 1) + " (" + shown(a.name(i)) + ", " + shown(b.name(i)) + ") of " +
                       std::to_string(a.length(i)) + " and " + std::to_string(b.length(i)) +
                       " letters, whose scores might not fit 32 bits; expected shorter ones, or lower scores");
}

std::vector<std::span<const Code>> texts_of(const SequenceSet& set, std::size_t first, std::size_t count) {
  std::vector<std::span<const Code>> texts;
  texts.reserve(count);
  for (std::size_t i = first; i < first + count; ++i) texts.push_back(set[i]);
  return texts;
}

struct PairRange {
  std::size_t first = 0, count = 0;
  std::uint64_t cells = 0;
};

/// In their order, so that each device has some of them and none much at a time.
std::vector<PairRange> ranges_of(const SequenceSet& a, const SequenceSet& b, std::size_t devices) {
  const auto cells = [&](std::size_t i) { return a.length(i) * b.length(i); };
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) total += cells(i);
  const std::uint64_t share = devices == 1 ? most_cells : std::min(most_cells, total / (4 * devices) + 1);
  std::vector<PairRange> ranges;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (ranges.empty() || ranges.back().count == most_pairs || ranges.back().cells + cells(i) > share)
      ranges.push_back({.first = i});
    ++ranges.back().count;
    ranges.back().cells += cells(i);
  }
  return ranges;
}

/// on_device(device, texts of a, texts of b, border_bytes) -> the results of a range, in order.
template <class Result, class OnDevice>
std::vector<Result> for_pairs(std::span<const Device> devices, const SequenceSet& a, const SequenceSet& b,
                              const PairOptions& options, OnDevice&& on_device) {
  check(a, b, options);
  const std::vector<PairRange> ranges = ranges_of(a, b, devices.size());
  std::vector<Result> results(a.size());
  runtime::ChunkOptions chunks;
  // Copies of one range under the kernels of another.
  chunks.workers_per_device = ranges.size() > 2 * devices.size() ? 2 : 1;
  chunks.progress = options.progress;
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
        return Done{range, on_device(device, queries, subjects,
                                     chunks.workers_per_device == 1
                                         ? options.border_bytes
                                         : border_bytes_for(device, options.border_bytes) / chunks.workers_per_device)};
      },
      [&](Done&& done) {
        std::ranges::move(done.results, results.begin() + static_cast<std::ptrdiff_t>(done.range.first));
        return done.range.cells;
      },
      chunks);
  return results;
}

}  // namespace

std::vector<std::int32_t> score_on_device(const Device& device, const ScoringTable& table, Texts queries,
                                          Texts subjects, std::uint64_t border_bytes, const PairEnds& ends) {
  border_bytes = border_bytes_for(device, border_bytes);
  const TileShape shape = tile_shape(device);
  const PairScoring scoring(device, table, false, ends);
  std::vector<std::int32_t> scores(queries.size(), 0);
  if (!ends.local())
    for (std::size_t i = 0; i < scores.size(); ++i)
      if (queries[i].empty() || subjects[i].empty())
        scores[i] = border_end(ends, table.gap, static_cast<std::uint32_t>(queries[i].size()),
                               static_cast<std::uint32_t>(subjects[i].size()))
                        .end.score;
  for (std::size_t first = 0; first < queries.size();) {
    PairBatch batch = next_batch(shape, scoring, queries, subjects, first, border_bytes, false);
    first = batch.end;
    if (batch.pairs.empty()) continue;
    const BatchLetters letters(device, queries, subjects, batch);
    const runtime::Scratch borders = border_memory(device, batch.plans, batch.border_elements);
    const std::vector<TileEnd> found =
        compute_tiles(device, scoring, letters.queries.buffer(), letters.subjects.buffer(), batch.plans,
                      borders.buffer(), {.ends = false});
    for (std::size_t i = 0; i < batch.pairs.size(); ++i)
      scores[batch.pairs[i]] = best_end(found[i], batch.plans[i], scoring).score;
  }
  return scores;
}

std::vector<std::int32_t> score_pairs(std::span<const Device> devices, const SequenceSet& a, const SequenceSet& b,
                                      const PairOptions& options) {
  const ScoringTable table = make_scoring_table(options.matrix, options.gap, {});
  return for_pairs<std::int32_t>(
      devices, a, b, options, [&](const Device& device, Texts queries, Texts subjects, std::uint64_t border_bytes) {
        return score_on_device(device, table, queries, subjects, border_bytes, PairEnds(options));
      });
}

std::vector<Alignment> align_pairs(std::span<const Device> devices, const SequenceSet& a, const SequenceSet& b,
                                   const PairOptions& options) {
  const ScoringTable table = make_scoring_table(options.matrix, options.gap, {});
  return for_pairs<Alignment>(
      devices, a, b, options, [&](const Device& device, Texts queries, Texts subjects, std::uint64_t border_bytes) {
        return align_on_device(device, table, queries, subjects, border_bytes, PairEnds(options));
      });
}

std::vector<std::int32_t> score_pairs(const Device& device, const SequenceSet& a, const SequenceSet& b,
                                      const PairOptions& options) {
  return score_pairs(std::span(&device, 1), a, b, options);
}

std::vector<Alignment> align_pairs(const Device& device, const SequenceSet& a, const SequenceSet& b,
                                   const PairOptions& options) {
  return align_pairs(std::span(&device, 1), a, b, options);
}

}  // namespace genocl::align
