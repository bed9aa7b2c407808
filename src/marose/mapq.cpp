// Mapping quality (MAPQ), and the choice of alignments and pairs that it belongs to.
//
// The model: a base of a read differs from its true place with some probability. A place that scores one mismatch
// less than the best is therefore less likely by a constant factor. `others` places that score `gap` less than the
// best include the true one with probability others * 10^(-quality(gap) / 10) relative to it. The knots of quality()
// are measured on the drawn genomes of docs/methods/marose.md: of reads one mismatch better than the next place,
// between 1 in 170 and 1 in 500 were wrong; of those better by six tenths of that, 1 in 20. Beyond two mismatches the
// choice among places is seldom the error, and qualities grow slowly.
#include "marose/mapq.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "marose/align.hpp"

namespace genocl::marose {
namespace {

/// `gap`: in mismatch scores. Linear between the knots.
struct Knot {
  double gap, quality;
};
constexpr std::array<Knot, 6> knots = {{{0, 0}, {0.7, 14}, {1, 26}, {2, 45}, {3, 55}, {4, 60}}};

double gap_quality(double gap) {
  if (gap <= 0) return 0;
  for (std::size_t i = 1; i < knots.size(); ++i)
    if (gap <= knots[i].gap) {
      const Knot &a = knots[i - 1], &b = knots[i];
      return a.quality + (b.quality - a.quality) * (gap - a.gap) / (b.gap - a.gap);
    }
  return knots.back().quality;
}

double mismatches(std::int32_t score, const pairwise::DnaScoring& scoring) {
  return static_cast<double>(score) / (scoring.match + scoring.mismatch);
}

/// MAPQ against `others` places that score `gap` less.
double quality(double others, std::int32_t gap, const pairwise::DnaScoring& scoring) {
  const double weight = others * std::pow(10, -gap_quality(mismatches(gap, scoring)) / 10);
  return std::clamp(-10 * std::log10(weight / (1 + weight)), 0.0, 60.0);
}

std::uint8_t rounded(double quality) { return static_cast<std::uint8_t>(std::lround(std::clamp(quality, 0.0, 60.0))); }

}  // namespace

std::uint8_t single_mapq(const MapqEvidence& evidence, const pairwise::DnaScoring& scoring) {
  if (evidence.score <= 0) return 0;
  if (evidence.second > evidence.score) return 0;
  double result = 60;
  if (evidence.second > 0)
    result = quality(static_cast<double>(std::max<std::uint64_t>(1, evidence.second_count)),
                     evidence.score - evidence.second, scoring);
  if (evidence.unseen > 0)
    result = std::min(result, quality(1, std::max(0, evidence.score - evidence.unseen), scoring));
  return rounded(result);
}

std::uint8_t pair_mapq(std::int32_t score, std::int32_t second, std::uint64_t second_count,
                       const pairwise::DnaScoring& scoring) {
  if (second <= 0) return 60;
  return rounded(
      quality(static_cast<double>(std::max<std::uint64_t>(1, second_count)), std::max(0, score - second), scoring));
}

std::uint8_t mapq_in_pair(std::uint8_t single, std::uint8_t pair) {
  return std::max(single, std::min(pair, static_cast<std::uint8_t>(std::min(60, single + 30))));
}

namespace {

// MAPQ against `others` places with `gap` errors more than the best. Each error makes a place about 50 times less
// likely (an error of 2% against a match).
double quality_by_errors(double others, int gap) {
  const double weight = others * std::pow(50.0, -gap);
  return std::clamp(-10 * std::log10(weight / (1 + weight)), 0.0, 60.0);
}

}  // namespace

std::uint8_t ReadSummary::mapping_quality() const noexcept {
  if (hits == 0 || (capped && best >= explored)) return 0;
  // Several best places: the probability of the right one is 1 / best_hits.
  if (best_hits > 1)
    return static_cast<std::uint8_t>(std::lround(-10 * std::log10(1 - 1 / static_cast<double>(best_hits))));
  // One best place: compared with all hits of the next stratum. If none is known, one hit just beyond the explored
  // strata is assumed. A rescued pair may have more errors than the bound; no place is then known to be worse.
  static const std::array<std::uint8_t, 5> of_gap = [] {
    std::array<std::uint8_t, 5> table{};
    for (int gap = 0; gap < 5; ++gap)
      table[static_cast<std::size_t>(gap)] = static_cast<std::uint8_t>(std::lround(quality_by_errors(1, gap)));
    return table;
  }();
  const auto once = [&](unsigned errors) {
    const unsigned gap = errors > best ? errors - best : 0;
    return of_gap[std::min<std::size_t>(gap, of_gap.size() - 1)];
  };
  const unsigned beyond = explored;
  if (second_hits == 0) return once(beyond);
  std::uint8_t chance = once(second);
  if (second_hits > 1)
    chance = static_cast<std::uint8_t>(
        std::lround(quality_by_errors(static_cast<double>(second_hits), std::max(0, int{second} - int{best}))));
  return second >= beyond ? std::min(chance, once(beyond)) : chance;
}

// The MAPQ of a read with the same numbers of places and errors.
std::uint8_t pair_mapq(const BestPairs& best, std::uint32_t explored) {
  ReadSummary both;
  both.hits = best.count + best.second_count;
  both.best_hits = best.count;
  both.best = static_cast<std::uint16_t>(best.best.errors);
  both.second = static_cast<std::uint16_t>(best.second);
  both.second_hits = best.second_count;
  both.explored = static_cast<std::uint16_t>(std::min<std::uint32_t>(explored, 0xffff));
  return both.mapping_quality();
}

namespace {

/// Whether two alignments of a read are at the same place: they begin or end at the same base of query and contig, or
/// share nearly all of both.
bool same_place(const Candidate& a, const Candidate& b) {
  if (a.contig != b.contig || a.strand != b.strand) return false;
  if (a.in_contig.begin == b.in_contig.begin && a.in_query.begin == b.in_query.begin) return true;
  if (a.in_contig.end == b.in_contig.end && a.in_query.end == b.in_query.end) return true;
  constexpr double most = 0.95;
  const auto nearly_equal = [](const auto& one, const auto& other) {
    const auto shared = static_cast<double>(intersection(one, other).length());
    return shared > 0 && shared > most * static_cast<double>(std::min(one.length(), other.length()));
  };
  return nearly_equal(a.in_contig, b.in_contig) && nearly_equal(a.in_query, b.in_query);
}

/// Other known places for the bases of list[of].
struct Rivals {
  std::int32_t score = 0, total = 0;  ///< of the best
  std::uint64_t count = 0;            ///< number of places of about this total
};

Rivals rivals_of(const ReadCandidates& candidates, std::size_t of, const pairwise::DnaScoring& scoring) {
  Rivals rivals;
  const std::pmr::vector<Candidate>& list = candidates.list;
  const std::int32_t mismatch = scoring.match + scoring.mismatch;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i == of || !overlap_in_query(list[i], list[of], candidates.length)) continue;
    if (rivals.count == 0) rivals = {list[i].score, list[i].total, 0};
    if (list[i].total > rivals.total - mismatch) ++rivals.count;
  }
  if (of == 0 && candidates.not_aligned > 0) {
    if (rivals.total < list[of].total) rivals = {list[of].score, list[of].total, 0};
    rivals.count += candidates.not_aligned;
  }
  if (of == 0 && candidates.next_not_aligned > 0) {
    // Their scores are those of the same number of mismatches.
    const std::int32_t loss = static_cast<std::int32_t>(candidates.next_errors) * mismatch;
    const std::int32_t total = list[of].total - loss;
    if (rivals.total < total) rivals = {std::max(0, list[of].score - loss), total, 0};
    if (total > rivals.total - mismatch) rivals.count += candidates.next_not_aligned;
  }
  return rivals;
}

