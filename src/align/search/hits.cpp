

#include "align/search/hits.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>
#include <thread>
#include <tuple>
#include <utility>

#include "align/search/searcher_state.hpp"
#include "runtime/parallel.hpp"

namespace genocl::align {
namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

std::int32_t as_score(std::int64_t score) {
  return static_cast<std::int32_t>(std::min<std::int64_t>(score, std::numeric_limits<std::int32_t>::max()));
}

}  // namespace

BestHits::BestHits(std::size_t top, std::int32_t min_score, double max_evalue, std::optional<ScoreCutoffs> cutoffs)
    : top_(top), max_evalue_(max_evalue), cutoffs_(std::move(cutoffs)), cutoff_(std::max(1, min_score)) {
  if (cutoffs_) cutoff_ = std::max(cutoff_, as_score(cutoffs_->min_score(max_evalue_)));
}

double BestHits::evalue(std::int64_t score, std::uint64_t subject_length) const {
  return cutoffs_ ? cutoffs_->significance().evalue(static_cast<double>(score), subject_length) : not_known;
}

double BestHits::bits(std::int64_t score) const { return cutoffs_ ? cutoffs_->significance().bits(score) : not_known; }

void BestHits::add(std::vector<FoundHit> hits) {
  const std::lock_guard lock(mutex_);
  std::erase_if(hits, [&](const FoundHit& hit) { return hit.score < cutoff_ || hit.evalue > max_evalue_; });
  std::erase_if(hits, [&](const FoundHit& hit) { return hit.goes_on && has_as_good(hit); });
  if (hits.empty()) return;
  const std::size_t before = hits_.size();
  hits_.insert(hits_.end(), hits.begin(), hits.end());
  const auto middle = hits_.begin() + static_cast<std::ptrdiff_t>(before);
  std::sort(middle, hits_.end(), better<FoundHit>);
  std::inplace_merge(hits_.begin(), middle, hits_.end(), better<FoundHit>);
  if (hits_.size() < top_) return;
  hits_.resize(top_);
  cutoff_ = std::max(cutoff_, beside(hits_.back()));
}

bool BestHits::has_as_good(const FoundHit& hit) {
  const auto known = std::ranges::find_if(
      hits_, [&](const FoundHit& one) { return one.subject == hit.subject && one.minus == hit.minus; });
  if (known == hits_.end()) return false;
  if (known->score > hit.score || (known->score == hit.score && known->part_end < hit.part_end)) return true;
  hits_.erase(known);
  return false;
}

std::int32_t BestHits::cutoff() const {
  const std::lock_guard lock(mutex_);
  return cutoff_;
}

std::int32_t BestHits::cutoff_beside(const FoundHit& hit) const {
  const std::lock_guard lock(mutex_);
  return beside(hit);
}

std::int32_t BestHits::beside(const FoundHit& hit) const {
  // Of equal scores, the hit that is earlier in the database precedes.
  const double evalue = ranked(hit.evalue);
  if (!cutoffs_ || !cutoffs_->depend_on_lengths() || evalue == 0) return hit.score;
  return std::min(hit.score, as_score(cutoffs_->min_score(std::nextafter(evalue, 0.0))));
}

std::vector<FoundHit> BestHits::take() {
  const std::lock_guard lock(mutex_);
  return std::move(hits_);
}

std::vector<Hit> merge_hits(std::span<const std::vector<Hit>> shards, std::size_t top) {
  std::vector<const Hit*> all;
  for (const std::vector<Hit>& shard : shards)
    for (const Hit& hit : shard) all.push_back(&hit);
  std::sort(all.begin(), all.end(), [](const Hit* a, const Hit* b) {
    if (better(*a, *b) || better(*b, *a)) return better(*a, *b);
    return std::pair(a->hsp, a->part_end) < std::pair(b->hsp, b->part_end);
  });
  // Parts of a subject may have been searched separately; the best hit of the subject is first.
  std::set<std::tuple<std::uint64_t, int, std::uint32_t>> seen;
  std::vector<Hit> merged;
  for (const Hit* hit : all) {
    if (merged.size() == top) break;
    if (seen.emplace(hit->subject, strand_rank(*hit), hit->hsp).second) merged.push_back(*hit);
  }
  return merged;
}

AdjustedScore::AdjustedScore(std::int32_t adjusted, const Significance& significance, std::uint64_t subject_length)
    : score(static_cast<std::int32_t>(std::lround(static_cast<double>(adjusted) / AdjustedScores::scale))),
      bits(significance.bits(score)),
      evalue(significance.evalue(static_cast<double>(adjusted) / AdjustedScores::scale, subject_length)) {}

std::vector<Hit> Searcher::State::adjusted(const StrandQuery& query, std::span<const FoundHit> hits,
                                           const Significance& significance, const Progress& progress) const {
  const PairAdjuster::Query prepared = to_adjust(query);
  std::vector<FoundHit> best(hits.begin(), hits.end());
  std::atomic<std::size_t> done = 0;
  const std::thread::id caller = std::this_thread::get_id();
  runtime::parallel_for(best.size(), runtime::threads_for(best.size(), 2, 64), [&](std::size_t i) {
    const std::span<const Code> subject = database.sequence(best[i].subject);
    const auto pair = adjuster->adjust(prepared, subject, best[i].score);
    const AdjustedScore found(pair ? pairwise::score_on_host(query.codes, pair->subject, pair->scoring) : 0,
                              significance, subject.size());
    best[i].score = found.score;
    best[i].evalue = found.evalue;
    const std::size_t sofar = ++done;
    if (std::this_thread::get_id() == caller)
      tell(progress, {static_cast<double>(sofar) / static_cast<double>(best.size()), 0, 0});
  });
  std::erase_if(best, [&](const FoundHit& hit) {
    return hit.score < std::max(1, options.min_score) || hit.evalue > options.max_evalue;
  });
  keep_best(best);
  std::vector<Hit> found;
  for (const FoundHit& hit : best)
    found.push_back({.subject = hit.subject,
                     .score = hit.score,
                     .minus = hit.minus,
                     .bits = significance.bits(hit.score),
                     .evalue = hit.evalue,
                     .alignment = {},
                     .part_begin = 0,
                     .part_end = database.length(hit.subject),
                     .query_frame = query.frame});
  return found;
}

}  // namespace genocl::align
