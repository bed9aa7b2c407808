// Affine alignments of a batch of reads, with mate rescue and parts of reads.

#include "marose/align.hpp"

#include <algorithm>
#include <utility>

#include "marose/extend.hpp"
#include "marose/index.hpp"
#include "marose/mapq.hpp"
#include "runtime/state_access.hpp"

namespace genocl::marose {
namespace {

/// Calls found(k-mer, position) for each word of k bases.
template <class Found>
void for_each_kmer(std::span<const Code> text, Found&& found) {
  constexpr std::uint32_t mask = (std::uint32_t{1} << (2 * DiagonalSearch::k)) - 1;
  std::uint32_t word = 0;
  unsigned bases = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!dna::is_base(text[i])) {
      bases = 0;
      continue;
    }
    word = (word << 2 | text[i]) & mask;
    if (++bases >= DiagonalSearch::k) found(word, i + 1 - DiagonalSearch::k);
  }
}

}  // namespace

void DiagonalSearch::set_query(std::span<const Code> query) {
  for (const std::uint32_t word : used_) first_[word] = none;
  used_.clear();
  length_ = query.size();
  next_.assign(query.size(), none);
  for_each_kmer(query, [&](std::uint32_t word, std::size_t position) {
    next_[position] = first_[word];
    if (first_[word] == none) used_.push_back(word);
    first_[word] = static_cast<std::uint16_t>(position);
  });
}

std::vector<DiagonalSearch::Diagonal> DiagonalSearch::find(std::span<const Code> text, std::uint32_t min_kmers,
                                                           std::size_t most) {
  const auto offset = static_cast<std::int64_t>(length_);
  const std::size_t bins = (text.size() + length_) / bin + 2;
  counts_.assign(bins, 0);
  for_each_kmer(text, [&](std::uint32_t word, std::size_t position) {
    for (std::uint16_t at = first_[word]; at != none; at = next_[at])
      ++counts_[static_cast<std::size_t>((static_cast<std::int64_t>(position) - at + offset) / bin)];
  });
  std::vector<Diagonal> found;
  for (std::size_t b = 0; b + 1 < bins; ++b) {
    const std::uint32_t kmers = counts_[b] + counts_[b + 1];
    if (kmers >= min_kmers) found.push_back({(static_cast<std::int64_t>(b) + 1) * bin - offset, kmers});
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &Diagonal::kmers);
  std::vector<Diagonal> best;
  for (const Diagonal& one : found) {
    if (best.size() == most) break;
    const bool distinct =
        std::ranges::none_of(best, [&](const Diagonal& other) { return std::abs(other.shift - one.shift) <= 2 * bin; });
    if (distinct) best.push_back(one);
  }
  return best;
}

namespace {

/// Maximum number of aligned hits of a read, fewest errors first, and of additional hits that form pairs with few
/// errors.
constexpr std::size_t max_hits = 8, max_pair_hits = 8;
/// Hits with more errors beyond the best are not aligned. With 4, and 24 hits, the study of docs/methods/marose.md
/// has the same calls.
constexpr unsigned errors_beyond_best = 2;
/// Maximum number of aligned hits of a part of a read.
constexpr std::size_t max_part_hits = 8;
/// Maximum number of places of a read near which its mate is searched.
constexpr std::size_t max_anchors = 8;
/// Minimum number of k-mers of a mate on a diagonal near its read, and maximum number of diagonals that are aligned.
constexpr std::uint32_t min_mate_kmers = 4;
constexpr std::size_t max_mate_diagonals = 2;
/// Minimum length of the parts of an unmapped read: each is a third of the read and overlaps the next one by half.
constexpr std::uint32_t shortest_part = 32;
/// Shorter reads are not mapped: a shorter clipped end is extended to this length.
constexpr std::uint32_t shortest_remainder = 20;
/// Number of bases beyond a gap that justify it at any cost: a chance match of this length in the band is rare.
constexpr std::uint32_t min_joined = 12;
/// Minimum length of a clipped end that matches nearby as a whole: the gap is then a duplication.
constexpr std::uint32_t min_duplicated = 20;
/// Maximum number of candidates of a read whose clipped ends are searched nearby.
constexpr std::size_t max_joined = 3;
/// Longest period of a tandem repeat in which a read may align at several shifts, and maximum number of shifts
/// counted.
constexpr std::size_t longest_period = 12;
constexpr std::uint64_t max_shifts = 100;
/// Bases inside of a clipped end that are aligned again with it.
constexpr std::uint32_t inwards = 20;

class BatchAligner {
 public:
  BatchAligner(const Device& device, const Index& index, const ReadAlignerOptions& options, const SequenceSet& reads,
               std::size_t first, const Hits& hits, const MapSet& map_parts)
      : index_(index),
        options_(options),
        scoring_(options.align.scoring),
        reads_(reads),
        first_(first),
        count_(hits.reads.size()),
        hits_(hits),
        map_parts_(map_parts),
        extender_(device, index, options.align.scoring, hits.reads.size()),
        memory_((count_ + count_ / 4 + 1) * sizeof(Candidate)) {
    if (pairs()) pairs_.resize(count_ / 2);
    candidates_.reserve(count_);
    for (std::size_t read = 0; read < count_; ++read) candidates_.emplace_back(&memory_);
  }

