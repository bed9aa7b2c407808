// Soft masks: masked letters start no hit, but alignments extend through them.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <thread>

#include "align/search/hits.hpp"
#include "align/search/searcher_state.hpp"
#include "pairwise/extension.hpp"
#include "pairwise/host_pair.hpp"
#include "pairwise/path.hpp"
#include "runtime/parallel.hpp"

namespace genocl::align {
namespace {

/// The extension of an anchor, without the pairs of better extensions.
struct Extension {
  pairwise::Pivot pivot;
  std::int32_t x_drop = 0;
  Alignment alignment;
};

/// Minimum of the E-value limit of anchors: like BLAST's seeds, some anchors occur by chance.
constexpr double anchor_evalue = 10;
/// BLAST's limits, which matter in small databases: a word of DNA, and the score that triggers a gapped extension.
constexpr int word_letters = 11;
constexpr double trigger_bits = 22;
/// Maximum anchors of a subject that is processed as a whole, if the best one leads to no hit.
constexpr std::size_t max_anchors_of_short = 3;
/// X-drop of extensions in matches: that of BLAST's final extension, 100 bits for DNA and 25 for proteins.
constexpr std::int32_t x_drop_matches(Alphabet alphabet) { return alphabet == Alphabet::dna ? 60 : 12; }

bool shares_pair(const Alignment& alignment, const pairwise::UsedPairs& used) {
  pairwise::UsedPairs own;
  own.add(alignment);
  const auto pairs = own.pairs(), others = used.pairs();
  for (auto a = pairs.begin(), b = others.begin(); a != pairs.end() && b != others.end();) {
    if (*a == *b) return true;
    *a < *b ? ++a : ++b;
  }
  return false;
}

bool has_pair(const pairwise::UsedPairs& used, const pairwise::Pivot& pivot) {
  return std::ranges::binary_search(used.pairs(),
                                    pairwise::UsedPairs::LetterPair{static_cast<std::uint32_t>(pivot.subject),
                                                                    static_cast<std::uint32_t>(pivot.query)});
}

/// Returns the extensions, best first: at most `most`, of score at least `least`. No two share a pair of letters. An
/// anchor whose pivot belongs to a better extension is part of that one.
std::vector<Alignment> best_extensions(std::vector<Extension> open, std::span<const Code> query,
                                       std::span<const Code> subject, const pairwise::HostScoring& scoring,
                                       const Matrix& matrix, std::size_t most, std::int32_t least) {
  std::vector<Alignment> found;
  pairwise::UsedPairs used;
  const auto extend = [&](Extension& one) {
    one.alignment = pairwise::extend(query, subject, one.pivot, scoring, matrix, one.x_drop, used);
  };
  std::ranges::for_each(open, extend);
  while (found.size() < most && !open.empty()) {
    const auto best = std::ranges::max_element(open, {}, [](const Extension& one) { return one.alignment.score; });
    if (best->alignment.score < least) break;
    if (shares_pair(best->alignment, used)) {
      extend(*best);
      continue;
    }
    used.add(best->alignment);
    found.push_back(std::move(best->alignment));
    open.erase(best);
    std::erase_if(open, [&](const Extension& one) { return has_pair(used, one.pivot); });
  }
  return found;
}

}  // namespace

HspLimits Searcher::State::limits_of_anchors() const noexcept {
  if (!statistics) return limits_of_hits();
  const bool dna = database.alphabet() == Alphabet::dna;
  const double least = dna ? word_letters * options.matrix.highest()
                           : (trigger_bits * std::numbers::ln2 + std::log(statistics->k)) / statistics->lambda;
  return {hsps_to_align(), static_cast<std::int32_t>(std::ceil(least)),
          std::max(anchor_evalue, options.max_evalue * evalue_stretch(options.composition))};
}

std::vector<Hit> Searcher::State::extended(const StrandQuery& query, const Hit& hit,
                                           std::span<const Alignment> anchors) const {
  const std::span<const Code> subject = database.sequence(hit.subject);
  std::vector<Hit> all;
  const pairwise::HostScoring plain(options.matrix, options.gap);
  const std::int32_t x_drop = x_drop_matches(database.alphabet()) * options.matrix.highest();
  std::optional<PairAdjuster::Pair> pair;
  if (adjuster) {
    const pairwise::Pivot pivot = pairwise::pivot_of(anchors.front(), query.codes, subject, plain);
    const std::int32_t plain_score =
        pairwise::extend(query.letters, subject, pivot, plain, options.matrix, x_drop).score;
    pair = adjuster->adjust(adjuster->query(query.letters), subject, plain_score);
    if (!pair) return all;
  }
  const pairwise::HostScoring& scoring = pair ? pair->scoring : plain;
  const std::span<const Code> letters = pair ? std::span<const Code>(pair->subject) : subject;
  const std::int32_t scale = pair ? AdjustedScores::scale : 1;

  std::vector<Extension> open;
  for (const Alignment& anchor : anchors) {
    const pairwise::Pivot pivot = pairwise::pivot_of(anchor, query.codes, subject, plain);
    const std::int32_t drop = pairwise::deepest_drop(anchor, pivot, query.letters, letters, scoring);
    open.push_back({pivot, std::max(drop, x_drop * scale), {}});
  }
  const HspLimits limits = limits_of_hits();
  const std::int64_t least = std::int64_t{min_score(query, subject.size(), limits)} * scale - (scale - 1);
  std::optional<Significance> significance;
  if (statistics) significance.emplace(significance_of(query));
  for (Alignment& one :
       best_extensions(std::move(open), query.letters, letters, scoring, options.matrix, limits.max_hsps,
                       static_cast<std::int32_t>(std::clamp<std::int64_t>(least, 1, INT32_MAX)))) {
    Hit next = hit;
    next.score = one.score;
    next.bits = next.evalue = std::numeric_limits<double>::quiet_NaN();
    if (pair) {
      const AdjustedScore score(one.score, *significance, subject.size());
      next.score = one.score = score.score;
      next.bits = score.bits;
      next.evalue = score.evalue;
      one = pairwise::with_letters(one, query.letters, subject, options.matrix);
    } else if (significance) {
      next.bits = significance->bits(next.score);
      next.evalue = significance->evalue(next.score, subject.size());
    }
    if (next.score < std::max(1, limits.min_score) || next.evalue > limits.max_evalue) continue;
    next.part_begin = next.part_end = 0;
    next.alignment = std::move(one);
    next.hsp = static_cast<std::uint32_t>(all.size());
    all.push_back(std::move(next));
  }
  return all;
}

void Searcher::State::leave_out_hopeless(const QueryCodes& codes, std::span<std::vector<Hit>> best) const {
  HspLimits limits = limits_of_hits();
  if (adjuster) limits = {1, 1, options.max_evalue * evalue_stretch(options.composition)};
  const auto least = [&](std::size_t q, const Hit& hit) {
    return min_score(codes.at({q, strand_of(hit)}), database.length(hit.subject), limits);
  };
  std::vector<OtherStrand> doubtful;
  for (std::size_t q = 0; q < best.size(); ++q) {
    std::vector<Hit> sure;
    for (Hit& hit : best[q]) {
      const std::size_t letters = codes.at({q, strand_of(hit)}).letters.size();
      const bool is_long = cut_of_pair(letters, database.length(hit.subject)) != Cut{};
      if (is_long || hit.score >= least(q, hit))
        sure.push_back(std::move(hit));
      else
        doubtful.push_back({q, std::move(hit)});
    }
    best[q] = std::move(sure);
  }
  std::vector<OtherStrand> bounded = doubtful;
  score_others(codes, bounded, true);
  for (std::size_t i = 0; i < bounded.size(); ++i)
    if (bounded[i].hit.score >= least(bounded[i].query, bounded[i].hit))
      best[doubtful[i].query].push_back(std::move(doubtful[i].hit));
}

void Searcher::State::add_soft_alignments(const QueryCodes& codes, std::span<std::vector<Hit>> hits, std::size_t most,
                                          const Progress& progress) const {
  // Anchors: alignments of the queries with masked letters as X or N.
  std::vector<OtherStrand> unknown;
  std::vector<std::vector<Hit>> best(hits.size());
  for (std::size_t q = 0; q < hits.size(); ++q)
    for (const Hit& hit : hits[q])
      if (hit.part_end != 0)
        best[q].push_back(hit);
      else
        unknown.push_back({q, hit});
  score_others(codes, unknown);
  for (const OtherStrand& one : unknown) {
    const StrandQuery& query = codes.at({one.query, strand_of(one.hit)});
    if (one.hit.score >= min_score(query, database.length(one.hit.subject), limits_of_anchors()))
      best[one.query].push_back(one.hit);
  }
  leave_out_hopeless(codes, best);
  add_device_alignments(codes, best, part_of(progress, 0, 0.3, 0));
  std::vector<std::vector<Hit>> found = extended(codes, best, most, part_of(progress, 0.3, 0.7, 0));
  // If the best anchors lead to no hit, others may. A genome has many random anchors.
  const auto pair_of = [](const Hit& hit) { return std::pair(hit.subject, hit.minus); };
  std::array<std::vector<std::vector<Hit>>, 2> rest;  // [is long]
  rest.fill(std::vector<std::vector<Hit>>(hits.size()));
  for (std::size_t q = 0; statistics && q < hits.size(); ++q) {
    std::set<std::pair<std::uint64_t, bool>> known;
    for (const Hit& hit : found[q]) known.insert(pair_of(hit));
    for (Hit& hit : best[q])
      if (!known.contains(pair_of(hit))) {
        const StrandQuery& query = codes.at({q, strand_of(hit)});
        const bool is_long = cut_of_pair(query.codes.size(), database.length(hit.subject)) != Cut{};
        rest[is_long ? 1 : 0][q].push_back(std::move(hit));
      }
  }
  std::vector<std::vector<Hit>> more = extended(codes, rest[0], max_anchors_of_short, part_of(progress, 0.7, 0.8, 0));
  const std::vector<std::vector<Hit>> of_long =
      extended(codes, rest[1], std::numeric_limits<std::uint32_t>::max(), part_of(progress, 0.8, 1, 0));
  for (std::size_t q = 0; q < hits.size(); ++q) std::ranges::copy(of_long[q], std::back_inserter(more[q]));
  for (std::size_t q = 0; q < hits.size(); ++q) {
    std::map<std::pair<std::uint64_t, bool>, std::vector<Hit>> of_pair;
    for (Hit& hit : found[q]) of_pair[pair_of(hit)].push_back(std::move(hit));
    for (const Hit& hit : more[q])
      if (hit.hsp < most) of_pair[pair_of(hit)].push_back(hit);
    std::vector<Hit> in_order;
    for (const Hit& hit : hits[q]) std::ranges::move(of_pair[pair_of(hit)], std::back_inserter(in_order));
    hits[q] = std::move(in_order);
  }
}

std::vector<std::vector<Hit>> Searcher::State::extended(const QueryCodes& codes, std::span<const std::vector<Hit>> best,
                                                        std::size_t most, const Progress& progress) const {
  std::vector<std::vector<Hit>> anchors(best.begin(), best.end());
  HspLimits limits = limits_of_anchors();
  limits.max_hsps = most;
  if (most > 1) add_next_alignments(codes, anchors, limits, part_of(progress, 0, 0.7, 0));
  struct Pair {
    std::size_t query;
    const Hit* best;
    std::vector<Alignment> anchors;
    std::vector<Hit> found;
  };
  // Anchors of a pair are adjacent.
  std::vector<Pair> pairs;
  for (std::size_t q = 0; q < best.size(); ++q)
    for (Hit& anchor : anchors[q]) {
      if (anchor.hsp == 0) pairs.push_back({q, &anchor, {}, {}});
      pairs.back().anchors.push_back(*anchor.alignment);
    }
  const Progress of_pairs = part_of(progress, most > 1 ? 0.7 : 0, 1, 0);
  std::atomic<std::size_t> done = 0;
  const std::thread::id caller = std::this_thread::get_id();
  runtime::parallel_for(pairs.size(), runtime::threads_for(pairs.size(), 1, 64), [&](std::size_t i) {
    Pair& pair = pairs[i];
    pair.found = extended(codes.at({pair.query, strand_of(*pair.best)}), *pair.best, pair.anchors);
    const std::size_t sofar = ++done;
    if (std::this_thread::get_id() == caller)
      tell(of_pairs, {static_cast<double>(sofar) / static_cast<double>(pairs.size()), 0, 0});
  });
  std::vector<std::vector<Hit>> all(best.size());
  for (Pair& pair : pairs) std::ranges::move(pair.found, std::back_inserter(all[pair.query]));
  return all;
}

std::vector<Hit> Searcher::State::soft_hits(const QueryCodes& codes, std::size_t query, std::span<const FoundHit> found,
                                            const Progress& progress) const {
  std::vector<Hit> hits;
  for (const FoundHit& one : found)
    hits.push_back({.subject = one.subject,
                    .score = one.score,
                    .minus = one.minus,
                    .bits = 0,
                    .evalue = one.evalue,
                    .alignment = {},
                    .part_begin = one.part_begin,
                    .part_end = one.part_end});
  std::vector<std::vector<Hit>> of_queries(query + 1);
  of_queries[query] = std::move(hits);
  add_soft_alignments(codes, of_queries, 1, progress);
  hits = std::move(of_queries[query]);
  std::erase_if(hits, [](const Hit& hit) { return hit.hsp != 0; });
  for (Hit& hit : hits) hit.alignment.reset();
  keep_best(hits);
  return hits;
}

}  // namespace genocl::align