ReadAlignment as_alignment(const Candidate& candidate, const ReadPart& kept, std::uint32_t read_length) {
  ReadAlignment alignment;
  alignment.contig = candidate.contig;
  alignment.strand = candidate.strand;
  alignment.position = candidate.in_contig.begin;
  alignment.score = candidate.score;
  const std::uint32_t before = candidate.strand == Strand::forward ? kept.first : read_length - kept.end();
  const std::uint32_t left = before + candidate.in_query.begin;
  const std::uint32_t right = read_length - before - candidate.in_query.end;
  alignment.cigar.append(left, 'S');
  alignment.cigar.append(candidate.cigar);
  alignment.cigar.append(right, 'S');
  return alignment;
}

std::uint8_t mapq_of(const ReadCandidates& candidates, std::size_t i, const Rivals& rivals,
                     const pairwise::DnaScoring& scoring) {
  const Candidate& candidate = candidates.list[i];
  if (candidates.capped) return 0;
  return single_mapq({.score = candidate.total,
                      .second = rivals.total,
                      .second_count = rivals.count,
                      .unseen = candidate.rescued ? 0 : candidates.unseen},
                     scoring);
}

}  // namespace

void ReadCandidates::sort_unique() {
  std::erase_if(list, [&](const Candidate& candidate) { return candidate.score < min_score; });
  if (list.size() < 2) return;
  const auto order = [](const Candidate& c) {
    return std::tuple(-c.total, c.contig, c.in_contig.begin, c.strand, c.in_query.begin, c.rescued);
  };
  std::ranges::sort(list, {}, order);
  std::size_t kept_count = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    bool seen = false;
    for (std::size_t j = 0; j < kept_count && !seen; ++j)
      if (same_place(list[j], list[i])) {
        seen = true;
        list[j].rescued = list[j].rescued && list[i].rescued;
      }
    if (seen) continue;
    if (kept_count != i) list[kept_count] = std::move(list[i]);
    ++kept_count;
  }
  list.resize(kept_count);
}

