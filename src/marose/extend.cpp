// Alignment of candidates: on one diagonal, or banded with affine gaps on the device.

#include "marose/extend.hpp"

#include <algorithm>
#include <utility>

#include "marose/index.hpp"
#include "runtime/launch.hpp"
#include "runtime/state_access.hpp"
#include "runtime/vector_clones.hpp"

namespace genocl::marose {
namespace {

/// 32 bases in two halves, each with a mask of the bases that count.
struct Halves {
  std::uint32_t high, low, high_mask, low_mask;
};

/// Positions that have_half() and have_high() examine together.
constexpr std::int64_t block = 16;

/// Whether either half matches at one of `block` positions. `starts`: see PackedBases::starts().
GENOCL_VECTOR_CLONES bool have_half(const std::uint32_t* starts, const Halves& bases) {
  std::uint32_t equal = 0;
  for (std::int64_t k = 0; k < block; ++k) {
    equal |= ((starts[k] ^ bases.high) & bases.high_mask) == 0 ? 1u : 0u;
    equal |= ((starts[k + 16] ^ bases.low) & bases.low_mask) == 0 ? 1u : 0u;
  }
  return equal != 0;
}

/// The same for the first half only.
GENOCL_VECTOR_CLONES bool have_high(const std::uint32_t* starts, std::uint32_t high, std::uint32_t mask) {
  std::uint32_t equal = 0;
  for (std::int64_t k = 0; k < block; ++k) equal |= ((starts[k] ^ high) & mask) == 0 ? 1u : 0u;
  return equal != 0;
}

void list_mismatches(const PackedBases& query, const PackedBases& text, std::size_t first,
                     std::vector<std::uint32_t>& at) {
  at.clear();
  for (std::size_t i = 0; i < query.size(); i += 32) {
    std::uint64_t x = differing(query.window(i), text.window(first + i), std::min<std::size_t>(32, query.size() - i));
    for (; x != 0; x = without_first(x)) at.push_back(static_cast<std::uint32_t>(i + first_difference(x)));
  }
}

/// The best part, column by column.
UngappedAlignment best_part(std::span<const Code> query, std::span<const Code> text, const pairwise::DnaScoring& s) {
  UngappedAlignment best;
  const auto length = static_cast<std::uint32_t>(query.size());
  std::int32_t total = s.end_bonus;
  std::uint32_t begin = 0;
  for (std::uint32_t i = 0; i < length; ++i) {
    if (total <= 0 && i > 0) total = 0, begin = i;
    if (!dna::is_base(query[i]) || !dna::is_base(text[i]))
      total -= s.ambiguous;
    else
      total += query[i] == text[i] ? s.match : -s.mismatch;
    const std::int32_t here = total + (i + 1 == length ? s.end_bonus : 0);
    if (here > best.total) best = {0, here, {begin, i + 1}};
  }
  return best;
}

/// The same by runs of matches.
UngappedAlignment best_part(std::uint32_t length, std::span<const std::uint32_t> mismatches,
                            const pairwise::DnaScoring& s) {
  UngappedAlignment best;
  std::int32_t total = s.end_bonus;
  std::uint32_t begin = 0, at = 0;
  for (std::size_t m = 0; m <= mismatches.size(); ++m) {
    const std::uint32_t run_end = m == mismatches.size() ? length : mismatches[m];
    if (total <= 0 && at > 0) total = 0, begin = at;
    total += static_cast<std::int32_t>(run_end - at) * s.match;
    const std::int32_t here = total + (run_end == length ? s.end_bonus : 0);
    if (here > best.total && run_end > begin) best = {0, here, {begin, run_end}};
    if (m == mismatches.size()) break;
    total -= s.mismatch;
    at = run_end + 1;
    // A read may end with a mismatch.
    if (at == length) {
      if (total + s.end_bonus > best.total) best = {0, total + s.end_bonus, {begin, length}};
      break;
    }
  }
  return best;
}

UngappedAlignment without_bonuses(UngappedAlignment best, std::uint32_t length, const pairwise::DnaScoring& scoring) {
  best.score = best.total;
  if (best.in_query.empty()) return best;
  if (best.in_query.begin == 0) best.score -= scoring.end_bonus;
  if (best.in_query.end == length) best.score -= scoring.end_bonus;
  return best;
}

}  // namespace

UngappedAlignment align_ungapped(const PackedBases& query, const PackedBases& window, std::size_t first,
                                 const pairwise::DnaScoring& scoring, std::vector<std::uint32_t>& mismatches) {
  list_mismatches(query, window, first, mismatches);
  const auto length = static_cast<std::uint32_t>(query.size());
  return without_bonuses(best_part(length, mismatches, scoring), length, scoring);
}

UngappedAlignment align_ungapped(std::span<const Code> query, std::span<const Code> text,
                                 const pairwise::DnaScoring& scoring) {
  return without_bonuses(best_part(query, text, scoring), static_cast<std::uint32_t>(query.size()), scoring);
}

Diagonals diagonals_of(const pairwise::BandedAlignment& alignment, std::int64_t zero) {
  auto at = static_cast<std::int32_t>(std::int64_t{alignment.text_begin} - alignment.query_begin - zero);
  Diagonals all{at, at};
  for (const CigarRun& run : alignment.cigar.runs()) {
    if (run.letter() == 'M') continue;
    at += static_cast<std::int32_t>(run.length()) * (run.letter() == 'D' ? 1 : -1);
    all.first = std::min(all.first, at);
    all.last = std::max(all.last, at);
  }
  return all;
}

bool GapBound::few(std::int64_t shift, std::int64_t begin, std::int64_t end) const {
  const auto size = static_cast<std::int64_t>(window_->size());
  std::int64_t text = first_ + shift + begin;
  if (text < 0 || first_ + shift + end > size) {
    // Bases outside mismatch; two of them are too many.
    const std::int64_t outside =
        std::max<std::int64_t>(0, -text) + std::max<std::int64_t>(0, first_ + shift + end - size);
    if (outside > 1) return false;
    if (text < 0)
      ++text, ++begin;
    else
      --end;
  }
  bool one = false;
  for (std::int64_t i = begin; i < end; i += 32, text += 32) {
    const std::uint64_t x =
        differing(query_->window(static_cast<std::size_t>(i)), window_->window(static_cast<std::size_t>(text)),
                  static_cast<std::size_t>(std::min<std::int64_t>(32, end - i)));
    if (x == 0) continue;
    if (one || (x & (x - 1)) != 0) return false;
    one = true;
  }
  return true;
}

bool GapBound::may_gain(const PackedBases& query, const PackedBases& window, std::int64_t first,
                        const UngappedAlignment& best, std::span<const std::uint32_t> mismatches) {
  const pairwise::DnaScoring& s = s_;
  const auto length = static_cast<std::int64_t>(query.size());
  const std::int32_t loss = loss_of(best.total, static_cast<std::uint32_t>(length)), gap = s.min_gap_cost();
  if (loss <= gap) return false;
  // The remaining loss of an alignment with one gap of one base: at most one mismatch, one end with fewer than `clip`
  // clipped bases, or a second deletion of one base. Two mismatches, or a gap to another diagonal and back, lose
  // more.
  const std::int32_t rest = loss - gap, mismatch = s.match + s.mismatch;
  if (rest > 2 * mismatch || rest > gap + s.match || gap <= mismatch || 3 * gap < loss ||
      s.end_bonus + 3 * s.match < rest || s.end_bonus + s.match + mismatch < rest)
    return true;
  const std::int64_t clip = 2;
  if (!query.bases_only() || !window.bases_only()) return true;
  query_ = &query;
  window_ = &window;
  first_ = first;
  const std::size_t count = mismatches.size();
  const auto at = [&](std::size_t i) { return static_cast<std::int64_t>(mismatches[i]); };
  if (count < 2) return true;
  const std::int64_t half = length / 2;
  const std::int64_t left = std::min(at(1) + 1, half), right = std::max(at(count - 2), half);
  // The first gap leads to the candidate's diagonal, or away from it.
  const std::int32_t near =
      std::max<std::int32_t>(1, (loss - std::min(s.gap_open, s.gap_open2)) / std::min(s.gap_extend, s.gap_extend2));
  // Inserted bases are on neither diagonal, so mismatches there are no evidence.
  const std::int32_t longest_insertion =
      (loss - std::min(s.gap_open, s.gap_open2)) / (std::min(s.gap_extend, s.gap_extend2) + s.match);
  for (std::int64_t shift = 1; shift <= std::min(near, 2 * band_radius); ++shift) {
    const std::int64_t inserted = shift <= longest_insertion ? shift : 0;
    if (left - inserted <= clip || right + inserted >= length - clip) return true;
    if (few(-shift, clip, left) || few(shift, right, length - clip)) return true;
    if (few(shift, clip, left - inserted) || few(-shift, right + inserted, length - clip)) return true;
  }
  // Otherwise nearly half of the query is on another diagonal.
  window.starts(starts_);
  const std::int64_t halves[2][2] = {{clip, half - longest_insertion}, {half + longest_insertion, length - clip}};
  for (const auto& [begin, end] : halves) {
    if (begin >= end) return true;
    const std::uint64_t word = query.window(static_cast<std::size_t>(begin));
    const std::uint64_t mask = ~std::uint64_t{0} << (64 - 2 * std::min<std::int64_t>(32, end - begin));
    const std::int64_t from = first + begin, size = static_cast<std::int64_t>(window.size());
    const std::int64_t last = std::min(from + band_radius + 1, size);
    const Halves both = {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word),
                         static_cast<std::uint32_t>(mask >> 32), static_cast<std::uint32_t>(mask)};
    for (std::int64_t there = std::max<std::int64_t>(0, from - band_radius); there < last; ++there) {
      // Most blocks have none.
      while (there + block <= last && !have_half(starts_.data() + there, both)) there += block;
      if (there >= last) break;
      const std::uint64_t x = (word ^ window.window(static_cast<std::size_t>(there))) & mask;
      // One mismatch is in one half of the word.
      if (x >> 32 != 0 && static_cast<std::uint32_t>(x) != 0) continue;
      if (there != from && few(there - from, begin, end)) return true;
    }
  }
  // Two deletions of one base, with the part between them on the next diagonal.
  if (loss > 2 * gap) {
    const std::int64_t third = at(std::min<std::size_t>(2, count - 1)) + 1, before = at(count >= 3 ? count - 3 : 0);
    for (const std::int64_t d : {-1, 1}) {
      if (third > left && few(d, left, third)) return true;
      if (before < right && few(d, before, right)) return true;
    }
  }
  return false;
}