  std::vector<AlignedRead> run() {
    align_hits();
    if (pairs()) rescue_mates({});
    if (options_.align.clip) {
      join_ends();
      const std::vector<bool> newly = align_parts();
      if (pairs()) rescue_mates(newly);
      join_ends();
    }
    return choose();
  }

 private:
  bool pairs() const { return options_.pairs; }
  bool rescues() const { return options_.pairs && options_.rescue; }

  std::uint64_t read_length(std::size_t read) const { return reads_.length(first_ + read); }
  std::span<const Code> kept(std::size_t read) const { return hits_.reads[read].kept.of(reads_[first_ + read]); }

  Candidate candidate_of(const Hit& hit, std::uint32_t query_offset) const {
    Candidate candidate;
    candidate.contig = hit.reference;
    candidate.strand = hit.strand;
    candidate.diagonal = static_cast<std::int64_t>(hit.position) - query_offset;
    return candidate;
  }

  void run_extender() {
    extender_.run([&](std::uint64_t slot, const Candidate& aligned) {
      candidates_[slot >> 32].list[slot & 0xffffffffu] = aligned;
    });
  }

  void extend(Query& query, std::size_t read, Candidate&& candidate, bool exact, std::int32_t reached = 0) {
    std::pmr::vector<Candidate>& list = candidates_[read].list;
    const std::uint64_t slot = std::uint64_t{read} << 32 | list.size();
    list.push_back(std::move(candidate));
    extender_.add(query, list.back(), exact, slot, reached);
  }

  bool reports_all() const { return options_.report.kind != Report::Kind::best; }

  /// Indices of the hits of a read that are aligned.
  void select(std::span<const Hit> hits, std::vector<std::size_t>& selected) const {
    selected.clear();
    for (std::size_t i = 0; i < hits.size(); ++i) {
      if (!reports_all() && (i >= max_hits || hits[i].errors > hits[0].errors + errors_beyond_best)) break;
      selected.push_back(i);
    }
  }

  void align_hits() {
    std::vector<std::size_t> selected[2];
    const std::size_t step = pairs() ? 2 : 1;
    constexpr std::size_t ahead = 16;
    for (std::size_t first = 0; first < count_; first += step) {
      for (std::size_t m = 0; m < step; ++m) prefetch(first + m + ahead);
      for (std::size_t m = 0; m < step; ++m) select(hits_.of(first + m), selected[m]);
      if (pairs()) add_paired(first, selected);
      for (std::size_t m = 0; m < step; ++m) align_hits_of(first + m, selected[m]);
    }
    run_extender();
    for (ReadCandidates& one : candidates_) one.sort_unique();
  }

  void prefetch(std::size_t read) const {
    if (read >= count_ || hits_.of(read).empty()) return;
    const Hit& hit = hits_.of(read).front();
    if (hit.errors == 0) return;
    const ReferenceView& reference = runtime::state_of(index_).reference;
    reference.prefetch(reference.offsets[hit.reference] + hit.position, hit.length);
  }