ReadSpan span_of(const Candidate& candidate, std::uint32_t query_length) noexcept {
  return {static_cast<std::int64_t>(candidate.in_contig.begin) - candidate.in_query.begin,
          static_cast<std::int64_t>(candidate.in_contig.end) + query_length - candidate.in_query.end};
}

std::optional<std::int32_t> pair_score(const Candidate& a, std::uint32_t a_length, const Candidate& b,
                                       std::uint32_t b_length, const PairGeometry& geometry,
                                       const pairwise::DnaScoring& scoring) {
  if (a.contig != b.contig) return std::nullopt;
  const Strand a_strand = geometry.strand(0, a.strand), b_strand = geometry.strand(1, b.strand);
  if (a_strand == b_strand) return std::nullopt;
  const ReadSpan a_span = span_of(a, a_length), b_span = span_of(b, b_length);
  const bool a_left = a_strand == Strand::forward;
  // Between the 5' ends, including clipped bases.
  const std::int64_t insert = a_left ? b_span.end - a_span.begin : a_span.end - b_span.begin;
  const auto least = static_cast<double>(geometry.insert.least), most = static_cast<double>(geometry.insert.most);
  if (insert <= 0) return std::nullopt;
  if (static_cast<double>(insert) < least || static_cast<double>(insert) > most) return std::nullopt;
  const double mean = (least + most) / 2, deviation = std::max(1.0, (most - least) / 8);
  const double distance = std::abs(static_cast<double>(insert) - mean) / deviation;
  const double likelihood = 0.721 * std::log(2 * std::erfc(distance / std::sqrt(2.0))) * scoring.match;
  return std::max(1, a.total + b.total + static_cast<std::int32_t>(std::lround(likelihood)));
}

/// Maximum number of bases of all gaps of an alignment in the band.
constexpr std::uint64_t longest_gaps = 256;

