// The alignments of hits.
#include <algorithm>
#include <atomic>
#include <climits>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <thread>
#include <tuple>

#include "align/search/hits.hpp"
#include "align/search/searcher_state.hpp"
#include "pairwise/device_pairs.hpp"
#include "pairwise/host_pair.hpp"
#include "pairwise/path.hpp"
#include "runtime/parallel.hpp"

namespace genocl::align {
namespace {

using pairwise::align_on_host;
using pairwise::HostScoring;
using pairwise::next_alignments;
using pairwise::RowScores;
using pairwise::with_letters;

/// The number of pairs to align at a time: enough to fill a device, few enough to divide between several.
std::size_t pairs_at_a_time(std::size_t pairs, std::size_t devices) {
  return std::clamp<std::size_t>(pairs / (2 * devices), 32, 512);
}
/// Maximum cells of the pairs at a time, unless it is one pair: some seconds of CPU time.
constexpr std::uint64_t cells_at_a_time = std::uint64_t{1} << 33;

void check_score(const Hit& hit, std::int32_t score) {
  if (score != hit.score)
    throw Error("a score of " + std::to_string(hit.score) + " and an alignment of score " + std::to_string(score) +
                ": please report this");
}

RowScores scores_of(const StrandQuery& query, const Matrix& matrix) {
  return query.profile != nullptr ? RowScores(position_scores(*query.profile)) : RowScores(matrix);
}

/// Groups the alignments by subject, sorted by score and position as in BLAST, with at most `most` of each subject. The
/// first alignments determine the order of the subjects. A subject has `subject_frames` consecutive numbers.
void group_by_subject(std::vector<Hit>& hits, std::size_t most, std::size_t subject_frames) {
  std::map<std::uint64_t, std::size_t> number_of;
  std::vector<std::vector<Hit>> groups;
  for (Hit& hit : hits) {
    const auto [known, is_new] = number_of.try_emplace(hit.subject / subject_frames, groups.size());
    if (is_new) groups.emplace_back();
    groups[known->second].push_back(std::move(hit));
  }
  hits.clear();
  for (std::vector<Hit>& group : groups) {
    // Descending score; then BLAST's order of positions; then frames and strands.
    using Key = std::tuple<std::int64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, int, std::size_t>;
    std::vector<Key> order;
    for (std::size_t i = 0; i < group.size(); ++i) {
      const Alignment& found = *group[i].alignment;
      order.emplace_back(-std::int64_t{group[i].score}, found.subject_begin, ~found.subject_end, found.query_begin,
                         group[i].subject, strand_rank(group[i]), i);
    }
    std::sort(order.begin(), order.end());
    if (order.size() > most) order.resize(most);
    for (std::size_t i = 0; i < order.size(); ++i) {
      Hit& hit = group[std::get<6>(order[i])];
      hit.hsp = static_cast<std::uint32_t>(i);
      hits.push_back(std::move(hit));
    }
  }
}

}  // namespace

std::int32_t Searcher::State::min_score(const StrandQuery& query, std::uint64_t subject_length,
                                        const HspLimits& limits) const {
  std::int64_t least = std::max(1, limits.min_score);
  if (statistics) least = std::max(least, significance_of(query).min_score(limits.max_evalue, subject_length));
  return static_cast<std::int32_t>(std::min<std::int64_t>(least, std::numeric_limits<std::int32_t>::max()));
}

void Searcher::State::choose_subjects(const QueryCodes& codes, std::span<std::vector<Hit>> hits) const {
  std::vector<OtherStrand> others, soft_others;
  for (std::size_t q = 0; q < hits.size(); ++q) {
    std::map<std::uint64_t, std::set<std::pair<std::uint64_t, int>>> pairs_of_subject;  // record and strand
    std::vector<Hit> chosen;
    const bool all_known = hits[q].size() < options.top_before_alignment(database.alphabet());
    for (Hit& hit : hits[q]) {
      const std::uint64_t subject = hit.subject / subject_frames();
      if (!pairs_of_subject.contains(subject) && pairs_of_subject.size() == options.top) continue;
      pairs_of_subject[subject].emplace(hit.subject, strand_of(hit));
      chosen.push_back(std::move(hit));
    }
    hits[q] = std::move(chosen);
    // A search that returns fewer hits than its limit has the best alignment of each subject on every strand and in
    // every frame. Otherwise others may rank below the last hit.
    if (options.strand_pairs(database.alphabet()) == 1 || options.max_hsps == 1 || all_known) continue;
    for (const auto& [subject, known] : pairs_of_subject)
      for (std::uint64_t record = subject * subject_frames(); record < (subject + 1) * subject_frames(); ++record)
        for (auto query = codes.lower_bound({q, INT_MIN}); query != codes.end() && query->first.first == q; ++query) {
          if (known.contains({record, query->first.second})) continue;
          OtherStrand other{.query = q, .hit = {}};
          other.hit.subject = record;
          other.hit.minus = query->second.minus;
          other.hit.query_frame = query->second.frame;
          // With soft masks, the existence of an alignment is known only after the extension.
          (is_soft(query->second) ? soft_others : others).push_back(std::move(other));
        }
  }
  for (OtherStrand& other : soft_others) hits[other.query].push_back(std::move(other.hit));
  score_others(codes, others);
  HspLimits limits = limits_of_hits();
  if (adjuster) limits = {1, 1, options.max_evalue * evalue_stretch(options.composition)};
  for (const auto& [q, other] : others) {
    const StrandQuery& query = codes.at({q, strand_of(other)});
    const std::uint64_t length = database.length(other.subject);
    if (other.score < min_score(query, length, limits)) continue;
    Hit& hit = hits[q].emplace_back(other);
    hit.bits = hit.evalue = std::numeric_limits<double>::quiet_NaN();
    if (!statistics) continue;
    const Significance significance = significance_of(query);
    hit.bits = significance.bits(hit.score);
    hit.evalue = significance.evalue(hit.score, length);
  }
}

void Searcher::State::score_others(const QueryCodes& codes, std::span<OtherStrand> others, bool all_letters) const {
  std::vector<OtherStrand*> batch;
  std::uint64_t cells = 0;
  const auto score_batch = [&] {
    std::vector<std::span<const Code>> queries, subjects;
    for (const OtherStrand* const other : batch) {
      const StrandQuery& query = codes.at({other->query, strand_of(other->hit)});
      queries.push_back(all_letters ? query.letters : query.codes);
      subjects.push_back(database.sequence(other->hit.subject));
    }
    if (batch.empty()) return;
    const Device& device = devices.front();
    const std::vector<std::int32_t> scores = with_room(
        device, [&] { return pairwise::score_on_device(device, table.matrix, table.gap, queries, subjects, 0); });
    for (std::size_t i = 0; i < batch.size(); ++i) {
      batch[i]->hit.score = scores[i];
      batch[i]->hit.part_end = subjects[i].size();
    }
    batch.clear();
    cells = 0;
  };
  constexpr std::size_t pairs_of_batch = 4096;
  for (OtherStrand& other : others) {
    const StrandQuery& query = codes.at({other.query, strand_of(other.hit)});
    const std::uint64_t length = database.length(other.hit.subject);
    if (cut_of_pair(query.codes.size(), length) != Cut{}) {
      other.hit.score = best_score(query, other.hit);
      continue;
    }
    cells += query.codes.size() * length;
    batch.push_back(&other);
    if (batch.size() == pairs_of_batch || cells > cells_at_a_time) score_batch();
  }
  score_batch();
}

void Searcher::State::add_device_alignments(const QueryCodes& codes, std::span<std::vector<Hit>> hits,
                                            const Progress& progress) const {
  struct Pair {
    std::span<const Code> query, subject;  // the part that contains the alignment
    Hit* hit;
    std::uint64_t cells() const { return query.size() * subject.size(); }
  };
  find_parts(codes, hits);
  std::vector<Pair> pairs;
  for (std::size_t q = 0; q < hits.size(); ++q)
    for (Hit& hit : hits[q]) {
      const std::span<const Code> subject = database.sequence(hit.subject);
      if (hit.part_begin > hit.part_end || hit.part_end > subject.size())
        throw InputError("a hit with a part that its subject does not have");
      pairs.push_back(
          {codes.at({q, strand_of(hit)}).codes, subject.subspan(hit.part_begin, hit.part_end - hit.part_begin), &hit});
    }

  std::size_t next = 0;
  const std::size_t at_a_time = pairs_at_a_time(pairs.size(), devices.size());
  const auto source = [&]() -> std::optional<std::span<Pair>> {
    if (next == pairs.size()) return std::nullopt;
    std::size_t count = 0;
    std::uint64_t cells = 0;
    do cells += pairs[next + count++].cells();
    while (count < at_a_time && next + count < pairs.size() && cells + pairs[next + count].cells() <= cells_at_a_time);
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
    std::vector<Alignment> alignments = with_room(
        device, [&] { return pairwise::align_on_device(device, table.matrix, table.gap, queries, subjects, 0); });
    std::uint64_t cells = 0;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      check_score(*batch[i].hit, alignments[i].score);
      alignments[i].subject_begin += batch[i].hit->part_begin;
      alignments[i].subject_end += batch[i].hit->part_begin;
      batch[i].hit->alignment = std::move(alignments[i]);
      cells += batch[i].cells();
    }
    return cells;
  };
  runtime::ChunkOptions chunk_options{.workers_per_device = 1, .progress = progress};
  for (const Pair& pair : pairs) chunk_options.items_total += pair.cells();
  if (!pairs.empty())
    runtime::for_each_chunk(
        Devices(devices), source, work, [](std::uint64_t cells) { return cells; }, chunk_options);
}

