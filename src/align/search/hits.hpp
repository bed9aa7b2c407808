// Collects the best hits of a query from many units in any order.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <vector>

#include "align/composition/adjusted_scores.hpp"
#include "align/search/search_plan.hpp"
#include "genocl/align/searcher.hpp"

namespace genocl::align {

/// A hit before its alignment and database names are known.
struct FoundHit {
  std::uint64_t subject = 0;
  std::int32_t score = 0;
  bool minus = false;
  double evalue = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t part_begin = 0, part_end = 0;  ///< see Hit
  bool goes_on = false;                        ///< other chunks contain more letters of the subject
};

/// Returns the sort key of an E-value. E-values that are printed as 0 are equal, as in BLAST; 0 if unknown.
inline double ranked(double evalue) noexcept {
  constexpr double nothing = 1e-180;
  return evalue >= nothing ? evalue : 0;
}

/// Returns the order of strands and frames: plus first; frames 1, 2, 3, -1, -2, -3.
inline int strand_rank(const FoundHit& hit) noexcept { return hit.minus ? 1 : 0; }
inline int strand_rank(const Hit& hit) noexcept {
  const auto rank = [](Frame frame) { return frame < 0 ? 3 - frame : frame; };
  return 16 * rank(hit.subject_frame) + 2 * rank(hit.query_frame) + (hit.minus ? 1 : 0);
}
/// As StrandQuery::strand().
inline int strand_of(const Hit& hit) noexcept { return hit.query_frame != 0 ? hit.query_frame : hit.minus ? 1 : 0; }

/// Returns whether hit a precedes b: by E-value if known, then by descending score, database order, and order of
/// strands.
template <class A>
bool better(const A& a, const A& b) noexcept {
  const double a_evalue = ranked(a.evalue), b_evalue = ranked(b.evalue);
  if (a_evalue != b_evalue) return a_evalue < b_evalue;
  if (a.score != b.score) return a.score > b.score;
  if (a.subject != b.subject) return a.subject < b.subject;
  return strand_rank(a) < strand_rank(b);
}

/// Keeps the `top` best of the added hits. Other threads may read the cutoffs while one thread calls add().
class BestHits {
 public:
  /// Hits score at least `min_score`. With `cutoffs` their E-values are at most `max_evalue`.
  BestHits(std::size_t top, std::int32_t min_score, double max_evalue, std::optional<ScoreCutoffs> cutoffs);

  /// Returns the E-value of a score; NaN if unknown.
  double evalue(std::int64_t score, std::uint64_t subject_length) const;
  double bits(std::int64_t score) const;
  /// Requires cutoffs.
  const Significance& significance() const { return cutoffs_->significance(); }

  /// For several hits of a subject on a strand, keeps the best score; of equal scores that of the earlier part.
  void add(std::vector<FoundHit> hits);
  /// Returns the minimum score of a hit that can still be among the best.
  std::int32_t cutoff() const;
  /// Returns the minimum score of a hit that can precede or equal `hit`, irrespective of the database order.
  std::int32_t cutoff_beside(const FoundHit& hit) const;
  /// Returns the hits in order.
  std::vector<FoundHit> take();

 private:
  std::int32_t beside(const FoundHit& hit) const;
  /// Returns true if the known hit of the subject is at least as good; otherwise removes it.
  bool has_as_good(const FoundHit& hit);

  mutable std::mutex mutex_;
  std::size_t top_;
  double max_evalue_;
  mutable std::optional<ScoreCutoffs> cutoffs_;
  std::int32_t cutoff_;
  std::vector<FoundHit> hits_;  ///< current best hits, in order
};

/// Maximum factor by which adjustment reduces an E-value, as in BLAST. Hits with higher E-values are not adjusted.
constexpr double evalue_stretch(CompositionStatistics composition) {
  return composition == CompositionStatistics::conditional ? 5 : 1;
}

/// Significance of a score of AdjustedScores. The score is rounded except for the E-value, as in BLAST.
struct AdjustedScore {
  AdjustedScore(std::int32_t adjusted, const Significance& significance, std::uint64_t subject_length);

  std::int32_t score;
  double bits, evalue;
};

}  // namespace genocl::align
