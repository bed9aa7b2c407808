#include "marose/align/extend.hpp"

#include <algorithm>

namespace genocl::marose {

/// More than the longest gap in the band costs.
constexpr int join_bonus = 200;

void Extender::add(Query& query, Candidate& candidate, bool exact, std::uint64_t slot) {
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
  const std::span<const Code> codes = query.on(candidate.strand).subspan(part_first, part_last - part_first);
  const std::int64_t diagonal = candidate.diagonal + part_first;  // of the part's first base
  const auto contig = static_cast<std::int64_t>(index_.length(candidate.contig));
  const std::int64_t begin =
      std::clamp<std::int64_t>(diagonal + std::min(0, candidate.spread) - band_radius, 0, contig);
  const std::int64_t end = std::clamp<std::int64_t>(
      diagonal + static_cast<std::int64_t>(codes.size()) + std::max(0, candidate.spread) + band_radius, begin, contig);
  window_.resize(static_cast<std::size_t>(end - begin));
  index_.reference(candidate.contig, static_cast<std::uint64_t>(begin), window_);
  const std::int64_t first = diagonal - begin;
  if (whole && !candidate.joins() && candidate.spread == 0 && first >= 0 &&
      first + length <= static_cast<std::int64_t>(window_.size())) {
    const UngappedAlignment best =
        align_ungapped(codes, std::span(window_).subspan(static_cast<std::size_t>(first), length), scoring);
    if (best.end != 0 && !may_gain_by_gap(codes, window_, first, best, scoring)) return take(best);
  }
  candidate.score = candidate.total = 0;
  waiting_.push_back({candidate, slot, static_cast<std::uint64_t>(begin)});
  const auto bonus = [&](bool outer, bool wanted) { return !outer ? 0 : wanted ? join_bonus : -1; };
  pairs_.add(
      codes, window_, static_cast<std::int32_t>(first + candidate.spread / 2) - band_radius,
      {.begin = bonus(part_first == 0, candidate.join_begin), .end = bonus(part_last == length, candidate.join_end)});
}

void Extender::run(const std::function<void(std::uint64_t slot, const Candidate& aligned)>& done) {
  const std::vector<pairwise::BandedAlignment> alignments = pairwise::align_banded(device_, pairs_, options_);
  for (std::size_t i = 0; i < alignments.size(); ++i) {
    auto& [candidate, slot, window_begin] = waiting_[i];
    const pairwise::BandedAlignment& alignment = alignments[i];
    candidate.score = alignment.score;
    candidate.total = alignment.score;
    if (!alignment.cigar.empty()) {
      const pairwise::BandedPairs::Pair& pair = pairs_.pairs()[i];
      if (alignment.query_begin == 0 && pair.bonuses.begin != 0) candidate.total += options_.scoring.end_bonus;
      if (alignment.query_end == pair.query_length && pair.bonuses.end != 0)
        candidate.total += options_.scoring.end_bonus;
    }
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