std::uint64_t Searcher::State::cells_of_hit(const QueryCodes& codes, std::size_t query, const Hit& hit) const {
  return codes.at({query, strand_of(hit)}).codes.size() * database.length(hit.subject);
}

/// Computes all alignments of each hit's sequences in parallel and stores them consecutively. of(query, subject, hit)
/// returns those of one hit.
template <class Of>
void Searcher::State::spread(const QueryCodes& codes, std::span<std::vector<Hit>> hits, const Progress& progress,
                             Of&& of) const {
  std::vector<std::pair<std::size_t, std::size_t>> places;
  std::vector<std::vector<std::vector<Hit>>> all(hits.size());  // [query][hit]
  for (std::size_t q = 0; q < hits.size(); ++q) {
    all[q].resize(hits[q].size());
    for (std::size_t i = 0; i < hits[q].size(); ++i) places.emplace_back(q, i);
  }
  std::uint64_t total = 0;
  for (const auto& [q, i] : places) total += cells_of_hit(codes, q, hits[q][i]);
  std::atomic<std::uint64_t> done = 0;
  const std::thread::id caller = std::this_thread::get_id();
  runtime::parallel_for(places.size(), runtime::threads_for(places.size(), 1, 64), [&](std::size_t place) {
    const auto [q, i] = places[place];
    const StrandQuery& query = codes.at({q, strand_of(hits[q][i])});
    all[q][i] = of(query, database.sequence(hits[q][i].subject), hits[q][i]);
    for (std::size_t k = 0; k < all[q][i].size(); ++k) all[q][i][k].hsp = static_cast<std::uint32_t>(k);
    const std::uint64_t cells = done += cells_of_hit(codes, q, hits[q][i]);
    // The calling thread also works, and it alone calls the progress function.
    if (std::this_thread::get_id() == caller)
      tell(progress, {static_cast<double>(cells) / static_cast<double>(total), cells, total});
  });
  for (std::size_t q = 0; q < hits.size(); ++q) {
    hits[q].clear();
    for (std::vector<Hit>& some : all[q]) std::ranges::move(some, std::back_inserter(hits[q]));
  }
}

