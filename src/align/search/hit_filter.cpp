// Filters of alignments: identity, coverage and culling (SearchOptions::filter).

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "align/search/hits.hpp"
#include "align/search/searcher_state.hpp"
#include "genocl/align/formats.hpp"
#include "genocl/error.hpp"
#include "genocl/sequence/interval.hpp"

namespace genocl::align {
namespace {

/// BLAST rounds coverage to the nearest integer, except that only the whole sequence is 100.
double rounded_coverage(std::uint64_t letters, std::uint64_t length) {
  const double percent = length == 0 ? 0 : 100.0 * static_cast<double>(letters) / static_cast<double>(length);
  return percent < 99 ? percent + 0.5 : percent;
}

/// An alignment in the culling of a query.
struct CulledHit {
  Hit hit;
  BasicInterval<std::int64_t> in_query;  ///< on the plus strand
  std::uint32_t dominated = 0;           ///< number of alignments that dominate it
};

/// Returns whether `a` dominates `b`, by the rule of BLAST: difference in score, which counts twice, plus difference in
/// length, if `a` covers half of `b`. Ties are decided by the order of subjects.
bool dominates(const CulledHit& a, const CulledHit& b) {
  const std::int64_t s1 = a.hit.score, s2 = b.hit.score, l1 = a.in_query.length(), l2 = b.in_query.length();
  if (2 * intersection(a.in_query, b.in_query).length() < l2) return false;
  const std::int64_t difference = 4 * s1 * l1 + 2 * s1 * l2 - 2 * s2 * l1 - 4 * s2 * l2;
  if (difference != 0) return difference > 0;
  if (s1 != s2) return s1 > s2;
  if (a.hit.subject != b.hit.subject) return a.hit.subject < b.hit.subject;
  return a.hit.alignment->subject_begin < b.hit.alignment->subject_begin;
}

/// The alignments of a query that remain. The result depends on the order of add(), as in BLAST.
class Culling {
 public:
  Culling(std::uint32_t limit, std::uint64_t query_length) : limit_(limit), query_length_(query_length) {}

  void add(Hit&& hit) {
    const HspCoordinates at = hsp_coordinates(hit, query_length_, 0);
    CulledHit added{std::move(hit),
                    {static_cast<std::int64_t>(at.query_start) - 1, static_cast<std::int64_t>(at.query_end)}};
    for (const CulledHit& one : kept_)
      if (dominates(one, added) && ++added.dominated == limit_) return;
    for (CulledHit& one : kept_)
      if (dominates(added, one)) ++one.dominated;
    std::erase_if(kept_, [this](const CulledHit& one) { return one.dominated >= limit_; });
    kept_.push_back(std::move(added));
  }
  /// Returns the alignments in the order of add().
  std::vector<Hit> take() {
    std::vector<Hit> hits;
    for (CulledHit& one : kept_) hits.push_back(std::move(one.hit));
    kept_.clear();
    return hits;
  }

 private:
  std::uint32_t limit_;
  std::uint64_t query_length_;
  std::vector<CulledHit> kept_;
};

/// Sorts groups of hits of one subject, which are adjacent, by their first alignment. Keeps the first `top` groups, and
/// `max_hsps` alignments of each. Returns the number of groups.
std::size_t keep_best_subjects(std::vector<Hit>& hits, std::size_t subject_frames, std::size_t top,
                               std::size_t max_hsps) {
  std::vector<std::vector<Hit>> groups;
  for (Hit& hit : hits) {
    if (groups.empty() || groups.back().front().subject / subject_frames != hit.subject / subject_frames)
      groups.emplace_back();
    if (groups.back().size() < max_hsps) groups.back().push_back(std::move(hit));
  }
  std::ranges::sort(groups, [](const auto& a, const auto& b) { return better(a.front(), b.front()); });
  if (groups.size() > top) groups.resize(top);
  hits.clear();
  for (std::vector<Hit>& group : groups)
    for (std::size_t i = 0; i < group.size(); ++i) {
      group[i].hsp = static_cast<std::uint32_t>(i);
      hits.push_back(std::move(group[i]));
    }
  return groups.size();
}

/// The candidates of a query and what remains of those that were aligned.
class FilteredQuery {
 public:
  FilteredQuery(const SearchOptions& options, std::uint64_t query_length, std::vector<Hit>&& candidates,
                bool ranks_are_final, std::size_t subject_frames)
      : options_(options),
        culling_(options.filter.culling_limit, query_length),
        ranks_are_final_(ranks_are_final),
        subject_frames_(subject_frames) {
    // All strands and frames of a subject are aligned together, in the place of the best one.
    std::unordered_map<std::uint64_t, std::size_t> place;
    for (Hit& hit : candidates) {
      const auto [known, is_new] = place.try_emplace(hit.subject / subject_frames, subjects_.size());
      if (is_new) subjects_.emplace_back();
      subjects_[known->second].push_back(std::move(hit));
    }
  }

