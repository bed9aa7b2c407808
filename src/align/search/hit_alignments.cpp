// The alignments of hits.
#include <iterator>

#include "align/pairs/host_pair.hpp"
#include "align/search/searcher_run.hpp"
#include "runtime/parallel.hpp"

namespace genocl::align {
namespace {

/// Pairs of a hit's query and subject that are aligned at a time: enough to fill a device, few enough for several.
std::size_t pairs_at_a_time(std::size_t pairs, std::size_t devices) {
  return std::clamp<std::size_t>(pairs / (2 * devices), 32, 512);
}

}  // namespace

/// Behind each hit those of the next alignments of the same sequences.
void Searcher::State::add_next_alignments(const QueryCodes& codes, std::span<std::vector<Hit>> hits) const {
  const HostScoring scoring(options.matrix, options.gap);
  struct Place {
    std::size_t query, hit;
  };
  std::vector<Place> places;
  std::vector<std::vector<std::vector<Hit>>> next(hits.size());  // [query][hit]
  for (std::size_t q = 0; q < hits.size(); ++q) {
    next[q].resize(hits[q].size());
    for (std::size_t i = 0; i < hits[q].size(); ++i) places.push_back({q, i});
  }
  runtime::parallel_for(places.size(), runtime::threads_for(places.size(), 1, 64), [&](std::size_t place) {
    const auto [q, i] = places[place];
    const Hit& best = hits[q][i];
    const std::span<const Code> query = codes.at({q, best.minus}), subject = database.sequence(best.subject);
    std::optional<Significance> significance;
    if (statistics) significance.emplace(*statistics, query.size(), database.whole(), options.edge_correction);
    for (Alignment& one : next_alignments(query, subject, scoring, options.matrix, *best.alignment,
                                          options.max_hsps - 1, options.min_score)) {
      Hit hit = best;
      hit.score = one.score;
      hit.hsp = static_cast<std::uint32_t>(next[q][i].size() + 1);
      if (significance) {
        hit.bits = significance->bits(hit.score);
        hit.evalue = significance->evalue(hit.score, subject.size());
        if (hit.evalue > options.max_evalue) continue;
      }
      hit.alignment = std::move(one);
      next[q][i].push_back(std::move(hit));
    }
  });
  for (std::size_t q = 0; q < hits.size(); ++q) {
    std::vector<Hit> all;
    for (std::size_t i = 0; i < hits[q].size(); ++i) {
      all.push_back(std::move(hits[q][i]));
      std::ranges::move(next[q][i], std::back_inserter(all));
    }
    hits[q] = std::move(all);
  }
}

void Searcher::State::add_alignments(std::span<const StrandQuery> strands, std::span<std::vector<Hit>> hits,
                                     SearchTally& tally) const {
  const double begin = now();
  struct Pair {
    std::span<const Code> query, subject;
    Hit* hit;
  };
  QueryCodes codes;
  for (const StrandQuery& query : strands) codes[{query.query, query.minus}] = query.codes;
  std::vector<Pair> pairs;
  for (std::size_t q = 0; q < hits.size(); ++q)
    for (Hit& hit : hits[q]) pairs.push_back({codes.at({q, hit.minus}), database.sequence(hit.subject), &hit});

  std::size_t next = 0;
  const std::size_t at_a_time = pairs_at_a_time(pairs.size(), devices.size());
  const auto source = [&]() -> std::optional<std::span<Pair>> {
    if (next == pairs.size()) return std::nullopt;
    const std::size_t count = std::min(at_a_time, pairs.size() - next);
    const std::span<Pair> batch = std::span(pairs).subspan(next, count);
    next += count;
    return batch;
  };
  const auto work = [&](const Device& device, std::span<Pair>&& batch) {
    std::vector<std::span<const Code>> queries, subjects;
    for (const Pair& pair : batch) {
      queries.push_back(pair.query);
      subjects.push_back(pair.subject);
    }
    std::vector<Alignment> alignments = align_on_device(device, table, queries, subjects, 0);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (alignments[i].score != batch[i].hit->score)
        throw Error("a score of " + std::to_string(batch[i].hit->score) + " and an alignment of score " +
                    std::to_string(alignments[i].score) + ": please report this");
      batch[i].hit->alignment = std::move(alignments[i]);
    }
    return batch.size();
  };
  if (!pairs.empty())
    runtime::for_each_chunk(
        std::span<const Device>(devices), source, work, [](std::size_t count) { return count; },
        runtime::ChunkOptions{.workers_per_device = 1, .progress = {}});
  if (options.max_hsps > 1) add_next_alignments(codes, hits);
  tally.counts.alignment_seconds = now() - begin;
}

}  // namespace genocl::align