std::optional<PairChoice> choose_pair(const ReadCandidates& a, const ReadCandidates& b, const PairGeometry& geometry,
                                      const pairwise::DnaScoring& scoring) {
  if (a.empty() || b.empty()) return std::nullopt;
  PairChoice choice;
  struct Scored {
    std::int32_t score;
    std::size_t i, j;
  };
  // Most reads have few pairs, which need no allocation.
  std::array<Scored, 32> few;
  std::pmr::monotonic_buffer_resource memory(few.data(), sizeof few);
  std::pmr::vector<Scored> pairs(&memory);
  // Repeats have many of each, most of them far from one another.
  const std::uint64_t reach = std::uint64_t{a.length} + b.length + longest_gaps;
  for (std::size_t i = 0; i < a.list.size(); ++i)
    for (std::size_t j = 0; j < b.list.size(); ++j) {
      const Candidate &one = a.list[i], &other = b.list[j];
      if (one.contig != other.contig) continue;
      const auto [left, right] = std::minmax(one.in_contig.begin, other.in_contig.begin);
      const std::uint64_t distance = right - left;
      if (distance > reach && distance - reach > geometry.insert.most) continue;
      if (const auto score = pair_score(one, a.length, other, b.length, geometry, scoring))
        pairs.push_back({*score, i, j});
    }
  if (pairs.empty()) return std::nullopt;
  if (pairs.size() > 1) std::ranges::stable_sort(pairs, std::ranges::greater(), &Scored::score);
  choice.first = pairs[0].i;
  choice.second = pairs[0].j;
  choice.score = pairs[0].score;
  choice.unpaired = a.list[0].total + b.list[0].total - unpaired_cost(scoring);
  const std::int32_t mismatch = scoring.match + scoring.mismatch;
  // Another placement of one of the reads is a rival if it overlaps the chosen one; the other part of a chimera is
  // none.
  for (std::size_t p = 1; p < pairs.size(); ++p) {
    const Scored& other = pairs[p];
    const bool first_differs = other.i != choice.first, second_differs = other.j != choice.second;
    if (first_differs && !overlap_in_query(a.list[other.i], a.list[choice.first], a.length)) continue;
    if (second_differs && !overlap_in_query(b.list[other.j], b.list[choice.second], b.length)) continue;
    if (choice.rivals == 0) choice.rival = other.score;
    if (other.score <= choice.rival - mismatch) break;
    ++choice.rivals;
  }
  const bool own_places = choice.first == 0 && choice.second == 0;
  if (!own_places && choice.unpaired > choice.rival) {
    choice.rival = choice.unpaired;
    choice.rivals = 1;
  }
  return choice;
}

AlignedRead report_read(const ReadCandidates& candidates, std::size_t primary, std::uint32_t read_length,
                        const pairwise::DnaScoring& scoring, const ReportLimits& limits) {
  AlignedRead result;
  const std::pmr::vector<Candidate>& list = candidates.list;
  if (list.empty()) return result;
  const Candidate& chosen = list[primary];
  const Rivals rivals = rivals_of(candidates, primary, scoring);
  result.second_score = rivals.score;
  result.rescued = chosen.rescued;
  result.alignments.push_back(as_alignment(chosen, candidates.kept, read_length));
  result.alignments[0].mapq = mapq_of(candidates, primary, rivals, scoring);
  result.best_count = 1;
  std::vector<std::size_t> parts;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i == primary) continue;
    if (overlap_in_query(list[i], chosen, candidates.length)) {
      (list[i].score >= chosen.score ? result.best_count : result.next_count) += 1;
      if (result.secondary.size() < limits.max_secondary &&
          list[i].score >= limits.secondary_share * static_cast<double>(chosen.score))
        result.secondary.push_back(as_alignment(list[i], candidates.kept, read_length));
      continue;
    }
    const bool distinct = std::ranges::none_of(
        parts, [&](std::size_t other) { return overlap_in_query(list[i], list[other], candidates.length); });
    if (!distinct) continue;
    parts.push_back(i);
    ReadAlignment& part = result.alignments.emplace_back(as_alignment(list[i], candidates.kept, read_length));
    part.mapq = mapq_of(candidates, i, rivals_of(candidates, i, scoring), scoring);
  }
  result.best_count += candidates.not_aligned;
  result.next_count += candidates.next_not_aligned;
  return result;
}

}  // namespace genocl::marose
