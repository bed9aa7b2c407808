#include "overlap/genomes/assemble.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "pairwise/extension.hpp"

namespace genocl::overlap {
namespace detail::assemble {

/// A candidate of Ruzzo and Tompa's list: the sums before it and at its end, and the last candidate before it whose sum
/// before is lower.
struct Candidate {
  Segment segment;
  std::int64_t before, after;
  std::ptrdiff_t lower;
};

/// Adds a positive element to the list of a stretch.
void add_candidate(std::vector<Candidate>& list, Candidate next) {
  for (;;) {
    next.lower = static_cast<std::ptrdiff_t>(list.size()) - 1;
    while (next.lower >= 0 && list[static_cast<std::size_t>(next.lower)].before >= next.before)
      next.lower = list[static_cast<std::size_t>(next.lower)].lower;
    if (next.lower < 0 || list[static_cast<std::size_t>(next.lower)].after >= next.after) {
      list.push_back(next);
      return;
    }
    const Candidate& first = list[static_cast<std::size_t>(next.lower)];
    next.segment.begin = first.segment.begin;
    next.before = first.before;
    list.resize(static_cast<std::size_t>(next.lower));
  }
}

}  // namespace detail::assemble

std::vector<Segment> maximal_segments(std::span<const std::int64_t> scores, std::int64_t max_drop) {
  using namespace detail::assemble;
  std::vector<Segment> segments;
  std::vector<Candidate> list;
  const auto end_stretch = [&] {
    for (const Candidate& candidate : list) segments.push_back(candidate.segment);
    list.clear();
  };
  std::int64_t sum = 0, highest = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::int64_t before = sum;
    sum += scores[i];
    if (scores[i] > 0) add_candidate(list, {{i, i + 1}, before, sum, -1});
    highest = std::max(highest, sum);
    if (highest - sum <= max_drop) continue;
    end_stretch();
    highest = sum;
  }
  end_stretch();
  return segments;
}

std::uint32_t GapPairs::add(std::span<const Code> query, std::span<const Code> reference) {
  queries_.append({}, query);
  references_.append({}, reference);
  return static_cast<std::uint32_t>(queries_.size() - 1);
}

void GapPairs::clear() {
  queries_.clear();
  references_.clear();
}

GenomeAssembler::GenomeAssembler(const GenomeAlignOptions& options)
    : options_(options),
      matrix_(pairwise::Matrix::dna(options.scoring.match, -options.scoring.mismatch)),
      gap_{options.scoring.gap_open, options.scoring.gap_extend},
      scoring_(matrix_, gap_) {}

void GenomeAssembler::collect(Draft& draft, std::span<const Code> reference, std::span<const Code> query,
                              GapPairs& gaps) const {
  for (std::size_t i = 0; i + 1 < draft.anchors.size(); ++i) {
    const Anchor &a = draft.anchors[i], &b = draft.anchors[i + 1];
    const std::uint64_t in_reference = b.reference - a.reference_end(), in_query = b.query - a.query_end();
    // A single column of two letters is better than two gaps if it costs less.
    const bool single = in_reference == 1 && in_query == 1 &&
                        matrix_(query[a.query_end()], reference[a.reference_end()]) >= -2 * gap_.first();
    const bool easy = in_reference == 0 || in_query == 0 || single;
    draft.pairs.push_back(
        easy ? Draft::no_pair
             : gaps.add(query.subspan(a.query_end(), in_query), reference.subspan(a.reference_end(), in_reference)));
  }
}

GapAlignments GenomeAssembler::align(Devices devices, const GapPairs& gaps) const {
  if (gaps.queries().empty()) return {};
  return pairwise::align_pairs(devices, gaps.queries(), gaps.references(),
                               {.matrix = matrix_, .gap = gap_, .mode = pairwise::PairMode::global});
}