  /// For reads with many hits: adds those near a hit of the mate.
  void add_paired(std::size_t first, std::vector<std::size_t> (&selected)[2]) const {
    const std::span<const Hit> a = hits_.of(first), b = hits_.of(first + 1);
    if (a.empty() || b.empty() || (selected[0].size() == a.size() && selected[1].size() == b.size())) return;
    std::vector<Hit> turned[2];
    for (unsigned m = 0; m < 2; ++m) {
      const std::span<const Hit> hits = m == 0 ? a : b;
      const unsigned bound = hits[0].errors + errors_beyond_best;
      for (Hit hit : hits) {
        if (hit.errors > bound) break;
        hit.strand = options_.geometry.strand(m, hit.strand);
        turned[m].push_back(hit);
      }
      // The order of Hits, for the inverted strands.
      std::ranges::stable_sort(turned[m], {}, [](const Hit& hit) {
        return std::tuple(hit.errors, hit.reference, hit.position, hit.strand, hit.length);
      });
    }
    const auto best = best_pairs(turned[0], turned[1], options_.geometry.insert);
    if (!best) return;
    std::vector<PairHit> found = {best->best};
    if (turned[0].size() * turned[1].size() <= 100'000) {
      found = proper_pairs(turned[0], turned[1], options_.geometry.insert);
      if (found.size() > max_pair_hits) found.resize(max_pair_hits);
    }
    for (const PairHit& pair : found)
      for (unsigned m = 0; m < 2; ++m) {
        Hit wanted = turned[m][m == 0 ? pair.first : pair.second];
        wanted.strand = options_.geometry.strand(m, wanted.strand);
        const std::span<const Hit> hits = m == 0 ? a : b;
        const auto i = static_cast<std::size_t>(std::ranges::find(hits, wanted) - hits.begin());
        if (std::ranges::find(selected[m], i) == selected[m].end()) selected[m].push_back(i);
      }
  }

  void align_hits_of(std::size_t read, std::span<const std::size_t> selected) {
    const ReadSummary& summary = hits_.reads[read];
    ReadCandidates& own = candidates_[read];
    own.kept = summary.kept;
    own.length = summary.kept.length;
    own.min_score = options_.align.min_score_of(read_length(read));
    own.capped = summary.capped && summary.best >= summary.explored;
    const std::int32_t perfect = static_cast<std::int32_t>(own.length) * scoring_.match + 2 * scoring_.end_bonus;
    // A place that was not searched has at least `explored` errors; hits beyond the bound have a known number.
    const unsigned beyond =
        summary.second > summary.bound ? std::min(summary.second, summary.explored) : summary.explored;
    own.unseen = summary.heuristic || summary.hits == 0
                     ? 0
                     : std::max(0, perfect - static_cast<std::int32_t>(beyond) * (scoring_.match + scoring_.mismatch));
    const std::span<const Hit> hits = hits_.of(read);
    if (hits.empty()) return;
    query_.set(kept(read));
    std::size_t best_selected = 0;
    own.list.reserve(selected.size());
    for (const std::size_t i : selected) {
      const Hit& hit = hits[i];
      if (hit.errors == hits[0].errors) ++best_selected;
      Candidate candidate = candidate_of(hit, 0);
      candidate.spread = static_cast<std::int32_t>(hit.length) - static_cast<std::int32_t>(own.length);
      extend(query_, read, std::move(candidate), hit.errors == 0, own.list.empty() ? 0 : own.list[0].total);
    }
    own.not_aligned = summary.best_hits - std::min<std::uint64_t>(summary.best_hits, best_selected);
    if (hits.size() > selected.size()) count_next(hits, selected, own);
    if (own.list.size() < max_hits) own.shifts = count_shifts(hits[0]);
    own.not_aligned += own.shifts;
  }