bool GapBound::matches_off(Diagonals used, std::int64_t begin, std::int64_t count) const {
  const auto bases = static_cast<std::size_t>(std::min<std::int64_t>(count, 32));
  const std::uint64_t word = query_->window(static_cast<std::size_t>(begin));
  const auto high = static_cast<std::uint32_t>(word >> 32);
  const std::uint32_t mask = ~0u << (32 - 2 * std::min<std::int64_t>(count, 16));
  const std::int64_t at = first_ + begin;
  const auto found = [&](std::int64_t from, std::int64_t to) {
    std::int64_t i = at + std::max(from, -at);
    const std::int64_t end = std::min(at + to + 1, static_cast<std::int64_t>(window_->size()) - count + 1);
    while (i < end) {
      const std::int64_t blocks_end = std::min(i + block, end);
      if (i + block <= end) {
        if (!have_high(starts_.data() + i, high, mask)) {
          i += block;
          continue;
        }
      }
      for (; i < blocks_end; ++i)
        if (differing(word, window_->window(static_cast<std::size_t>(i)), bases) == 0) return true;
    }
    return false;
  };
  return found(-band_radius, used.first - 1) || found(used.last + 1, band_radius);
}

bool GapBound::may_gain_beyond(const PackedBases& query, const PackedBases& window, std::int64_t first,
                               std::int32_t total, Diagonals used) {
  const auto length = static_cast<std::int64_t>(query.size());
  const std::int32_t loss = loss_of(total, static_cast<std::uint32_t>(length));
  // Minimum loss of a difference: a mismatch, a gap, one gap in two pieces, or a clipped end. Parts are long enough
  // that an end clipped over several of them loses as much for each.
  const std::int32_t difference =
      std::min({s_.match + s_.mismatch, s_.min_gap_cost(), s_.end_bonus + s_.match, s_.gap_open, s_.gap_open2});
  const std::int32_t reach = narrow_radius + 1 - std::max(used.last, -used.first);
  if (difference <= 0 || reach <= 0) return true;
  const std::int32_t crossing = s_.gap_cost(static_cast<std::uint32_t>(reach));
  // Gaps in both directions.
  if (loss > 2 * crossing) return true;
  constexpr std::int64_t shortest = 7;
  const std::int64_t parts = (loss - 1) / difference + 1, part = length / parts;
  const auto too_short = [&](std::int64_t bases) {
    return bases < shortest || bases * s_.match < std::int64_t{difference};
  };
  if (too_short(part)) return true;
  if (!query.bases_only() || !window.bases_only()) return true;
  query_ = &query;
  window_ = &window;
  window.starts(starts_);
  first_ = first;
  for (std::int64_t k = 0; k < parts; ++k)
    if (matches_off(used, k * part, part)) return true;
  for (std::int32_t differences = 0; crossing + differences * difference < loss; ++differences) {
    const std::int64_t least = std::max(0, crossing - s_.end_bonus + differences * difference) / s_.match + 1;
    const std::int64_t piece = least / (differences + 1);
    if (too_short(piece) || least > length) return true;
    for (std::int64_t k = 0; k <= differences; ++k)
      if (matches_off(used, k * piece, piece) || matches_off(used, length - (k + 1) * piece, piece)) return true;
  }
  return false;
}

