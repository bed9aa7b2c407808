#include "marose/align/ungapped.hpp"

#include <algorithm>
#include <vector>

namespace genocl::marose {
namespace {

/// Mismatches of query [begin, end) on the diagonal `shift` bases right of the query's place, counted up to `limit`.
/// Bases outside the window mismatch.
std::uint32_t mismatches(std::span<const Code> query, std::span<const Code> window, std::int64_t first,
                         std::int64_t shift, std::int64_t begin, std::int64_t end, std::uint32_t limit) {
  std::uint32_t count = 0;
  for (std::int64_t i = begin; i < end && count < limit; ++i) {
    const std::int64_t at = first + shift + i;
    if (at < 0 || at >= static_cast<std::int64_t>(window.size()) ||
        query[static_cast<std::size_t>(i)] != window[static_cast<std::size_t>(at)])
      ++count;
  }
  return count;
}

}  // namespace

UngappedAlignment align_ungapped(std::span<const Code> query, std::span<const Code> text,
                                 const pairwise::DnaScoring& scoring) {
  UngappedAlignment best;
  const auto length = static_cast<std::uint32_t>(query.size());
  std::int32_t total = scoring.end_bonus;
  std::uint32_t begin = 0;
  for (std::uint32_t i = 0; i < length; ++i) {
    if (total <= 0) total = 0, begin = i;
    if (!dna::is_base(query[i]) || !dna::is_base(text[i]))
      total -= scoring.ambiguous;
    else
      total += query[i] == text[i] ? scoring.match : -scoring.mismatch;
    const std::int32_t here = total + (i + 1 == length ? scoring.end_bonus : 0);
    if (here > best.total) best = {0, here, begin, i + 1};
  }
  best.score = best.total;
  if (best.end == 0) return best;
  if (best.begin == 0) best.score -= scoring.end_bonus;
  if (best.end == length) best.score -= scoring.end_bonus;
  return best;
}

bool may_gain_by_gap(std::span<const Code> query, std::span<const Code> window, std::int64_t first,
                     const UngappedAlignment& best, const pairwise::DnaScoring& s) {
  const auto length = static_cast<std::int64_t>(query.size());
  const std::int32_t perfect = static_cast<std::int32_t>(length) * s.match + 2 * s.end_bonus;
  const std::int32_t loss = perfect - best.total, gap = s.min_gap_cost();
  if (loss <= gap) return false;
  // What an alignment with one gap of a base may lose besides: at most one mismatch, one end with less than `clip`
  // bases clipped, or a second deletion of a base. Two mismatches, or a gap to another diagonal and back, lose more.
  const std::int32_t rest = loss - gap, mismatch = s.match + s.mismatch;
  const bool unknown = std::ranges::any_of(query, [](Code code) { return !dna::is_base(code); });
  if (unknown || rest > 2 * mismatch || rest > gap + s.match || gap <= mismatch || 3 * gap < loss ||
      s.end_bonus + 3 * s.match < rest || s.end_bonus + s.match + mismatch < rest)
    return true;
  const std::int64_t clip = 2;
  std::vector<std::int64_t> at;
  for (std::int64_t i = 0; i < length; ++i) {
    const std::int64_t j = first + i;
    if (j < 0 || j >= static_cast<std::int64_t>(window.size())) return true;
    if (!dna::is_base(window[static_cast<std::size_t>(j)])) return true;
    if (query[static_cast<std::size_t>(i)] != window[static_cast<std::size_t>(j)]) at.push_back(i);
  }
  const std::size_t count = at.size();
  if (count < 2) return true;
  const std::int64_t half = length / 2;
  const std::int64_t left = std::min(at[1] + 1, half), right = std::max(at[count - 2], half);
  const auto few = [&](std::int64_t shift, std::int64_t begin, std::int64_t end) {
    return mismatches(query, window, first, shift, begin, end, 2) <= 1;
  };
  // The first gap takes the alignment to the candidate's diagonal, or away from it.
  const std::int32_t near =
      std::max<std::int32_t>(1, (loss - std::min(s.gap_open, s.gap_open2)) / std::min(s.gap_extend, s.gap_extend2));
  // What an insertion takes in is on neither diagonal, so mismatches there do not tell against it.
  const std::int32_t longest_insertion = (loss - std::min(s.gap_open, s.gap_open2)) /
                                         (std::min(s.gap_extend, s.gap_extend2) + s.match);
  for (std::int64_t shift = 1; shift <= std::min(near, 2 * band_radius); ++shift) {
    const std::int64_t inserted = shift <= longest_insertion ? shift : 0;
    if (left - inserted <= clip || right + inserted >= length - clip) return true;
    if (few(-shift, clip, left) || few(shift, right, length - clip)) return true;
    if (few(shift, clip, left - inserted) || few(-shift, right + inserted, length - clip)) return true;
  }
  // Or it never follows that diagonal: nearly half of the query lies on another one.
  for (std::int64_t shift = 1; shift <= band_radius; ++shift)
    for (const std::int64_t d : {-shift, shift})
      if (few(d, clip, half - longest_insertion) || few(d, half + longest_insertion, length - clip)) return true;
  // Two deletions of one base, the middle part between them on the next diagonal.
  if (loss > 2 * gap) {
    const std::int64_t third = at[std::min<std::size_t>(2, count - 1)] + 1, before = at[count >= 3 ? count - 3 : 0];
    for (const std::int64_t d : {-1, 1}) {
      if (third > left && mismatches(query, window, first, d, left, third, 1) == 0) return true;
      if (before < right && mismatches(query, window, first, d, before, right, 1) == 0) return true;
    }
  }
  return false;
}

}  // namespace genocl::marose