void GenomeAssembler::append_gap(Cigar& cigar, const Draft& draft, std::size_t i, const GapAlignments& gaps,
                                 std::span<const Code> reference, std::span<const Code> query) const {
  if (draft.pairs[i] != Draft::no_pair) {
    for (const pairwise::EditRun& run : gaps[draft.pairs[i]].runs) cigar.append(run.length, run.operation);
    return;
  }
  const Anchor &a = draft.anchors[i], &b = draft.anchors[i + 1];
  const std::uint64_t in_reference = b.reference - a.reference_end(), in_query = b.query - a.query_end();
  if (in_reference == 0)
    cigar.append(static_cast<std::uint32_t>(in_query), 'I');
  else if (in_query == 0)
    cigar.append(static_cast<std::uint32_t>(in_reference), 'D');
  else
    cigar.append(1, reference[a.reference_end()] == query[a.query_end()] ? '=' : 'X');
}

std::vector<std::int64_t> GenomeAssembler::scores_of(const Part& part, std::span<const Segment> gaps,
                                                     std::span<const Code> reference,
                                                     std::span<const Code> query) const {
  std::vector<std::int64_t> scores;
  std::uint64_t i = part.reference.begin, j = part.query.begin;
  for (const CigarRun& run : part.cigar.runs()) {
    std::int64_t score = 0;
    if (run.letter() == 'I' || run.letter() == 'D')
      score = -gap_.open - std::int64_t{run.length()} * gap_.extend;
    else
      for (std::uint32_t k = 0; k < run.length(); ++k) score += matrix_(query[j + k], reference[i + k]);
    scores.push_back(score);
    if (run.letter() != 'I') i += run.length();
    if (run.letter() != 'D') j += run.length();
  }
  const std::span<const CigarRun> runs = part.cigar.runs();
  for (const Segment& gap : gaps) {
    std::int64_t excess = 0;  // of D
    for (std::size_t k = gap.begin; k < gap.end; ++k)
      excess += runs[k].letter() == 'D'   ? runs[k].length()
                : runs[k].letter() == 'I' ? -std::int64_t{runs[k].length()}
                                          : 0;
    const char longer = excess > 0 ? 'D' : 'I';
    excess = std::abs(excess);
    for (std::size_t k = gap.begin; k < gap.end; ++k) {
      if (runs[k].letter() != longer) continue;
      const std::int64_t free = std::min<std::int64_t>(excess, runs[k].length() - 1);
      scores[k] += free * gap_.extend;
      excess -= free;
    }
  }
  return scores;
}

void GenomeAssembler::extend_begin(Part& part, std::span<const Code> reference, std::span<const Code> query) const {
  const std::uint64_t in_reference = std::min(part.reference.begin, options_.max_gap),
                      in_query = std::min(part.query.begin, options_.max_gap);
  if (in_reference == 0 || in_query == 0) return;
  // The pivot is the first column.
  const pairwise::Alignment found =
      pairwise::extend(query.subspan(part.query.begin - in_query, in_query + 1),
                       reference.subspan(part.reference.begin - in_reference, in_reference + 1),
                       {in_query, in_reference}, scoring_, matrix_, options_.max_drop);
  Cigar cigar;
  for (std::size_t i = 0; i < found.runs.size(); ++i)
    cigar.append(found.runs[i].length - (i + 1 == found.runs.size() ? 1 : 0), found.runs[i].operation);
  cigar.append(part.cigar);
  part.cigar = std::move(cigar);
  part.reference.begin -= in_reference - found.subject_begin;
  part.query.begin -= in_query - found.query_begin;
}

void GenomeAssembler::extend_end(Part& part, std::span<const Code> reference, std::span<const Code> query) const {
  const std::uint64_t in_reference = std::min(reference.size() - part.reference.end, options_.max_gap),
                      in_query = std::min(query.size() - part.query.end, options_.max_gap);
  if (in_reference == 0 || in_query == 0) return;
  const pairwise::Alignment found = pairwise::extend(query.subspan(part.query.end - 1, in_query + 1),
                                                     reference.subspan(part.reference.end - 1, in_reference + 1),
                                                     {0, 0}, scoring_, matrix_, options_.max_drop);
  for (std::size_t i = 0; i < found.runs.size(); ++i)
    part.cigar.append(found.runs[i].length - (i == 0 ? 1 : 0), found.runs[i].operation);
  part.reference.end += found.subject_end - 1;
  part.query.end += found.query_end - 1;
}