  /// Counts the shifts, by periods of the query (query_), at which it scores as much as at its best hit. Hits within
  /// one another's error bound are reported once, so that none of the other hits is among these.
  std::uint64_t count_shifts(const Hit& hit) {
    const std::size_t length = query_.length();
    if (length < 3 * longest_period) return 0;
    const PackedBases& packed = query_.packed(hit.strand);
    const auto has_period = [&](std::size_t period, std::size_t at) {
      const std::uint64_t word = packed.window(at);
      if ((word ^ word << (2 * period)) >> (64 - 2 * longest_period) != 0) return false;
      const std::span<const Code> codes = query_.on(hit.strand).subspan(at, longest_period + period);
      return std::ranges::equal(codes.first(longest_period), codes.subspan(period));
    };
    std::size_t period = 1;
    while (period <= longest_period && !has_period(period, 0) && !has_period(period, length - 2 * longest_period))
      ++period;
    if (period > longest_period) return 0;
    const std::span<const Code> codes = query_.on(hit.strand);
    const auto total_at = [&](std::int64_t position) {
      window_.resize(length);
      index_.reference(hit.reference, static_cast<std::uint64_t>(position), window_);
      return align_ungapped(codes, window_, scoring_).total;
    };
    const auto here = static_cast<std::int64_t>(hit.position), size = static_cast<std::int64_t>(length);
    const auto contig = static_cast<std::int64_t>(index_.length(hit.reference));
    if (here < 0 || here + size > contig) return 0;
    const std::int32_t total = total_at(here);
    // A read with a gap outside its repeat does not align equally well at these shifts.
    const std::int32_t mismatches = hit.errors * (scoring_.match + scoring_.mismatch);
    if (total < static_cast<std::int32_t>(length) * scoring_.match + 2 * scoring_.end_bonus - mismatches) return 0;
    std::uint64_t count = 0;
    for (const std::int64_t step : {-static_cast<std::int64_t>(period), static_cast<std::int64_t>(period)})
      for (std::int64_t at = here + step; at >= 0 && at + size <= contig && total_at(at) >= total && count < max_shifts;
           at += step)
        ++count;
    return count;
  }

  /// Counts the unaligned hits of the first stratum beyond the best one that has any.
  static void count_next(std::span<const Hit> hits, std::span<const std::size_t> selected, ReadCandidates& own) {
    const unsigned best = hits[0].errors;
    for (std::size_t begin = 0; begin < hits.size();) {
      const unsigned errors = hits[begin].errors;
      std::size_t end = begin;
      while (end < hits.size() && hits[end].errors == errors) ++end;
      const auto aligned = static_cast<std::size_t>(
          std::ranges::count_if(selected, [&](std::size_t i) { return begin <= i && i < end; }));
      if (errors > best && end - begin > aligned) {
        own.next_not_aligned = end - begin - aligned;
        own.next_errors = errors - best;
        return;
      }
      begin = end;
    }
  }

  /// Searches for mates if the candidates form no proper pair, or one that scores less than the unpaired placement.
  ///
  /// @param only  pairs with such a read only; empty: all pairs
  void rescue_mates(const std::vector<bool>& only) {
    if (!rescues()) return;
    std::vector<bool> changed(count_);
    for (std::size_t first = 0; first < count_; first += 2) {
      if (!only.empty() && !only[first] && !only[first + 1]) continue;
      ReadCandidates &a = candidates_[first], &b = candidates_[first + 1];
      if (a.empty() && b.empty()) continue;
      const std::optional<PairChoice>& pair = pair_of(first);
      if (pair && !pair->better_unpaired()) continue;
      const std::size_t sizes[2] = {a.list.size(), b.list.size()};
      for (unsigned m = 0; m < 2; ++m) rescue_mate_of(first + m, sizes[m], m, first + 1 - m, changed);
    }
    run_extender();
    for (std::size_t read = 0; read < count_; ++read)
      if (changed[read]) update(read);
  }

  void rescue_mate_of(std::size_t anchor_read, std::size_t anchor_count, unsigned m, std::size_t mate,
                      std::vector<bool>& changed) {
    const ReadCandidates& anchors = candidates_[anchor_read];
    const std::uint32_t mate_length = candidates_[mate].length;
    if (anchor_count == 0 || mate_length < DiagonalSearch::k) return;
    query_.set(kept(mate));
    const std::int32_t least = anchors.list[0].total - unpaired_cost(scoring_);
    std::optional<Strand> set;
    for (std::size_t i = 0; i < std::min(anchor_count, max_anchors) && anchors.list[i].total >= least; ++i) {
      const Candidate& anchor = anchors.list[i];
      const ReadSpan span = span_of(anchor, anchors.length);
      const bool anchor_left = options_.geometry.strand(m, anchor.strand) == Strand::forward;
      const Strand strand = options_.geometry.strand(1 - m, anchor_left ? Strand::reverse : Strand::forward);
      const auto most = static_cast<std::int64_t>(options_.geometry.insert.most);
      const auto contig = static_cast<std::int64_t>(index_.length(anchor.contig));
      const std::int64_t begin = std::clamp<std::int64_t>(anchor_left ? span.begin : span.end - most, 0, contig);
      const std::int64_t end = std::clamp<std::int64_t>(anchor_left ? span.begin + most : span.end, begin, contig);
      window_.resize(static_cast<std::size_t>(end - begin));
      index_.reference(anchor.contig, static_cast<std::uint64_t>(begin), window_);
      if (set != strand) {
        search_.set_query(query_.on(strand));
        set = strand;
      }
      for (const DiagonalSearch::Diagonal& diagonal : search_.find(window_, min_mate_kmers, max_mate_diagonals)) {
        Candidate candidate;
        candidate.contig = anchor.contig;
        candidate.strand = strand;
        candidate.rescued = true;
        candidate.diagonal = begin + diagonal.shift;
        extend(query_, mate, std::move(candidate), false);
        changed[mate] = true;
      }
    }
  }