/// Exceeds the cost of the longest gap in the band.
constexpr int join_bonus = 200;

void Extender::add(Query& query, Candidate& candidate, bool exact, std::uint64_t slot, std::int32_t reached) {
  const pairwise::DnaScoring& scoring = options_.scoring;
  const std::uint32_t length = query.length();
  const auto take = [&](const UngappedAlignment& best) {
    candidate.score = best.score;
    candidate.total = best.total;
    candidate.in_query = best.in_query;
    candidate.in_contig = {static_cast<std::uint64_t>(candidate.diagonal + best.in_query.begin),
                           static_cast<std::uint64_t>(candidate.diagonal + best.in_query.end)};
    candidate.cigar.clear();
    candidate.cigar.append(best.in_query.length(), 'M');
  };
  if (exact) {
    const auto score = static_cast<std::int32_t>(length) * scoring.match;
    return take({score, score + 2 * scoring.end_bonus, {0, length}});
  }
  const QueryInterval part = candidate.remainder() ? candidate.part : QueryInterval{0, length};
  const bool whole = part.length() == length;
  const std::int64_t diagonal = candidate.diagonal + part.begin;  // of the part's first base
  const auto contig = static_cast<std::int64_t>(index_.length(candidate.contig));
  const auto size = std::int64_t{part.length()};
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
    const ReferenceView& reference = runtime::state_of(index_).reference;
    packed_window_.set(reference, reference.offsets[candidate.contig] + static_cast<std::uint64_t>(begin),
                       static_cast<std::size_t>(end - begin));
    UngappedAlignment ungapped;
    if (packed.bases_only() && packed_window_.bases_only()) {
      ungapped = align_ungapped(packed, packed_window_, static_cast<std::size_t>(first), scoring, mismatches_);
    } else {
      fetch(diagonal, diagonal + size);
      ungapped = align_ungapped(query.on(candidate.strand), window_, scoring);
    }
    // One mismatch loses less than any gap or clip, so this candidate cannot outscore a place with that score.
    const std::int32_t one_mismatch = static_cast<std::int32_t>(length) * scoring.match + 2 * scoring.end_bonus -
                                      std::min(scoring.match + scoring.mismatch, scoring.min_gap_cost());
    if (!ungapped.in_query.empty() && (bound_.costs_more(ungapped, length) || one_mismatch <= reached ||
                                       !bound_.may_gain(packed, packed_window_, first, ungapped, mismatches_)))
      return take(ungapped);
  }
  const std::span<const Code> codes = query.on(candidate.strand).subspan(part.begin, part.length());
  fetch(begin, end);
  candidate.score = candidate.total = 0;
  waiting_.push_back(
      {candidate, slot, static_cast<std::uint64_t>(begin), whole && !candidate.joins() && !candidate.rescued});
  const auto bonus = [&](bool outer, bool wanted) { return !outer ? 0 : wanted ? join_bonus : -1; };
  pairs_.add(
      codes, window_, static_cast<std::int32_t>(first + candidate.spread / 2) - band_radius,
      {.begin = bonus(part.begin == 0, candidate.join_begin), .end = bonus(part.end == length, candidate.join_end)});
}

