// Which scores can be those of hits, when E-values depend on the subjects' lengths too: devices know scores alone.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "align/scoring/finite_size.hpp"
#include "genocl/align/statistics.hpp"

namespace genocl::align {

/// Bounds, over all subjects, what a subject's length does to an E-value. Several threads may ask at once.
class LengthBounds {
 public:
  /// `highest`: the highest score of a pair of letters. `parameters.finite_size` is known.
  LengthBounds(const KarlinAltschul& parameters, std::uint64_t shortest, std::uint64_t longest, int highest);

  /// Bounds from below, for a subject of any length that can have this score (1 or more), room and probability by
  /// letter of the subject.
  LengthTerms least(std::int64_t score) const;

 private:
  LengthTerms compute(std::int64_t score) const;

  KarlinAltschul parameters_;
  double shortest_, longest_;
  int highest_;
  mutable std::mutex mutex_;
  mutable std::deque<LengthTerms> known_;  ///< [score - 1]
};

/// The scores that hits of one query can have, from their E-values. One thread at a time.
class ScoreCutoffs {
 public:
  /// `bounds` outlives this; null where E-values do not depend on lengths.
  ScoreCutoffs(const Significance& significance, const LengthBounds* bounds)
      : significance_(significance), bounds_(bounds) {}

  const Significance& significance() const noexcept { return significance_; }
  bool depend_on_lengths() const noexcept { return bounds_ != nullptr; }
  /// A score such that no lower one has an E-value of `evalue` or less, whatever the subject; 1 or more.
  std::int64_t least_score(double evalue);

 private:
  Significance significance_;
  const LengthBounds* bounds_;
  std::vector<double> lowest_;  ///< [score - 1] no score up to this one has a lower E-value
};

}  // namespace genocl::align
