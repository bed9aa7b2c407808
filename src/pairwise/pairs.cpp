#include "genocl/pairwise/pairs.hpp"

#include <algorithm>

#include "genocl/error.hpp"
#include "pairwise/device_pairs.hpp"
#include "pairwise/for_pairs.hpp"
#include "pairwise/host_pair.hpp"
#include "runtime/parallel.hpp"

namespace genocl::pairwise {
namespace {

constexpr std::uint64_t max_pair_letters = std::uint64_t{1} << 24;

void check(const SequenceSet& a, const SequenceSet& b, const PairOptions& options) {
  options.gap.check();
  check_pairs(a, b);
  for (const SequenceSet* const set : {&a, &b}) {
    if (!set->empty() && set->alphabet() != options.matrix.alphabet())
      throw InputError("the matrix " + options.matrix.name() + " is of another alphabet than the sequences");
  }
  if (options.mode == PairMode::local) return;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!fits(options.matrix, options.gap, a.length(i), b.length(i)))
      throw InputError("pair " + std::to_string(i + 1) + " (" + shown(a.name(i)) + ", " + shown(b.name(i)) + ") of " +
                       std::to_string(a.length(i)) + " and " + std::to_string(b.length(i)) +
                       " letters, whose scores might not fit 32 bits; expected shorter ones, or lower scores");
}

/// Returns the border memory of each of `workers` concurrent calls on a device.
std::uint64_t border_bytes_each(const Device& device, const PairOptions& options, unsigned workers) {
  return workers == 1 ? options.border_bytes : border_bytes_for(device, options.border_bytes) / workers;
}

}  // namespace

void check_pairs(const SequenceSet& a, const SequenceSet& b) {
  if (a.size() != b.size())
    throw InputError("pairs of " + std::to_string(a.size()) + " and " + std::to_string(b.size()) +
                     " sequences; expected as many of both");
  for (const SequenceSet* const set : {&a, &b})
    for (std::size_t i = 0; i < set->size(); ++i)
      if (set->length(i) > max_pair_letters)
        throw InputError("sequence " + std::to_string(i + 1) + " (" + shown(set->name(i)) + ") has " +
                         std::to_string(set->length(i)) + " letters; expected at most " +
                         std::to_string(max_pair_letters));
}

std::vector<std::int32_t> score_on_device(const Device& device, const Matrix& matrix, const GapPenalty& gap,
                                          Texts queries, Texts subjects, std::uint64_t border_bytes,
                                          const PairEnds& ends) {
  border_bytes = border_bytes_for(device, border_bytes);
  const TileShape shape = tile_shape(device);
  const PairScoring scoring(device, matrix, gap, ends);
  std::vector<std::int32_t> scores(queries.size(), 0);
  if (!ends.local())
    for (std::size_t i = 0; i < scores.size(); ++i)
      if (queries[i].empty() || subjects[i].empty())
        scores[i] = border_end(ends, gap, static_cast<std::uint32_t>(queries[i].size()),
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

std::vector<std::int32_t> score_pairs(Devices devices, const SequenceSet& a, const SequenceSet& b,
                                      const PairOptions& options) {
  check(a, b, options);
  return for_pairs<std::int32_t>(
      devices, a, b, options.progress, [&](const Device& device, Texts queries, Texts subjects, unsigned workers) {
        return score_on_device(device, options.matrix, options.gap, queries, subjects,
                               border_bytes_each(device, options, workers), PairEnds(options));
      });
}

std::vector<Alignment> align_pairs(Devices devices, const SequenceSet& a, const SequenceSet& b,
                                   const PairOptions& options) {
  check(a, b, options);
  return for_pairs<Alignment>(devices, a, b, options.progress,
                              [&](const Device& device, Texts queries, Texts subjects, unsigned workers) {
                                return align_on_device(device, options.matrix, options.gap, queries, subjects,
                                                       border_bytes_each(device, options, workers), PairEnds(options));
                              });
}

std::vector<std::vector<Alignment>> local_alignments(Devices devices, const SequenceSet& a, const SequenceSet& b,
                                                     const LocalOptions& options) {
  if (options.most == 0) throw InputError("no alignment of each pair is wanted; expected 1 or more");
  std::vector<Alignment> best = align_pairs(devices, a, b, options.pairs);
  const HostScoring scoring(options.pairs.matrix, options.pairs.gap);
  std::vector<std::vector<Alignment>> all(best.size());
  const std::size_t threads = options.most == 1 ? 1 : runtime::threads_for(best.size(), 1);
  runtime::parallel_for(best.size(), threads, [&](std::size_t i) {
    if (best[i].score < std::max(options.min_score, 1)) return;
    std::vector<Alignment> next =
        next_alignments(a[i], b[i], scoring, options.pairs.matrix, best[i], options.most - 1, options.min_score);
    all[i].push_back(std::move(best[i]));
    all[i].insert(all[i].end(), std::make_move_iterator(next.begin()), std::make_move_iterator(next.end()));
  });
  return all;
}

}  // namespace genocl::pairwise