  /// Returns the candidates of the next round; empty if none of the rest can be among the best subjects.
  std::vector<Hit> next() {
    if (next_ == subjects_.size() || is_complete()) return {};
    const std::size_t end = next_ + std::min(round_, subjects_.size() - next_);
    std::vector<Hit> hits;
    for (; next_ < end; ++next_) std::ranges::move(std::exchange(subjects_[next_], {}), std::back_inserter(hits));
    round_ = std::min(2 * round_, max_round);
    return hits;
  }
  /// Takes the alignments of a round that passed. Alignments of a subject are adjacent, best first.
  void add(std::vector<Hit>&& passed) {
    if (options_.filter.culling_limit > 0) {
      for (Hit& hit : passed) culling_.add(std::move(hit));
      return;
    }
    std::ranges::move(passed, std::back_inserter(kept_));
    groups_ = keep_best_subjects(kept_, subject_frames_, options_.top, options_.max_hsps);
  }
  std::vector<Hit> finish() {
    if (options_.filter.culling_limit == 0) return std::move(kept_);
    kept_ = culling_.take();
    keep_best_subjects(kept_, subject_frames_, options_.top, options_.max_hsps);
    return std::move(kept_);
  }

 private:
  /// Subjects that are aligned at a time.
  static constexpr std::size_t first_round = 16, max_round = 4096;

  /// A later alignment may cull an earlier one.
  bool is_complete() const {
    if (options_.filter.culling_limit > 0 || !ranks_are_final_ || groups_ < options_.top) return false;
    std::size_t last = kept_.size() - 1;  // the first alignment of the last subject
    while (kept_[last].hsp > 0) --last;
    return better(kept_[last], subjects_[next_].front());
  }

  const SearchOptions& options_;
  Culling culling_;
  bool ranks_are_final_;  ///< no alignment is better than its candidate
  std::size_t subject_frames_;
  std::vector<std::vector<Hit>> subjects_;
  std::size_t next_ = 0, groups_ = 0, round_ = first_round;
  std::vector<Hit> kept_;
};

}  // namespace

void check_filter(const SearchOptions& options) {
  const auto check = [](double percent, const char* name) {
    if (!(percent >= 0 && percent <= 100))
      throw InputError(std::string(name) + " of " + std::to_string(percent) + "; expected 0 to 100");
  };
  check(options.filter.min_identity, "min_identity");
  check(options.filter.query_coverage, "query_coverage");
  check(options.filter.subject_coverage, "subject_coverage");
  if (options.filter.any() && !options.by_subject) throw InputError("a filter of alignments without by_subject");
}

bool passes(const HitFilter& filter, const Hit& hit, std::uint64_t query_length, std::uint64_t subject_length) {
  const Alignment& found = *hit.alignment;
  return 100.0 * static_cast<double>(found.identities) >= filter.min_identity * static_cast<double>(found.columns()) &&
         rounded_coverage(found.query_end - found.query_begin, query_length) >= filter.query_coverage &&
         rounded_coverage(found.subject_end - found.subject_begin, subject_length) >= filter.subject_coverage;
}

void Searcher::State::add_filtered_alignments(std::span<const StrandQuery> strands, std::span<std::vector<Hit>> hits,
                                              const Progress& progress, SearchTally& tally) const {
  if (hits.empty()) return;
  constexpr std::size_t at_a_time = 4096;  // candidates for each device, unless one query has more
  const std::size_t strand_count = strands.size() / hits.size();
  const auto cells_of_hits = [&](std::size_t q, std::span<const Hit> some) {
    std::uint64_t letters = 0;
    for (const Hit& hit : some) letters += database.length(hit.subject);
    return letters * strands[q * strand_count].letters.size();
  };
  std::uint64_t total = 0, done = 0;
  for (std::size_t q = 0; q < hits.size(); ++q) total += cells_of_hits(q, hits[q]);
  const auto share = [&] { return static_cast<double>(done) / static_cast<double>(std::max<std::uint64_t>(total, 1)); };
  for (std::size_t first = 0, end = 0; first < hits.size(); first = end) {
    std::size_t count = 0;
    std::uint64_t after = done;
    for (; end < hits.size() && (end == first || count + hits[end].size() <= at_a_time * devices.size()); ++end) {
      count += hits[end].size();
      after += cells_of_hits(end, hits[end]);
    }
    const auto of_group = strands.subspan(first * strand_count, (end - first) * strand_count);
    std::vector<FilteredQuery> queries;
    for (std::size_t q = first; q < end; ++q) {
      const StrandQuery& query = strands[q * strand_count];
      queries.emplace_back(options, query.source_length, std::move(hits[q]), !is_soft(query), subject_frames());
    }
    for (bool more = true; more;) {
      more = false;
      std::vector<std::vector<Hit>> round(queries.size());
      const double begin = share();
      for (std::size_t i = 0; i < queries.size(); ++i) {
        round[i] = queries[i].next();
        done += cells_of_hits(first + i, round[i]);
        more = more || !round[i].empty();
      }
      if (!more) break;
      align_hits(of_group, round, part_of(progress, begin, share(), total), tally);
      for (std::size_t i = 0; i < queries.size(); ++i)
        if (!round[i].empty()) queries[i].add(std::move(round[i]));
    }
    for (std::size_t i = 0; i < queries.size(); ++i) hits[first + i] = queries[i].finish();
    done = after;
  }
  tell(progress, {1, total, total});
}

}  // namespace genocl::align