  /// Where a clipped end matches within the band, aligns it there: a gap that costs more than the end scores is more
  /// likely than a chance match. Chains of seeds, as other mappers have, join it likewise.
  void join_ends() {
    for (std::size_t read = 0; read < count_; ++read) {
      std::pmr::vector<Candidate>& list = candidates_[read].list;
      bool set = false;
      for (std::size_t i = 0; i < std::min(list.size(), max_joined); ++i) {
        Candidate& candidate = list[i];
        const std::uint32_t length = candidates_[read].length;
        if (candidate.joined || (candidate.in_query.begin < min_joined && length - candidate.in_query.end < min_joined))
          continue;
        candidate.joined = true;
        if (!std::exchange(set, true)) query_.set(kept(read));
        Candidate joined = candidate;
        joined.part = {};
        joined.diagonal = static_cast<std::int64_t>(candidate.in_contig.begin) - candidate.in_query.begin;
        joined.spread = static_cast<std::int32_t>(static_cast<std::int64_t>(candidate.in_contig.end) -
                                                  candidate.in_query.end - joined.diagonal);
        const NearbyMatch left = match_nearby(candidate, {0, candidate.in_query.begin}, joined.diagonal);
        const NearbyMatch right =
            match_nearby(candidate, {candidate.in_query.end, length}, joined.diagonal + joined.spread);
        joined.join_begin = left.any;
        joined.join_end = right.any;
        joined.duplicated = left.all || right.all;
        if (!joined.joins()) continue;
        extender_.add(query_, joined, false, std::uint64_t{read} << 32 | i);
      }
    }
    std::vector<std::size_t> changed;
    extender_.run([&](std::uint64_t slot, const Candidate& aligned) {
      Candidate& before = candidates_[slot >> 32].list[slot & 0xffffffffu];
      if (is_better_joined(before, aligned)) {
        changed.push_back(slot >> 32);
        const std::int32_t total = std::max(before.total, aligned.total);
        before = aligned;
        before.total = total;
      }
    });
    for (const std::size_t read : changed) update(read);
  }

  struct NearbyMatch {
    bool any = false;  ///< min_joined consecutive bases match
    bool all = false;  ///< most bases match
  };

  /// Matches of the query bases `part` on the diagonals of the band around `diagonal`.
  NearbyMatch match_nearby(const Candidate& candidate, const QueryInterval& part, std::int64_t diagonal) {
    if (part.length() < min_joined) return {};
    const auto contig = static_cast<std::int64_t>(index_.length(candidate.contig));
    const std::int64_t from = std::clamp<std::int64_t>(diagonal + part.begin - band_radius, 0, contig);
    const std::int64_t to = std::clamp<std::int64_t>(diagonal + part.end + band_radius, from, contig);
    window_.resize(static_cast<std::size_t>(to - from));
    index_.reference(candidate.contig, static_cast<std::uint64_t>(from), window_);
    search_.set_query(query_.on(candidate.strand).subspan(part.begin, part.length()));
    const auto found = search_.find(window_, min_joined - DiagonalSearch::k + 1, 1);
    if (found.empty()) return {};
    return {true, 4 * found[0].kmers >= 3 * (part.length() - DiagonalSearch::k + 1) && part.length() >= min_duplicated};
  }

