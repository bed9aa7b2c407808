// Candidates of a read and their alignment: ungapped on one diagonal, or banded with affine gaps on the device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "genocl/marose/clip.hpp"
#include "genocl/marose/index.hpp"
#include "genocl/marose/mapper.hpp"
#include "genocl/pairwise/banded.hpp"
#include "genocl/sequence/cigar.hpp"
#include "marose/packed_bases.hpp"

namespace genocl::marose {

/// Bases of a query.
using QueryInterval = BasicInterval<std::uint32_t>;

/// A candidate place of a query. The query is the read without adapters and low quality, on the forward strand of the
/// contig.
struct Candidate {
  std::uint32_t contig = 0;
  Strand strand = Strand::forward;
  bool rescued = false;
  bool duplicated = false;    ///< most of a clipped end matches nearby
  bool joined = false;        ///< its clipped ends were searched nearby
  std::int64_t diagonal = 0;  ///< contig position - query position at the begin of the query; may be negative
  std::int32_t spread = 0;    ///< diagonal at the end of the query, relative to `diagonal`
  QueryInterval part;         ///< only these query bases are aligned; empty: all
  bool join_begin = false, join_end = false;  ///< this end of the query is reached at any gap cost

  bool remainder() const noexcept { return !part.empty(); }
  bool joins() const noexcept { return join_begin || join_end; }

  // Result of the alignment.
  std::int32_t score = 0;  ///< without end bonuses; 0: no alignment
  std::int32_t total = 0;  ///< with them
  QueryInterval in_query;  ///< aligned bases
  Interval in_contig;
  Cigar cigar;  ///< of M, I and D
};

/// Whether two alignments share half of the bases of the shorter one.
///
/// @param length  of the query
inline bool overlap_in_query(const Candidate& a, const Candidate& b, std::uint32_t length) {
  const auto in_read = [length](const Candidate& c) {
    return c.strand == Strand::forward ? c.in_query : c.in_query.reversed(length);
  };
  const std::uint32_t shared = intersection(in_read(a), in_read(b)).length();
  return shared > 0 && 2 * shared >= std::min(a.in_query.length(), b.in_query.length());
}

/// A query on both strands; reverse complement and packed form are computed at the first use.
class Query {
 public:
  void set(std::span<const Code> codes) {
    forward_ = codes;
    is_turned_ = is_packed_[0] = is_packed_[1] = false;
  }
  std::uint32_t length() const { return static_cast<std::uint32_t>(forward_.size()); }
  std::span<const Code> on(Strand strand) {
    if (strand == Strand::forward) return forward_;
    if (!is_turned_) {
      turned_.resize(forward_.size());
      dna::reverse_complement(forward_, turned_);
      is_turned_ = true;
    }
    return turned_;
  }
  const PackedBases& packed(Strand strand) {
    const std::size_t i = strand == Strand::forward ? 0 : 1;
    if (!is_packed_[i]) {
      if (i == 0)
        packed_[0].set(forward_);
      else
        packed_[1].set_reverse_complement(packed(Strand::forward));
      is_packed_[i] = true;
    }
    return packed_[i];
  }

 private:
  std::span<const Code> forward_;
  std::vector<Code> turned_;
  PackedBases packed_[2];  ///< [strand]
  bool is_turned_ = false, is_packed_[2] = {};
};

/// Diagonals of the band on either side of a candidate's diagonal.
constexpr std::int32_t band_radius = 60;
/// The same for the narrow band that `cpu` kernels try first.
constexpr std::int32_t narrow_radius = 15;

/// A range of diagonals, relative to a candidate's.
struct Diagonals {
  std::int32_t first = 0, last = 0;

  friend bool operator==(const Diagonals&, const Diagonals&) = default;
};

/// The range of diagonals of an alignment.
///
/// @param zero  text position - query position of diagonal 0
Diagonals diagonals_of(const pairwise::BandedAlignment& alignment, std::int64_t zero);

/// The best alignment on one diagonal; ends are clipped if that scores higher.
struct UngappedAlignment {
  std::int32_t score = 0;  ///< without end bonuses; 0: none
  std::int32_t total = 0;  ///< with them
  QueryInterval in_query;  ///< aligned bases

  friend bool operator==(const UngappedAlignment&, const UngappedAlignment&) = default;
};

/// For sequences of A, C, G and T: query base i is aligned with window[first + i]. `mismatches` receives the query
/// positions of mismatches. O(length / 32 + mismatches).
UngappedAlignment align_ungapped(const PackedBases& query, const PackedBases& window, std::size_t first,
                                 const pairwise::DnaScoring& scoring, std::vector<std::uint32_t>& mismatches);
/// For any letters; `text` has the length of the query. O(length).
UngappedAlignment align_ungapped(std::span<const Code> query, std::span<const Code> text,
                                 const pairwise::DnaScoring& scoring);

/// Determines whether an alignment with gaps in the band may score higher than the best ungapped one. `false` is a
/// proof.
///
/// An alignment with a gap scores less than a perfect one by at least the cost of the shortest gap. If `best` loses
/// little more, the gapped alignment must follow another diagonal almost without loss, from an end of the query to
/// beyond the second mismatch or through half of the query. Those diagonals are compared.
class GapBound {
 public:
  explicit GapBound(const pairwise::DnaScoring& scoring) : s_(scoring) {}