std::vector<pairwise::BandedAlignment> Extender::align(const pairwise::BandedPairs& pairs,
                                                       const pairwise::BandedOptions& options) const {
  // The host takes less than 0.1 ms for a pair. A CPU device compiles its kernel in 0.3 s.
  constexpr std::size_t few_pairs = 512;
  if (!few_reads_ || pairs.size() > few_pairs || !runtime::uses_cpu_kernels(device_))
    return pairwise::align_banded(device_, pairs, options);
  std::vector<pairwise::BandedAlignment> alignments(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (const auto& pair = pairs.pairs()[i]; pair.query_length != 0)
      alignments[i] = pairwise::align_banded(pairs.query(i), pairs.text(i), pair.first_diagonal, options, pair.bonuses);
  return alignments;
}

std::vector<pairwise::BandedAlignment> Extender::align() {
  // GPUs align in the wide band faster than the host verifies an alignment in the narrow one.
  if (!runtime::uses_cpu_kernels(device_)) return pairwise::align_banded(device_, pairs_, options_);
  // Narrow band first: it contains the best alignment of most candidates, which is verified afterwards.
  constexpr std::int32_t radius_difference = band_radius - narrow_radius;
  std::vector<std::size_t> narrow, wide;
  pairwise::BandedPairs pairs;
  for (std::size_t i = 0; i < waiting_.size(); ++i)
    if (waiting_[i].may_be_narrow) {
      narrow.push_back(i);
      pairs.add(pairs_, i, radius_difference);
    } else {
      wide.push_back(i);
    }
  std::vector<pairwise::BandedAlignment> alignments(waiting_.size());
  const pairwise::BandedOptions narrow_options{.scoring = options_.scoring,
                                               .diagonals = 2 * static_cast<std::uint32_t>(narrow_radius) + 1};
  std::vector<pairwise::BandedAlignment> found = align(pairs, narrow_options);
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
  found = align(pairs, options_);
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
    const std::uint32_t first = candidate.part.begin;
    candidate.in_query = {first + alignment.query_begin, first + alignment.query_end};
    candidate.in_contig = {window_begin + alignment.text_begin, window_begin + alignment.text_end};
    candidate.cigar = alignment.cigar;
    done(slot, candidate);
  }
  waiting_.clear();
  pairs_.clear();
}

}  // namespace genocl::marose