  /// Whether the gain beyond the new gap is a match in its own right.
  bool is_better_joined(const Candidate& before, const Candidate& after) const {
    if (after.score == 0) return false;
    struct Sums {
      std::int32_t gap_costs = 0, gaps = 0, aligned = 0;
    };
    const auto sums_of = [&](const Candidate& candidate) {
      Sums sums;
      for (const CigarRun& run : candidate.cigar.runs())
        if (run.letter() == 'M')
          sums.aligned += static_cast<std::int32_t>(run.length());
        else
          sums.gap_costs += scoring_.gap_cost(run.length()), ++sums.gaps;
      return sums;
    };
    const Sums a = sums_of(before), b = sums_of(after);
    const std::int32_t gained = after.score + b.gap_costs - before.score - a.gap_costs;
    const std::int32_t most = static_cast<std::int32_t>(min_joined) * scoring_.match;
    const int ends = (after.join_begin ? 1 : 0) + (after.join_end ? 1 : 0);
    if (b.gaps - a.gaps > ends || 4 * gained < 3 * scoring_.match * (b.aligned - a.aligned)) return false;
    // In a duplication most bases match at the other copy, and few are left beyond the gap.
    return gained >= most || (after.duplicated && gained > 0);
  }

  /// A part of a read that is mapped separately.
  struct Part {
    std::size_t read = 0;
    QueryInterval mapped;   ///< on the strand of the read
    QueryInterval aligned;  ///< for a clipped end: bases that are aligned at the place of the part; otherwise empty

    bool remainder() const { return !aligned.empty(); }
  };

  void add_parts(std::size_t read, std::vector<Part>& parts) const {
    const ReadCandidates& own = candidates_[read];
    const ReadSummary& summary = hits_.reads[read];
    if (summary.too_short) return;
    if (own.empty()) {
      if (summary.capped) return;
      const std::uint32_t length = std::max(shortest_part, own.length / 3);
      if (own.length >= length + length / 4) cut({read, {0, own.length}, {}}, length, parts);
      return;
    }
    const Candidate& best = own.list[0];
    const std::uint32_t left = best.in_query.begin, right = own.length - best.in_query.end;
    const bool forward = best.strand == Strand::forward;
    for (const bool at_left : {true, false}) {
      const std::uint32_t clipped = at_left ? left : right;
      if (clipped < options_.align.min_supplementary) continue;
      const std::uint32_t length = std::min(own.length, std::max(clipped, shortest_remainder));
      const bool at_begin = at_left == forward;
      const std::uint32_t begin = at_begin ? 0 : own.length - length, end = begin + length;
      const Part whole = {read, {begin, end}, {begin - std::min(begin, inwards), std::min(own.length, end + inwards)}};
      cut(whole, length < 2 * shortest_part ? length : length / 2, parts);
    }
  }

  /// Covers `whole` by parts of `length` bases, each overlapping the next one by half.
  static void cut(const Part& whole, std::uint32_t length, std::vector<Part>& parts) {
    const std::uint32_t step = length / 2;
    for (std::uint32_t at = 0;; at += step) {
      const bool last = at + length + step / 2 > whole.mapped.length();
      const std::uint32_t begin = last ? whole.mapped.end - length : whole.mapped.begin + at;
      parts.push_back({whole.read, {begin, begin + length}, whole.aligned});
      if (last) break;
    }
  }

  /// Maps parts of reads. Returns the reads that had no alignment before.
  std::vector<bool> align_parts() {
    std::vector<Part> parts;
    for (std::size_t read = 0; read < count_; ++read) add_parts(read, parts);
    std::vector<bool> newly(count_);
    if (parts.empty()) return newly;
    SequenceSet set(Alphabet::dna);
    for (const Part& part : parts) set.append({}, kept(part.read).subspan(part.mapped.begin, part.mapped.length()));
    const Hits found = map_parts_(set);
    std::vector<bool> changed(count_);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const Part& part = parts[p];
      ReadCandidates& own = candidates_[part.read];
      if (found.reads[p].capped || found.of(p).size() > max_part_hits) continue;
      query_.set(kept(part.read));
      for (const Hit& hit : found.of(p)) {
        const bool forward = hit.strand == Strand::forward;
        const std::uint32_t offset = forward ? part.mapped.begin : own.length - part.mapped.end;
        Candidate candidate = candidate_of(hit, offset);
        const bool known = std::ranges::any_of(own.list, [&](const Candidate& other) {
          return other.contig == candidate.contig && other.strand == candidate.strand &&
                 other.remainder() == part.remainder() && std::abs(other.diagonal - candidate.diagonal) <= bin_;
        });
        if (known) continue;
        if (part.remainder()) candidate.part = forward ? part.aligned : part.aligned.reversed(own.length);
        changed[part.read] = true;
        newly[part.read] = newly[part.read] || !part.remainder();
        extend(query_, part.read, std::move(candidate), false);
      }
    }
    run_extender();
    for (std::size_t read = 0; read < count_; ++read)
      if (changed[read]) update(read);
    return newly;
  }

