#include "genocl/align/pairs.hpp"

#include "align/pairs/for_pairs.hpp"
#include "align/steps.hpp"
#include "genocl/align/database.hpp"
#include "genocl/error.hpp"

namespace genocl::align {
namespace {

constexpr std::uint64_t longest_of_pair = std::uint64_t{1} << 24;

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

/// Of each of those that share a device.
std::uint64_t own_border_bytes(const Device& device, const PairOptions& options, unsigned sharers) {
  return sharers == 1 ? options.border_bytes : border_bytes_for(device, options.border_bytes) / sharers;
}

}  // namespace

void check_pairs(const SequenceSet& a, const SequenceSet& b) {
  if (a.size() != b.size())
    throw InputError("pairs of " + std::to_string(a.size()) + " and " + std::to_string(b.size()) +
                     " sequences; expected as many of both");
  for (const SequenceSet* const set : {&a, &b})
    for (std::size_t i = 0; i < set->size(); ++i)
      if (set->length(i) > longest_of_pair)
        throw InputError("sequence " + std::to_string(i + 1) + " (" + shown(set->name(i)) + ") has " +
                         std::to_string(set->length(i)) + " letters; expected at most " +
                         std::to_string(longest_of_pair));
}

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
  check(a, b, options);
  const ScoringTable table = make_scoring_table(options.matrix, options.gap, {});
  return for_pairs<std::int32_t>(
      devices, a, b, options.progress, [&](const Device& device, Texts queries, Texts subjects, unsigned sharers) {
        return score_on_device(device, table, queries, subjects, own_border_bytes(device, options, sharers),
                               PairEnds(options));
      });
}

std::vector<Alignment> align_pairs(std::span<const Device> devices, const SequenceSet& a, const SequenceSet& b,
                                   const PairOptions& options) {
  check(a, b, options);
  const ScoringTable table = make_scoring_table(options.matrix, options.gap, {});
  return for_pairs<Alignment>(devices, a, b, options.progress,
                              [&](const Device& device, Texts queries, Texts subjects, unsigned sharers) {
                                return align_on_device(device, table, queries, subjects,
                                                       own_border_bytes(device, options, sharers), PairEnds(options));
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