void GenomeAssembler::store(GenomeAlignment& alignment, Part&& part, std::span<const Code> reference,
                            std::span<const Code> query) const {
  alignment.score = 0;
  alignment.matches = alignment.mismatches = alignment.gaps = 0;
  std::uint64_t i = part.reference.begin, j = part.query.begin;
  for (const CigarRun& run : part.cigar.runs()) {
    const std::uint32_t length = run.length();
    if (run.letter() == 'I' || run.letter() == 'D') {
      alignment.gaps += length;
      alignment.score -= gap_.open + std::int64_t{length} * gap_.extend;
    } else {
      (run.letter() == '=' ? alignment.matches : alignment.mismatches) += length;
      for (std::uint32_t k = 0; k < length; ++k) alignment.score += matrix_(query[j + k], reference[i + k]);
    }
    if (run.letter() != 'I') i += length;
    if (run.letter() != 'D') j += length;
  }
  alignment.reference = {alignment.reference.sequence, part.reference.begin, part.reference.end};
  const Interval place = alignment.strand == Strand::forward ? part.query : part.query.reversed(query.size());
  alignment.query = {alignment.query.sequence, place.begin, place.end};
  alignment.cigar = std::move(part.cigar);
}

void GenomeAssembler::extend(GenomeAlignment& alignment, std::span<const Code> reference,
                             std::span<const Code> query) const {
  const Interval place{alignment.query.begin, alignment.query.end};
  Part part{.reference = {alignment.reference.begin, alignment.reference.end},
            .query = alignment.strand == Strand::forward ? place : place.reversed(query.size()),
            .cigar = std::move(alignment.cigar)};
  extend_begin(part, reference, query);
  extend_end(part, reference, query);
  store(alignment, std::move(part), reference, query);
}

std::vector<GenomeAlignment> GenomeAssembler::assemble(const Draft& draft, std::span<const Code> reference,
                                                       std::span<const Code> query, std::uint64_t query_number,
                                                       const GapAlignments& gaps) const {
  Part whole{.reference = {draft.anchors.front().reference, draft.anchors.back().reference_end()},
             .query = {draft.anchors.front().query, draft.anchors.back().query_end()}};
  std::vector<Segment> filled;  // runs of each gap, with those of its anchors
  for (std::size_t i = 0; i < draft.anchors.size(); ++i) {
    if (i > 0) {
      const std::size_t before = whole.cigar.runs().size();
      append_gap(whole.cigar, draft, i - 1, gaps, reference, query);
      filled.push_back({before, whole.cigar.runs().size()});
    }
    whole.cigar.append(static_cast<std::uint32_t>(draft.anchors[i].length), '=');
  }
  const std::span<const CigarRun> runs = whole.cigar.runs();
  std::vector<GenomeAlignment> alignments;
  std::uint64_t i = whole.reference.begin, j = whole.query.begin;
  std::size_t run = 0;
  const auto pass = [&](std::size_t end, Cigar* cigar) {
    for (; run < end; ++run) {
      if (cigar != nullptr) cigar->append(runs[run]);
      if (runs[run].uses_reference()) i += runs[run].length();
      if (runs[run].uses_query()) j += runs[run].length();
    }
  };
  for (const Segment& segment : maximal_segments(scores_of(whole, filled, reference, query), options_.max_drop)) {
    pass(segment.begin, nullptr);
    Part part{.reference = {i, i}, .query = {j, j}};
    pass(segment.end, &part.cigar);
    part.reference.end = i;
    part.query.end = j;
    GenomeAlignment alignment;
    alignment.reference.sequence = draft.record;
    alignment.query.sequence = query_number;
    alignment.strand = draft.strand;
    store(alignment, std::move(part), reference, query);
    if (alignment.matches < options_.min_cluster) continue;
    alignments.push_back(std::move(alignment));
  }
  return alignments;
}

}  // namespace genocl::overlap
