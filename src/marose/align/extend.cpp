#include "marose/align/extend.hpp"

#include <algorithm>

#include "marose/index/index_state.hpp"

namespace genocl::marose {

/// More than the longest gap in the band costs.
constexpr int join_bonus = 200;

void Extender::add(Query& query, Candidate& candidate, bool exact, std::uint64_t slot, std::int32_t reached) {
  const pairwise::DnaScoring& scoring = options_.scoring;
  const std::uint32_t length = query.length();
  const auto take = [&](const UngappedAlignment& best) {
    candidate.score = best.score;
    candidate.total = best.total;
    candidate.query_begin = best.begin;
    candidate.query_end = best.end;
    candidate.position = static_cast<std::uint64_t>(candidate.diagonal + best.begin);
    candidate.end = static_cast<std::uint64_t>(candidate.diagonal + best.end);
    candidate.cigar.clear();
    candidate.cigar.append(best.end - best.begin, 'M');
  };
  if (exact) {
    const auto score = static_cast<std::int32_t>(length) * scoring.match;
    return take({score, score + 2 * scoring.end_bonus, 0, length});
  }
  const std::uint32_t part_first = candidate.first, part_last = candidate.last == 0 ? length : candidate.last;
  const bool whole = part_first == 0 && part_last == length;
  const std::int64_t diagonal = candidate.diagonal + part_first;  // of the part's first base
  const auto contig = static_cast<std::int64_t>(index_.length(candidate.contig));
  const auto size = static_cast<std::int64_t>(part_last - part_first);
  const std::int64_t begin =
      std::clamp<std::int64_t>(diagonal + std::min(0, candidate.spread) - band_radius, 0, contig);
  const std::int64_t end =
      std::clamp<std::int64_t>(diagonal + size + std::max(0, candidate.spread) + band_radius, begin, contig);
  const std::int64_t first = diagonal - begin;
  const auto fetch = [&](std::int64_t from, std::int64_t to) {
    window_.resize(static_cast<std::size_t>(to - from));
    index_.reference(candidate.contig, static_cast<std::uint64_t>(from), window_);
  };
  if (whole && !candidate.joins() && candidate.spread == 0 && diagonal >= 0 && diagonal + size <= contig) {
    const PackedBases& packed = query.packed(candidate.strand);
    const ReferenceView& reference = index_.state().reference;
    packed_window_.set(reference, reference.offsets[candidate.contig] + static_cast<std::uint64_t>(begin),
                       static_cast<std::size_t>(end - begin));
    UngappedAlignment ungapped;
    if (packed.bases_only() && packed_window_.bases_only()) {
      ungapped = align_ungapped(packed, packed_window_, static_cast<std::size_t>(first), scoring, mismatches_);
    } else {
      fetch(diagonal, diagonal + size);
      ungapped = align_ungapped(query.on(candidate.strand), window_, scoring);
    }
    // One mismatch loses less than any gap or clip, so a place that scores as much is not outdone by this one.
    const std::int32_t one_mismatch = static_cast<std::int32_t>(length) * scoring.match + 2 * scoring.end_bonus -
                                      std::min(scoring.match + scoring.mismatch, scoring.min_gap_cost());
    if (ungapped.end != 0 && (bound_.costs_more(ungapped, length) || one_mismatch <= reached ||
                              !bound_.may_gain(packed, packed_window_, first, ungapped, mismatches_)))
      return take(ungapped);
  }
  const std::span<const Code> codes = query.on(candidate.strand).subspan(part_first, part_last - part_first);
  fetch(begin, end);
  candidate.score = candidate.total = 0;
  waiting_.push_back(
      {candidate, slot, static_cast<std::uint64_t>(begin), whole && !candidate.joins() && !candidate.rescued});
  const auto bonus = [&](bool outer, bool wanted) { return !outer ? 0 : wanted ? join_bonus : -1; };
  pairs_.add(
      codes, window_, static_cast<std::int32_t>(first + candidate.spread / 2) - band_radius,
      {.begin = bonus(part_first == 0, candidate.join_begin), .end = bonus(part_last == length, candidate.join_end)});
}

std::vector<pairwise::BandedAlignment> Extender::align() {
  // A narrow band first: it holds the best alignment of most, and that can be seen.
  constexpr std::int32_t beside = band_radius - narrow_radius;
  std::vector<std::size_t> narrow, wide;
  pairwise::BandedPairs pairs;
  for (std::size_t i = 0; i < waiting_.size(); ++i)
    if (waiting_[i].may_be_narrow) {
      narrow.push_back(i);
      pairs.add(pairs_, i, beside);
    } else {
      wide.push_back(i);
    }
  std::vector<pairwise::BandedAlignment> alignments(waiting_.size());
  const pairwise::BandedOptions narrow_options{.scoring = options_.scoring,
                                               .diagonals = 2 * static_cast<std::uint32_t>(narrow_radius) + 1};
  std::vector<pairwise::BandedAlignment> found = pairwise::align_banded(device_, pairs, narrow_options);
  for (std::size_t k = 0; k < narrow.size(); ++k) {
    const std::size_t i = narrow[k];
    const std::int64_t first = pairs_.pairs()[i].first_diagonal + band_radius;
    packed_query_.set(pairs_.query(i));
    packed_window_.set(pairs_.text(i));
    if (found[k].cigar.empty() || bound_.may_gain_beyond(packed_query_, packed_window_, first, total_of(i, found[k]),
                                                         diagonals_of(found[k], first)))
      wide.push_back(i);
    else
      alignments[i] = std::move(found[k]);
  }
  if (wide.empty()) return alignments;
  pairs.clear();
  for (const std::size_t i : wide) pairs.add(pairs_, i);
  found = pairwise::align_banded(device_, pairs, options_);
  for (std::size_t k = 0; k < wide.size(); ++k) alignments[wide[k]] = std::move(found[k]);
  return alignments;
}

std::int32_t Extender::total_of(std::size_t i, const pairwise::BandedAlignment& alignment) const {
  if (alignment.cigar.empty()) return 0;
  const pairwise::BandedPairs::Pair& pair = pairs_.pairs()[i];
  std::int32_t total = alignment.score;
  if (alignment.query_begin == 0 && pair.bonuses.begin != 0) total += options_.scoring.end_bonus;
  if (alignment.query_end == pair.query_length && pair.bonuses.end != 0) total += options_.scoring.end_bonus;
  return total;
}

void Extender::run(const std::function<void(std::uint64_t slot, const Candidate& aligned)>& done) {
  const std::vector<pairwise::BandedAlignment> alignments = align();
  for (std::size_t i = 0; i < alignments.size(); ++i) {
    auto& [candidate, slot, window_begin, may_be_narrow] = waiting_[i];
    const pairwise::BandedAlignment& alignment = alignments[i];
    candidate.score = alignment.score;
    candidate.total = total_of(i, alignment);
    candidate.query_begin = candidate.first + alignment.query_begin;
    candidate.query_end = candidate.first + alignment.query_end;
    candidate.position = window_begin + alignment.text_begin;
    candidate.end = window_begin + alignment.text_end;
    candidate.cigar = alignment.cigar;
    done(slot, candidate);
  }
  waiting_.clear();
  pairs_.clear();
}

}  // namespace genocl::marose