  /// Whether the shortest gap alone costs as much as `best` loses; needs no text.
  bool costs_more(const UngappedAlignment& best, std::uint32_t query_length) const {
    return loss_of(best.total, query_length) <= s_.min_gap_cost();
  }
  /// @param window      text around the place: query base i is aligned with window[first + i], all within the window;
  ///                    bases outside do not exist
  /// @param mismatches  those of align_ungapped()
  bool may_gain(const PackedBases& query, const PackedBases& window, std::int64_t first, const UngappedAlignment& best,
                std::span<const std::uint32_t> mismatches);
  /// Whether the band beyond `narrow_radius` may contain a higher total than `total`, the best of the narrow band.
  /// `false` is a proof.
  ///
  /// Of some equal parts of the query, at least one has no difference in a better alignment. If none of them matches
  /// outside the diagonals `used` by the best alignment of the narrow band, a better alignment has such a part there
  /// and also leaves the narrow band. It then loses the cost of gaps of that length, and the part beyond them must
  /// score more: it begins or ends the query, and is long with few differences. This case is also checked.
  bool may_gain_beyond(const PackedBases& query, const PackedBases& window, std::int64_t first, std::int32_t total,
                       Diagonals used);

 private:
  std::int32_t loss_of(std::int32_t total, std::uint32_t query_length) const {
    return static_cast<std::int32_t>(query_length) * s_.match + 2 * s_.end_bonus - total;
  }
  /// Whether query bases [begin, end) have at most one mismatch on the diagonal `shift` right of the place.
  bool few(std::int64_t shift, std::int64_t begin, std::int64_t end) const;
  /// Whether query bases [begin, begin + count) match on a diagonal of the band outside `used`.
  bool matches_off(Diagonals used, std::int64_t begin, std::int64_t count) const;

  pairwise::DnaScoring s_;
  // State of the current call.
  const PackedBases* query_ = nullptr;
  const PackedBases* window_ = nullptr;
  std::int64_t first_ = 0;
  std::vector<std::uint32_t> starts_;  ///< 16 bases from each position of the window
};

/// Collects candidates, aligns those that need gaps on the device, many at a time, and returns the results.
class Extender {
 public:
  /// @param reads  number of reads in the batch
  Extender(const Device& device, const Index& index, const pairwise::DnaScoring& scoring, std::size_t reads)
      : device_(device),
        index_(index),
        few_reads_(reads <= 2048),
        options_{.scoring = scoring, .diagonals = 2 * static_cast<std::uint32_t>(band_radius) + 1},
        bound_(scoring) {}

  /// Aligns the candidate immediately if no gap can raise its score; otherwise queues it for run().
  ///
  /// @param exact    the whole query matches
  /// @param slot     identifies the candidate in run()
  /// @param reached  total of another place of the query: if it exceeds the score of any place with a difference, the
  ///                 ungapped score of this candidate suffices
  void add(Query& query, Candidate& candidate, bool exact, std::uint64_t slot, std::int32_t reached = 0);

  /// Aligns the queued candidates. Calls `done` with slot and alignment in the order of add(); the score is 0 if
  /// there is no alignment.
  void run(const std::function<void(std::uint64_t slot, const Candidate& aligned)>& done);

  std::size_t waiting() const noexcept { return waiting_.size(); }

 private:
  struct Waiting {
    Candidate candidate;
    std::uint64_t slot = 0;
    std::uint64_t window_begin = 0;  ///< contig position of the first base of the text
    bool may_be_narrow = false;      ///< the place is known within a few bases
  };
  std::vector<pairwise::BandedAlignment> align();
  std::vector<pairwise::BandedAlignment> align(const pairwise::BandedPairs& pairs,
                                               const pairwise::BandedOptions& options) const;
  std::int32_t total_of(std::size_t i, const pairwise::BandedAlignment& alignment) const;

  const Device& device_;
  const Index& index_;
  bool few_reads_;
  pairwise::BandedOptions options_;
  pairwise::BandedPairs pairs_;
  std::vector<Waiting> waiting_;
  GapBound bound_;
  std::vector<Code> window_;
  PackedBases packed_query_, packed_window_;
  std::vector<std::uint32_t> mismatches_;
};

}  // namespace genocl::marose
