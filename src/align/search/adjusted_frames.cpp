// Composition-based statistics of translated searches. As in BLAST, scores are adjusted in windows around alignments,
// because a frame has regions of several genes and of none.

#include <algorithm>
#include <atomic>
#include <iterator>
#include <limits>
#include <map>
#include <thread>

#include "align/search/hits.hpp"
#include "align/search/searcher_state.hpp"
#include "pairwise/host_pair.hpp"
#include "pairwise/path.hpp"
#include "runtime/parallel.hpp"

namespace genocl::align {
namespace {

/// Amino acids of a frame on either side of an alignment that belong to its window, as in BLAST.
constexpr std::uint64_t window_border = 200;

/// A window of a frame, with the plain alignments in it.
struct FrameWindow {
  Interval range;
  std::vector<const Hit*> hits;
};

/// Returns the windows of alignments of one pair; overlapping ones are joined. `of_query`: the query is translated.
std::vector<FrameWindow> windows_of(std::span<const Hit> hits, bool of_query, std::uint64_t frame_length) {
  std::vector<FrameWindow> all;
  for (const Hit& hit : hits) {
    const std::uint64_t begin = of_query ? hit.alignment->query_begin : hit.alignment->subject_begin;
    const std::uint64_t end = of_query ? hit.alignment->query_end : hit.alignment->subject_end;
    all.push_back({{begin - std::min(begin, window_border), std::min(frame_length, end + window_border)}, {&hit}});
  }
  std::ranges::stable_sort(all, {}, [](const FrameWindow& one) { return std::pair(one.range.begin, one.range.end); });
  std::vector<FrameWindow> joined;
  for (FrameWindow& one : all) {
    if (joined.empty() || joined.back().range.end < one.range.begin) {
      joined.push_back(std::move(one));
      continue;
    }
    FrameWindow& last = joined.back();
    last.range.end = std::max(last.range.end, one.range.end);
    last.hits.push_back(one.hits.front());
  }
  for (FrameWindow& window : joined)
    std::ranges::stable_sort(window.hits, std::ranges::greater{}, [](const Hit* hit) { return hit->score; });
  return joined;
}

bool share_a_pair(const Alignment& a, const Alignment& b) {
  pairwise::UsedPairs of_a, of_b;
  of_a.add(a);
  of_b.add(b);
  const auto pairs = of_a.pairs(), others = of_b.pairs();
  for (auto x = pairs.begin(), y = others.begin(); x != pairs.end() && y != others.end();) {
    if (*x == *y) return true;
    *x < *y ? ++x : ++y;
  }
  return false;
}

/// Adds to the positions of an alignment.
Alignment moved(Alignment alignment, std::int64_t query, std::int64_t subject) {
  const auto add = [](std::uint64_t& position, std::int64_t by) {
    position = static_cast<std::uint64_t>(static_cast<std::int64_t>(position) + by);
  };
  add(alignment.query_begin, query);
  add(alignment.query_end, query);
  add(alignment.subject_begin, subject);
  add(alignment.subject_end, subject);
  return alignment;
}

std::span<const Code> part(std::span<const Code> letters, const Interval& range) {
  return letters.subspan(range.begin, range.end - range.begin);
}

}  // namespace

std::uint64_t Searcher::State::evalue_length(std::uint64_t record) const {
  return adjuster && options.translation.database ? given.length(subject_numbers[record / subject_frames()])
                                                  : database.length(record);
}

std::vector<Hit> Searcher::State::adjusted_in_window(const StrandQuery& query, std::span<const Hit* const> plain,
                                                     const Interval& window) const {
  const bool of_query = options.translation.queries;
  const std::uint64_t record = plain.front()->subject;
  const std::span<const Code> whole_subject = database.sequence(record);
  const Interval in_query = of_query ? window : Interval{0, query.codes.size()},
                 in_subject = of_query ? Interval{0, whole_subject.size()} : window;
  const std::span<const Code> codes = part(query.codes, in_query);
  const PairAdjuster::Window letters =
      adjuster->window(codes, query.codes.size(), part(whole_subject, in_subject), of_query);
  const auto to_query = static_cast<std::int64_t>(in_query.begin),
             to_subject = static_cast<std::int64_t>(in_subject.begin);
  const std::uint64_t length = evalue_length(record);
  const std::int64_t least = std::int64_t{AdjustedScores::scale} * (min_score(query, length, limits_of_hits()) - 1);
  const Significance significance = significance_of(query);
  std::map<PairAdjuster::WindowRule, std::vector<Alignment>> alignments;
  std::vector<Alignment> taken;
  std::vector<Hit> all;
  for (const Hit* const hit : plain) {
    const Alignment own = moved(*hit->alignment, -to_query, -to_subject);
    // As in BLAST: scores of a translated query are those of the best alignment, of a subject those of each one.
    const Alignment& ruling = of_query ? *plain.front()->alignment : *hit->alignment;
    const PairAdjuster::WindowRule rule = adjuster->rule(letters, moved(ruling, -to_query, -to_subject));
    const auto [known, is_new] = alignments.try_emplace(rule);
    if (is_new)
      if (const auto pair = adjuster->adjust(letters, rule)) {
        std::vector<Alignment>& found = known->second;
        found.push_back(pairwise::align_on_host(codes, pair->subject, pair->scoring, options.matrix));
        if (plain.size() > 1)
          std::ranges::move(pairwise::next_alignments(
                                codes, pair->subject, pair->scoring, options.matrix, found.front(), 2 * plain.size(),
                                static_cast<std::int32_t>(std::clamp<std::int64_t>(least, 1, INT32_MAX))),
                            std::back_inserter(found));
      }
    // The plain alignment changes with the scores, but keeps some of its pairs.
    const auto one = plain.size() == 1 ? known->second.begin()
                                       : std::ranges::find_if(known->second,
                                                              [&](const Alignment& a) { return share_a_pair(a, own); });
    if (one == known->second.end()) continue;
    if (std::ranges::any_of(taken, [&](const Alignment& a) { return share_a_pair(a, *one); })) continue;
    taken.push_back(*one);
    const AdjustedScore score(one->score, significance, length);
    if (score.score < std::max(1, options.min_score) || score.evalue > options.max_evalue) continue;
    Hit adjusted_hit = *hit;
    Alignment found = moved(*one, to_query, to_subject);
    adjusted_hit.score = found.score = score.score;
    adjusted_hit.bits = score.bits;
    adjusted_hit.evalue = score.evalue;
    adjusted_hit.part_begin = 0;
    adjusted_hit.part_end = whole_subject.size();
    adjusted_hit.alignment = pairwise::with_letters(found, query.letters, whole_subject, options.matrix);
    all.push_back(std::move(adjusted_hit));
  }
  return all;
}

void Searcher::State::add_adjusted_frames(const QueryCodes& codes, std::span<std::vector<Hit>> hits, std::size_t most,
                                          const Progress& progress) const {
  // Plain alignments whose E-values the adjustment can bring below the limit.
  const HspLimits limits{std::numeric_limits<std::uint32_t>::max(), 1,
                         options.max_evalue * evalue_stretch(options.composition)};
  std::vector<OtherStrand> unscored;
  for (std::size_t q = 0; q < hits.size(); ++q)
    for (const Hit& hit : hits[q]) {
      unscored.push_back({q, hit});
      unscored.back().hit.part_begin = unscored.back().hit.part_end = 0;
    }
  score_others(codes, unscored);
  std::vector<std::vector<Hit>> plain(hits.size());
  for (const auto& [q, hit] : unscored)
    if (hit.score >= min_score(codes.at({q, strand_of(hit)}), database.length(hit.subject), limits))
      plain[q].push_back(hit);
  add_device_alignments(codes, plain, part_of(progress, 0, 0.3, 0));
  add_next_alignments(codes, plain, limits, part_of(progress, 0.3, 0.6, 0));

  struct Work {
    std::size_t query = 0, pair = 0;
    FrameWindow window;
    std::vector<Hit> found;
  };
  std::vector<Work> work;
  std::size_t pairs = 0;
  for (std::size_t q = 0; q < plain.size(); ++q)
    for (std::size_t first = 0, end = 0; first < plain[q].size(); first = end, ++pairs) {
      for (end = first + 1; end < plain[q].size() && plain[q][end].hsp > 0;) ++end;
      const Hit& best = plain[q][first];
      const bool of_query = options.translation.queries;
      const std::uint64_t length =
          of_query ? codes.at({q, strand_of(best)}).codes.size() : database.length(best.subject);
      for (const FrameWindow& window : windows_of(std::span(plain[q]).subspan(first, end - first), of_query, length))
        work.push_back({q, pairs, window, {}});
    }
  const Progress of_windows = part_of(progress, 0.6, 1, 0);
  std::atomic<std::size_t> done = 0;
  const std::thread::id caller = std::this_thread::get_id();
  runtime::parallel_for(work.size(), runtime::threads_for(work.size(), 1, 64), [&](std::size_t i) {
    const FrameWindow& window = work[i].window;
    const StrandQuery& query = codes.at({work[i].query, strand_of(*window.hits.front())});
    work[i].found = adjusted_in_window(query, window.hits, window.range);
    const std::size_t sofar = ++done;
    if (std::this_thread::get_id() == caller)
      tell(of_windows, {static_cast<double>(sofar) / static_cast<double>(work.size()), 0, 0});
  });
  for (std::vector<Hit>& of_query : hits) of_query.clear();
  for (std::size_t first = 0, end = 0; first < work.size(); first = end) {
    std::vector<Hit> of_pair;
    for (end = first; end < work.size() && work[end].pair == work[first].pair; ++end)
      std::ranges::move(work[end].found, std::back_inserter(of_pair));
    std::ranges::stable_sort(of_pair, better<Hit>);
    if (of_pair.size() > most) of_pair.resize(most);
    for (std::size_t k = 0; k < of_pair.size(); ++k) of_pair[k].hsp = static_cast<std::uint32_t>(k);
    std::ranges::move(of_pair, std::back_inserter(hits[work[first].query]));
  }
}

std::vector<Hit> Searcher::State::adjusted_frame_hits(const QueryCodes& codes, const StrandQuery& query,
                                                      std::vector<Hit> plain, const Progress& progress) const {
  std::vector<std::vector<Hit>> of_queries(query.query + 1);
  of_queries[query.query] = std::move(plain);
  add_adjusted_frames(codes, of_queries, 1, progress);
  std::vector<Hit> hits = std::move(of_queries[query.query]);
  for (Hit& hit : hits) hit.alignment.reset();
  keep_best(hits);
  return hits;
}

}  // namespace genocl::align
