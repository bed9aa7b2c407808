// The best hits of each query.
#include <algorithm>
#include <limits>
#include <optional>

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
  const ChunkRange& range = chunk.range;
  std::optional<BestPieces> of_pieces;
  if (!chunk.pieces.empty()) of_pieces = best_of_pieces(device, chunk, scores, queries.size());
  const DeviceScores& of_sequences = of_pieces ? of_pieces->scores : scores;
  const auto count = static_cast<std::uint32_t>(range.count);
  const auto collect = [&](std::span<const std::int32_t> cutoffs, std::size_t of_each) {
    const auto candidates = select_top(device, of_sequences, count, cutoffs, of_each);
    std::vector<std::uint64_t> places;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      if (candidates[q].empty()) continue;
      selected[q].clear();
      for (const Candidate& candidate : candidates[q]) {
        const std::size_t rank = range.first + candidate.subject;
        const std::uint64_t length = database.length_at(rank);
        selected[q].push_back({.subject = database.number(rank),
                               .score = candidate.score,
                               .minus = queries[q].minus,
                               .evalue = best[q]->evalue(candidate.score, length),
                               .part_end = length});
        places.push_back(std::uint64_t{q} * count + candidate.subject);
      }
    }
    if (!of_pieces) return;
    const std::vector<Piece> pieces = pieces_at(device, chunk, *of_pieces, places);
    auto piece = pieces.begin();
    for (std::size_t q = 0; q < queries.size(); ++q) {
      if (candidates[q].empty()) continue;
      for (FoundHit& hit : selected[q]) {
        hit.part_begin = piece->begin;
        hit.part_end = piece->begin + piece->length;
        hit.goes_on =
            (piece->subject == 0 && range.before != 0) || (piece->subject + 1 == range.count && range.behind != 0);
        ++piece;
      }
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
  if (again) collect(cutoffs, count);
  return selected;
}

}  // namespace

std::vector<std::vector<Hit>> Searcher::State::best_hits(const SequenceSet& queries,
                                                         std::span<const StrandQuery> strands, const Progress& progress,
                                                         SearchTally& tally) const {
  // Adjusted scores put hits in another order: all are looked at again, so that they are the same in shards, too.
  const std::size_t all_subjects = std::max<std::size_t>(1, database.size());
  const std::size_t top = adjuster ? all_subjects : options.top_before_alignment(database.alphabet());
  // So do scores of all letters after those of masked ones.
  const bool any_soft = std::ranges::any_of(strands, [&](const StrandQuery& query) { return is_soft(query); });
  const std::size_t soft_top = statistics ? all_subjects : top;
  const HspLimits of_anchors = limits_of_anchors();
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
    if (is_soft(strands[q * strand_count]))
      best.push_back(
          std::make_unique<BestHits>(soft_top, of_anchors.min_score, of_anchors.max_evalue, std::move(cutoffs)));
    else
      best.push_back(std::make_unique<BestHits>(top, min_score, max_evalue, std::move(cutoffs)));
  }
  const std::vector<StrandQuery> sorted = sorted_by_length(strands);

  const auto take = [&](const Device& device, const Unit& unit, const DeviceChunk& chunk, const DeviceScores& scores) {
    const auto of_unit = std::span(sorted).subspan(unit.first_query, unit.query_count);
    std::vector<const BestHits*> best_of;
    for (const StrandQuery& query : of_unit) best_of.push_back(best[query.query].get());
    return select_hits(device, chunk, scores, database, of_unit, best_of, any_soft ? std::max(top, soft_top) : top);
  };
  const auto sink = [&](const Unit& unit, Selected&& selected) {
    for (std::size_t q = 0; q < unit.query_count; ++q)
      best[sorted[unit.first_query + q].query]->add(std::move(selected[q]));
  };
  const std::uint64_t cells = cells_of(strands);
  // With few hits the devices take the time, with many the host does.
  const bool scores_again = adjuster || any_soft;
  run<Selected>(sorted, take, sink, scores_again ? part_of(progress, 0, 0.5, cells) : progress, tally);

  const double begin = now();
  QueryCodes codes;
  for (const StrandQuery& query : strands) codes[{query.query, query.minus}] = query;
  std::vector<std::vector<Hit>> hits;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const StrandQuery& query = strands[q * strand_count];
    const auto share = [&](std::size_t i) {
      return 0.5 + 0.5 * static_cast<double>(i) / static_cast<double>(queries.size());
    };
    const Progress of_query_progress = part_of(progress, share(q), share(q + 1), cells);
    const std::vector<FoundHit> of_best = best[q]->take();
    if (is_soft(query)) {
      hits.push_back(soft_hits(codes, q, of_best, of_query_progress));
      continue;
    }
    if (adjuster) {
      hits.push_back(adjusted(query.codes, of_best, best[q]->significance(), of_query_progress));
      continue;
    }
    std::vector<Hit>& of_query = hits.emplace_back();
    for (const FoundHit& found : of_best)
      of_query.push_back({.subject = found.subject,
                          .score = found.score,
                          .minus = found.minus,
                          .bits = best[q]->bits(found.score),
                          .evalue = found.evalue,
                          .alignment = {},
                          .part_begin = found.part_begin,
                          .part_end = found.part_end});
  }
  if (scores_again) {
    tell(progress, {1, cells, cells});
    tally.counts.seconds += now() - begin;
  }
  return hits;
}

}  // namespace genocl::align
