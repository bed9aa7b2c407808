// Gathers the best hits of a query from many units in any order.
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

/// A hit as long as nothing else is known of it.
struct FoundHit {
  std::uint64_t subject = 0;
  std::int32_t score = 0;
  bool minus = false;
  double evalue = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t part_begin = 0, part_end = 0;  ///< see Hit
  bool goes_on = false;                        ///< other chunks have other letters of the subject
};

/// What hits are put in order by before their scores: E-values, of which those that are written as 0 are alike, as in
/// BLAST; 0 where none is known.
inline double ranked(double evalue) noexcept {
  constexpr double nothing = 1e-180;
  return evalue >= nothing ? evalue : 0;
}

/// The order of hits: by E-value where it is known, then by score, highest first, then database order, plus strand
/// first.
template <class A>
bool better(const A& a, const A& b) noexcept {
  const double a_evalue = ranked(a.evalue), b_evalue = ranked(b.evalue);
  if (a_evalue != b_evalue) return a_evalue < b_evalue;
  if (a.score != b.score) return a.score > b.score;
  if (a.subject != b.subject) return a.subject < b.subject;
  return !a.minus && b.minus;
}

/// The `top` best of what was added. Other threads may ask while one adds.
class BestHits {
 public:
  /// Hits score at least `min_score`; where there are `cutoffs` their E-values are `max_evalue` or less.
  BestHits(std::size_t top, std::int32_t min_score, double max_evalue, std::optional<ScoreCutoffs> cutoffs);

  /// The E-value of a score; NaN where nothing is known.
  double evalue(std::int64_t score, std::uint64_t subject_length) const;
  double bits(std::int64_t score) const;
  /// Where there are cutoffs.
  const Significance& significance() const { return cutoffs_->significance(); }

  /// Of a subject that came before, on the same strand, the best score counts, and of alike ones that of the earlier
  /// part.
  void add(std::vector<FoundHit> hits);
  /// Hits with a lower score cannot be among the best any more.
  std::int32_t cutoff() const;
  /// The least score that a hit can have and be better than this one, or as good but for its place in the database.
  std::int32_t cutoff_beside(const FoundHit& hit) const;
  /// In their order.
  std::vector<FoundHit> take();

 private:
  std::int32_t beside(const FoundHit& hit) const;
  /// Whether it is no better than what is known of its subject, which else goes.
  bool has_as_good(const FoundHit& hit);

  mutable std::mutex mutex_;
  std::size_t top_;
  double max_evalue_;
  mutable std::optional<ScoreCutoffs> cutoffs_;
  std::int32_t cutoff_;
  std::vector<FoundHit> hits_;  ///< the best so far, in order
};

/// By what factor an E-value may become lower by adjustment, as BLAST takes it: what is above is not looked at again.
constexpr double evalue_stretch(CompositionStatistics composition) {
  return composition == CompositionStatistics::conditional ? 5 : 1;
}

/// What a score of AdjustedScores means: it is rounded for all but the E-value, as in BLAST.
struct AdjustedScore {
  AdjustedScore(std::int32_t adjusted, const Significance& significance, std::uint64_t subject_length);

  std::int32_t score;
  double bits, evalue;
};

}  // namespace genocl::align