void Searcher::State::add_profile_alignments(const QueryCodes& codes, std::span<std::vector<Hit>> hits,
                                             const Progress& progress) const {
  spread(codes, hits, progress, [&](const StrandQuery& query, std::span<const Code> subject, const Hit& best) {
    std::vector<Hit> found{best};
    found.front().alignment =
        align_on_host(query.codes, subject, HostScoring(position_scores(*query.profile), options.gap),
                      position_scores(*query.profile));
    check_score(best, found.front().alignment->score);
    return found;
  });
}

void Searcher::State::add_next_alignments(const QueryCodes& codes, std::span<std::vector<Hit>> hits,
                                          const HspLimits& limits, const Progress& progress) const {
  const HostScoring plain(options.matrix, options.gap);
  const NextOfLong of_long = next_of_long(codes, hits, plain, limits, part_of(progress, 0, 0.9, 0));
  const Progress of_others = part_of(progress, of_long.empty() ? 0 : 0.9, 1, 0);
  spread(codes, hits, of_others, [&](const StrandQuery& query, std::span<const Code> subject, const Hit& best) {
    const RowScores scores = scores_of(query, options.matrix);
    const HostScoring scoring =
        query.profile != nullptr ? HostScoring(position_scores(*query.profile), options.gap) : plain;
    std::optional<Significance> significance;
    if (statistics) significance.emplace(significance_of(query));
    std::vector<Hit> all{best};
    const auto known = of_long.find(&best);
    for (const Alignment& one : known != of_long.end()
                                    ? known->second
                                    : next_alignments(query.codes, subject, scoring, scores, *best.alignment,
                                                      limits.max_hsps - 1, min_score(query, subject.size(), limits))) {
      Hit hit = best;
      hit.score = one.score;
      if (significance) {
        hit.bits = significance->bits(hit.score);
        hit.evalue = significance->evalue(hit.score, subject.size());
        if (hit.evalue > limits.max_evalue) continue;
      }
      hit.alignment = one;
      all.push_back(std::move(hit));
    }
    return all;
  });
}

