// Scores a read against a diagonal, and proves where no gap can score higher.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/pairwise/banded.hpp"
#include "marose/align/packed_bases.hpp"

namespace genocl::marose {

/// Diagonals of the band on either side of a candidate's.
constexpr std::int32_t band_radius = 60;
/// The same of a first, narrower band.
constexpr std::int32_t narrow_radius = 15;

/// Diagonals, counted from a candidate's.
struct Diagonals {
  std::int32_t first = 0, last = 0;

  friend bool operator==(const Diagonals&, const Diagonals&) = default;
};

/// The diagonals of an alignment's columns. `zero`: text position - query position of diagonal 0.
Diagonals diagonals_of(const pairwise::BandedAlignment& alignment, std::int64_t zero);

/// The best alignment on one diagonal, ends clipped where that scores higher.
struct UngappedAlignment {
  std::int32_t score = 0;            ///< without end bonuses; 0: none
  std::int32_t total = 0;            ///< with them
  std::uint32_t begin = 0, end = 0;  ///< aligned query bases

  friend bool operator==(const UngappedAlignment&, const UngappedAlignment&) = default;
};

/// Of sequences of A, C, G and T: query base i lies at window[first + i]. `mismatches` receives their places in the
/// query. O(length / 32 + mismatches).
UngappedAlignment align_ungapped(const PackedBases& query, const PackedBases& window, std::size_t first,
                                 const pairwise::DnaScoring& scoring, std::vector<std::uint32_t>& mismatches);
/// Of any letters. `text`: as long as the query. O(length).
UngappedAlignment align_ungapped(std::span<const Code> query, std::span<const Code> text,
                                 const pairwise::DnaScoring& scoring);

/// Tells whether an alignment with gaps in the band might score higher than the best ungapped one. Errs on the safe
/// side: false is a proof.
///
/// An alignment with a gap loses at least the cost of the shortest gap of what a perfect one scores. Where `best` loses
/// little more, it has to follow another diagonal without much of a loss from an end of the query to beyond the second
/// mismatch, or through half of it; those diagonals are compared.
///
class GapBound {
 public:
  explicit GapBound(const pairwise::DnaScoring& scoring) : s_(scoring) {}

  /// Whether the shortest gap alone costs as much as `best` loses: no text is needed to tell.
  bool costs_more(const UngappedAlignment& best, std::uint32_t query_length) const {
    return loss_of(best.total, query_length) <= s_.min_gap_cost();
  }
  /// @param window      text around the query's place: query base i lies at window[first + i], all of them within it;
  ///                    bases outside do not exist
  /// @param mismatches  those of align_ungapped()
  bool may_gain(const PackedBases& query, const PackedBases& window, std::int64_t first, const UngappedAlignment& best,
                std::span<const std::uint32_t> mismatches);
  /// Whether the band beyond `narrow_radius` may hold a higher total than `total`, the best of the narrow band. Errs on
  /// the safe side.
  ///
  /// Of some equal parts of the query at least one has no difference in a better alignment. Where none of them matches
  /// off the diagonals `used` by the best of the narrow band, a better alignment has one there and leaves the narrow
  /// band besides. It loses the cost of gaps that reach so far, and what lies beyond them scores more: it begins or
  /// ends the query, and is long, with few differences. That is looked for, too.
  bool may_gain_beyond(const PackedBases& query, const PackedBases& window, std::int64_t first, std::int32_t total,
                       Diagonals used);

 private:
  std::int32_t loss_of(std::int32_t total, std::uint32_t query_length) const {
    return static_cast<std::int32_t>(query_length) * s_.match + 2 * s_.end_bonus - total;
  }
  /// Whether query bases [begin, end) have at most one mismatch `shift` bases right of the query's place.
  bool few(std::int64_t shift, std::int64_t begin, std::int64_t end) const;
  /// Whether the query bases [begin, begin + count) match on a diagonal of the band that is not `used`.
  bool matches_off(Diagonals used, std::int64_t begin, std::int64_t count) const;

  pairwise::DnaScoring s_;
  // Of the call that runs.
  const PackedBases* query_ = nullptr;
  const PackedBases* window_ = nullptr;
  std::int64_t first_ = 0;
  std::vector<std::uint32_t> starts_;  ///< 16 bases from each of the window
};

}  // namespace genocl::marose
