// The best hits of each query.
#include <algorithm>
#include <limits>

#include "align/search/adjusted_hits.hpp"
#include "align/search/hits.hpp"
#include "align/search/searcher_run.hpp"

namespace genocl::align {
namespace {

using Selected = std::vector<std::vector<FoundHit>>;

/// What a unit's scores have for each of its queries: best[q] tells what can still be among the best hits.
Selected select_hits(const Device& device, const DeviceChunk& chunk, const DeviceScores& scores,
                     const Database& database, std::span<const StrandQuery> queries,
                     std::span<const BestHits* const> best, std::size_t top) {
  Selected selected(queries.size());
  const auto collect = [&](std::span<const std::int32_t> cutoffs, std::size_t of_each) {
    const auto candidates = select_top(device, scores, chunk.count(), cutoffs, of_each);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      if (candidates[q].empty()) continue;
      selected[q].clear();
      for (const Candidate& candidate : candidates[q])
        selected[q].push_back({.subject = database.number(chunk.range.first + candidate.subject),
                               .score = candidate.score,
                               .minus = queries[q].minus,
                               .evalue = best[q]->evalue(candidate.score, chunk.lengths[candidate.subject])});
    }
  };
  std::vector<std::int32_t> cutoffs;
  for (const BestHits* const one : best) cutoffs.push_back(one->cutoff());
  collect(cutoffs, top);
  // A subject that is shorter can have a lower E-value with a lower score than the top-th: then they are taken again,
  // down to that score.
  bool again = false;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    std::int32_t wanted = std::numeric_limits<std::int32_t>::max();
    if (selected[q].size() >= top) {
      std::ranges::nth_element(selected[q], selected[q].begin() + static_cast<std::ptrdiff_t>(top - 1),
                               better<FoundHit>);
      const std::int32_t least = std::ranges::min_element(selected[q], {}, &FoundHit::score)->score;
      const std::int32_t beside = std::max(cutoffs[q], best[q]->cutoff_beside(selected[q][top - 1]));
      if (beside < least) wanted = beside;
    }
    cutoffs[q] = wanted;
    again = again || wanted != std::numeric_limits<std::int32_t>::max();
  }
  if (again) collect(cutoffs, chunk.count());
  return selected;
}

}  // namespace

std::vector<std::vector<Hit>> Searcher::State::best_hits(const SequenceSet& queries,
                                                         std::span<const StrandQuery> strands, const Progress& progress,
                                                         SearchTally& tally) const {
  // Adjusted scores put hits in another order: all are looked at again, so that they are the same in shards, too.
  const std::size_t top = adjuster ? std::max<std::size_t>(1, database.size()) : options.top;
  const std::int32_t min_score = adjuster ? 1 : options.min_score;
  const double max_evalue = adjuster ? options.max_evalue * evalue_stretch(options.composition) : options.max_evalue;
  // Profiles have scores of their own, so that other lengths of subjects may have a score.
  const LengthBounds* length_bounds = bounds.get();
  std::optional<LengthBounds> profile_bounds;
  int highest = options.matrix.highest();
  for (const StrandQuery& query : strands)
    if (query.profile != nullptr) highest = std::max(highest, query.profile->highest());
  if (length_bounds != nullptr && highest > options.matrix.highest())
    length_bounds = &profile_bounds.emplace(*statistics, database.length_at(0), database.longest(), highest);
  std::vector<std::unique_ptr<BestHits>> best;
  const std::size_t strand_count = queries.empty() ? 1 : strands.size() / queries.size();
  for (std::size_t q = 0; q < queries.size(); ++q) {
    std::optional<ScoreCutoffs> cutoffs;
    if (statistics)
      cutoffs.emplace(Significance(statistics_of(strands[q * strand_count]), queries.length(q), database.whole(),
                                   options.edge_correction),
                      length_bounds);
    best.push_back(std::make_unique<BestHits>(top, min_score, max_evalue, std::move(cutoffs)));
  }
  // Queries of like length side by side: kernels take several at a time.
  std::vector<StrandQuery> sorted(strands.begin(), strands.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const StrandQuery& a, const StrandQuery& b) { return a.codes.size() > b.codes.size(); });

  const auto take = [&](const Device& device, const Unit& unit, const DeviceChunk& chunk, const DeviceScores& scores) {
    const auto of_unit = std::span(sorted).subspan(unit.first_query, unit.query_count);
    std::vector<const BestHits*> best_of;
    for (const StrandQuery& query : of_unit) best_of.push_back(best[query.query].get());
    return select_hits(device, chunk, scores, database, of_unit, best_of, top);
  };
  const auto sink = [&](const Unit& unit, Selected&& selected) {
    for (std::size_t q = 0; q < unit.query_count; ++q)
      best[sorted[unit.first_query + q].query]->add(std::move(selected[q]));
  };
  run<Selected>(sorted, take, sink, progress, tally);

  std::vector<std::vector<Hit>> hits;
  if (adjuster) {
    const double begin = now();
    std::vector<std::span<const Code>> codes(queries.size());
    for (const StrandQuery& query : strands) codes[query.query] = query.codes;
    const std::uint64_t cells = cells_of(strands);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      tell(progress, {1, cells, cells});
      hits.push_back(adjusted(codes[q], best[q]->take(), best[q]->significance()));
    }
    tally.counts.seconds += now() - begin;
    return hits;
  }
  for (std::size_t q = 0; q < queries.size(); ++q) {
    std::vector<Hit>& of_query = hits.emplace_back();
    for (const FoundHit& found : best[q]->take())
      of_query.push_back({.subject = found.subject,
                          .score = found.score,
                          .minus = found.minus,
                          .bits = best[q]->bits(found.score),
                          .evalue = found.evalue,
                          .alignment = {}});
  }
  return hits;
}

}  // namespace genocl::align