void Searcher::State::add_adjusted_alignments(const QueryCodes& codes, std::span<std::vector<Hit>> hits,
                                              const Progress& progress) const {
  spread(codes, hits, progress, [&](const StrandQuery& query, std::span<const Code> subject, const Hit& best) {
    const Significance significance = significance_of(query);
    const auto pair = adjuster->adjust(to_adjust(query), subject);
    if (!pair) throw Error("a hit that has no letters left: please report this");
    std::vector<Alignment> found{align_on_host(query.codes, pair->subject, pair->scoring, options.matrix)};
    // Adjusted scores are `scale` times the scores that E-values refer to.
    const std::int64_t least =
        std::int64_t{AdjustedScores::scale} * (min_score(query, subject.size(), limits_of_hits()) - 1);
    if (hsps_to_align() > 1)
      std::ranges::move(
          next_alignments(query.codes, pair->subject, pair->scoring, options.matrix, found.front(), hsps_to_align() - 1,
                          static_cast<std::int32_t>(std::clamp<std::int64_t>(least, 1, INT32_MAX))),
          std::back_inserter(found));
    std::vector<Hit> all;
    for (Alignment& one : found) {
      Hit hit = best;
      const AdjustedScore score(one.score, significance, subject.size());
      hit.score = score.score;
      hit.bits = score.bits;
      hit.evalue = score.evalue;
      if (all.empty())
        check_score(best, hit.score);
      else if (hit.score < std::max(1, options.min_score) || hit.evalue > options.max_evalue)
        continue;
      one.score = hit.score;
      hit.alignment = with_letters(one, query.letters, subject, scores_of(query, options.matrix));
      all.push_back(std::move(hit));
    }
    return all;
  });
}

void Searcher::State::add_alignments(std::span<const StrandQuery> strands, std::span<std::vector<Hit>> hits,
                                     const Progress& progress, SearchTally& tally) const {
  if (options.filter.any())
    add_filtered_alignments(strands, hits, progress, tally);
  else
    align_hits(strands, hits, progress, tally);
}

void Searcher::State::align_hits(std::span<const StrandQuery> strands, std::span<std::vector<Hit>> hits,
                                 const Progress& progress, SearchTally& tally) const {
  const double begin = now();
  QueryCodes codes;
  for (const StrandQuery& query : strands) codes[{query.query - strands.front().query, query.strand()}] = query;
  if (options.by_subject && !options.filter.any()) choose_subjects(codes, hits);
  std::uint64_t cells = 0;
  for (std::size_t q = 0; q < hits.size(); ++q)
    for (const Hit& hit : hits[q]) cells += cells_of_hit(codes, q, hit);
  std::vector<std::vector<Hit>> soft(hits.size());
  for (std::size_t q = 0; q < hits.size(); ++q)
    if (is_soft(strands[q * strands.size() / hits.size()])) soft[q] = std::exchange(hits[q], {});
  add_soft_alignments(codes, soft, hsps_to_align(), progress);
  if (adjuster && options.translation.any()) {
    add_adjusted_frames(codes, hits, hsps_to_align(), progress);
  } else if (adjuster) {
    add_adjusted_alignments(codes, hits, progress);
  } else {
    const bool more = hsps_to_align() > 1;
    const Progress of_best = part_of(progress, 0, more ? 0.5 : 1, cells);
    if (!strands.empty() && strands.front().profile != nullptr)
      add_profile_alignments(codes, hits, of_best);
    else
      add_device_alignments(codes, hits, of_best);
    if (more) add_next_alignments(codes, hits, limits_of_hits(), part_of(progress, 0.5, 1, cells));
    for (std::size_t q = 0; q < hits.size(); ++q)
      for (Hit& hit : hits[q])
        if (const StrandQuery& query = codes.at({q, strand_of(hit)}); query.codes.data() != query.letters.data())
          hit.alignment = with_letters(*hit.alignment, query.letters, database.sequence(hit.subject), options.matrix);
  }
  for (std::size_t q = 0; q < hits.size(); ++q)
    if (hits[q].empty()) hits[q] = std::move(soft[q]);
  if (options.filter.any())
    for (std::size_t q = 0; q < hits.size(); ++q)
      std::erase_if(hits[q], [&](const Hit& hit) {
        return !passes(options.filter, hit, codes.at({q, strand_of(hit)}).letters.size(), database.length(hit.subject));
      });
  if (options.by_subject)
    for (std::vector<Hit>& of_query : hits)
      group_by_subject(of_query, options.filter.any() ? SIZE_MAX : options.max_hsps, subject_frames());
  // Another thread may have completed the last pair.
  tell(progress, {1, cells, cells});
  tally.counts.alignment_seconds += now() - begin;
}

}  // namespace genocl::align
