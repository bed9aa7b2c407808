// Weight of the words at or above a score, by meeting in the middle.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "genocl/pwm/score_matrix.hpp"
#include "pwm/halves.hpp"
#include "pwm/halves_device.hpp"
#include "pwm/scores.hpp"

namespace genocl::pwm {

/// Words with Q at or above a bound: their weight, and the number of pairs of a beginning and an end with such a sum.
template <class Weight>
struct TailCount {
  Weight weight = 0;
  std::uint64_t pairs = 0;
};

/// The Q at which the weight of words, from the highest Q down, reaches a given weight.
template <class Weight>
struct Quantile {
  /// Words of at least Q weigh at least (or more than) the given weight; FixedPoint::impossible if all words do not.
  std::int64_t q = 0;
  /// Sums around it, highest first, down to the first one below the quantile; and the weight above these: of words of
  /// at least `beyond_from`.
  std::vector<std::pair<std::int64_t, Weight>> around;
  std::int64_t beyond_from = 0;
  Weight beyond = 0;
};

/// All words of a matrix by the sums of their halves, ordered by Q (FixedPoint). For the few words whose Q does not
/// decide on which side of a score they are, the score itself is computed.
template <class Weight>
class WordCount {
 public:
  /// Words are counted on `device` if the halves have at least `min_on_device` sums. The two references must
  /// outlive the object.
  WordCount(const ScoreMatrix& matrix, const FixedPoint& fixed, const Background& background,
            const Device* device = nullptr, std::size_t min_on_device = default_least_on_device);
  /// Only words with Q >= least, on the host. Queries below `least` are not allowed.
  WordCount(const ScoreMatrix& matrix, const FixedPoint& fixed, const Background& background, std::int64_t least);

  /// Weight of the words with Q >= q. O(sums of both halves).
  Weight sum_at_least(std::int64_t q) const;
  /// Weight of the words with at least this score.
  Weight at_least(double score) const;
  /// The same for many scores, in any order: the highest ones share one list of all words above them.
  std::vector<Weight> at_least(std::span<const double> scores) const;
  /// Words with first <= Q <= last by score, highest first.
  std::vector<ScoreGroup<Weight>> scores_between(std::int64_t first, std::int64_t last) const;
  /// The largest Q of a word such that words of at least that Q weigh at least (with `more`: more than) `weight`.
  Quantile<Weight> quantile(Weight weight, bool more) const;
  /// sum_at_least(q) and next_above(q) at or above a quantile, mostly without reading the halves again.
  Weight sum_at_least(const Quantile<Weight>& near, std::int64_t q) const;
  std::int64_t next_above(const Quantile<Weight>& near, std::int64_t q) const;
  /// The smallest Q of a word above `q`; FixedPoint::impossible if none.
  std::int64_t next_above(std::int64_t q) const;
  Weight total() const { return sum_at_least(least_); }
  const FixedPoint& fixed() const noexcept { return fixed_; }
  /// Bound of the relative error of sum_at_least(), 0 for counts.
  double relative_error() const;

  static constexpr std::size_t default_least_on_device = std::size_t{1} << 16;

 private:
  struct Bounds {
    Weight low, high;
  };
  /// Every stride-th sum of both lists. Blocks of beginnings: first, last and weight; ends: the sum and the weights
  /// from there on.
  struct Sample {
    std::vector<std::int64_t> first, last, end;
    std::vector<Weight> weight, tail;
  };
  std::vector<TailCount<Weight>> counts(std::span<const std::int64_t> q) const;
  TailCount<Weight> count(std::int64_t q) const;
  void take_samples();
  Bounds bounds_at_least(std::int64_t q, const std::vector<Sample>& samples) const;
  std::vector<std::pair<std::int64_t, Weight>> sums_between(std::int64_t first, std::int64_t last) const;
  using Beginning = std::pair<std::size_t, std::int64_t>;  ///< state and Q
  using Beginnings = std::vector<std::vector<Beginning>>;  ///< [letters]
  Beginnings beginnings_of(std::vector<Beginning> last) const;

  const ScoreMatrix& matrix_;
  const FixedPoint& fixed_;
  WordModel<Weight> model_;
  HalfWords<Weight> halves_;
  std::optional<DeviceHalves> on_device_;
  std::int64_t least_ = 0;                    ///< lowest counted Q
  std::size_t largest_ = 0;                   ///< size of the largest list
  std::vector<std::vector<Sample>> samples_;  ///< [coarse to fine][state]
};

template <class Weight>
struct ManyTails {
  std::vector<Weight> weight;  ///< [score]
  double relative_error = 0;   ///< of each; 0 for counts
};

/// Weights of the words that score at least scores[i], in ascending order and unique, in one pass over the halves of
/// the words that reach the lowest. As WordCount::at_least(), except that doubles are rounded in another order. With
/// N words that reach the lowest score and K scores: O(sqrt(N * K)) if half words of no such word can be excluded
/// well, at most 4^(length / 2) * K. Empty if too many words tie, or nearly tie, with the scores.
template <class Weight>
std::optional<ManyTails<Weight>> many_tails(const ScoreMatrix& matrix, const FixedPoint& fixed,
                                            const WordModel<Weight>& model, std::span<const double> scores);

}  // namespace genocl::pwm