  /// The MAPQ of a part is at most that of the primary alignment.
  static void bound_parts(AlignedRead& read) {
    for (std::size_t i = 1; i < read.alignments.size(); ++i)
      read.alignments[i].mapq = std::min(read.alignments[i].mapq, read.alignments[0].mapq);
  }

  /// To be called when the candidates of a read have changed.
  void update(std::size_t read) {
    candidates_[read].sort_unique();
    if (pairs()) pairs_[read / 2].reset();
  }

  /// The best proper pair of reads `first` and `first` + 1.
  const std::optional<PairChoice>& pair_of(std::size_t first) {
    auto& known = pairs_[first / 2];
    if (!known) known = choose_pair(candidates_[first], candidates_[first + 1], options_.geometry, scoring_);
    return *known;
  }

  std::vector<AlignedRead> choose() {
    std::vector<AlignedRead> result(count_);
    const ReportLimits limits{.max_secondary = options_.align.max_secondary,
                              .secondary_share = reports_all() ? 0 : 0.8};
    if (!pairs()) {
      for (std::size_t read = 0; read < count_; ++read) {
        result[read] =
            report_read(candidates_[read], 0, static_cast<std::uint32_t>(read_length(read)), scoring_, limits);
        bound_parts(result[read]);
      }
      return result;
    }
    for (std::size_t first = 0; first < count_; first += 2) {
      const ReadCandidates &a = candidates_[first], &b = candidates_[first + 1];
      const std::optional<PairChoice>& pair = pair_of(first);
      // The primary alignment of a chimera is its longest part, even if another one is near the mate.
      const bool as_pair = pair && !pair->better_unpaired() &&
                           (pair->first == 0 || overlap_in_query(a.list[0], a.list[pair->first], a.length)) &&
                           (pair->second == 0 || overlap_in_query(b.list[0], b.list[pair->second], b.length));
      const std::size_t primaries[2] = {as_pair ? pair->first : 0, as_pair ? pair->second : 0};
      for (unsigned m = 0; m < 2; ++m)
        result[first + m] = report_read(candidates_[first + m], primaries[m],
                                        static_cast<std::uint32_t>(read_length(first + m)), scoring_, limits);
      if (as_pair) {
        const std::uint64_t shifts = a.shifts + b.shifts;
        const std::uint8_t together = shifts > 0 ? pair_mapq(pair->score, pair->score, pair->rivals + shifts, scoring_)
                                                 : pair_mapq(pair->score, pair->rival, pair->rivals, scoring_);
        for (unsigned m = 0; m < 2; ++m) {
          AlignedRead& read = result[first + m];
          read.proper_pair = true;
          read.alignments[0].mapq = mapq_in_pair(read.alignments[0].mapq, together);
        }
      }
      for (unsigned m = 0; m < 2; ++m) {
        AlignedRead& read = result[first + m];
        const AlignedRead& mate = result[first + 1 - m];
        if (!read.mapped()) continue;
        if (read.rescued && mate.mapped())
          read.alignments[0].mapq = std::min(read.alignments[0].mapq, mate.alignments[0].mapq);
        bound_parts(read);
      }
    }
    return result;
  }

  /// Parts whose diagonals differ by less are at the same place.
  static constexpr std::int64_t bin_ = 30;

  const Index& index_;
  const ReadAlignerOptions& options_;
  const pairwise::DnaScoring& scoring_;
  const SequenceSet& reads_;
  const std::size_t first_, count_;
  const Hits& hits_;
  const MapSet& map_parts_;
  Extender extender_;
  std::pmr::monotonic_buffer_resource memory_;  ///< memory of all candidates
  std::vector<ReadCandidates> candidates_;
  std::vector<std::optional<std::optional<PairChoice>>> pairs_;  ///< of the current candidates; empty: not computed
  Query query_;
  DiagonalSearch search_;
  std::vector<Code> window_;
};

}  // namespace

std::vector<AlignedRead> align_reads(const Device& device, const Index& index, const ReadAlignerOptions& options,
                                     const SequenceSet& reads, std::size_t first, const Hits& hits,
                                     const MapSet& map_parts) {
  return BatchAligner(device, index, options, reads, first, hits, map_parts).run();
}

}  // namespace genocl::marose
