#include "align/search/adjusted_hits.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "align/search/searcher_state.hpp"
#include "runtime/parallel.hpp"

namespace genocl::align {

AdjustedScore::AdjustedScore(std::int32_t adjusted, const Significance& significance, std::uint64_t subject_length)
    : score(static_cast<std::int32_t>(std::lround(static_cast<double>(adjusted) / AdjustedScores::scale))),
      bits(significance.bits(score)),
      evalue(significance.evalue(static_cast<double>(adjusted) / AdjustedScores::scale, subject_length)) {}

std::vector<Hit> Searcher::State::adjusted(std::span<const Code> query, std::span<const FoundHit> hits,
                                           const Significance& significance, const Progress& progress) const {
  const PairAdjuster::Query prepared = adjuster->query(query);
  std::vector<FoundHit> best(hits.begin(), hits.end());
  std::atomic<std::size_t> done = 0;
  const std::thread::id caller = std::this_thread::get_id();
  runtime::parallel_for(best.size(), runtime::threads_for(best.size(), 2, 64), [&](std::size_t i) {
    const std::span<const Code> subject = database.sequence(best[i].subject);
    const auto pair = adjuster->adjust(prepared, subject, best[i].score);
    const AdjustedScore found(pair ? pairwise::score_on_host(query, pair->subject, pair->scoring) : 0, significance,
                              subject.size());
    best[i].score = found.score;
    best[i].evalue = found.evalue;
    const std::size_t sofar = ++done;
    if (std::this_thread::get_id() == caller)
      tell(progress, {static_cast<double>(sofar) / static_cast<double>(best.size()), 0, 0});
  });
  std::erase_if(best, [&](const FoundHit& hit) {
    return hit.score < std::max(1, options.min_score) || hit.evalue > options.max_evalue;
  });
  std::ranges::sort(best, better<FoundHit>);
  if (best.size() > options.top) best.resize(options.top);
  std::vector<Hit> found;
  for (const FoundHit& hit : best)
    found.push_back({.subject = hit.subject,
                     .score = hit.score,
                     .minus = hit.minus,
                     .bits = significance.bits(hit.score),
                     .evalue = hit.evalue,
                     .alignment = {},
                     .part_begin = 0,
                     .part_end = database.length(hit.subject)});
  return found;
}

}  // namespace genocl::align
