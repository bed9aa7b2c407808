// How much words at or above a score weigh, by meeting in the middle.
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

/// Words with Q at or above a bound: their weight, and how many pairs of a beginning's and an end's sum they are.
template <class Weight>
struct TailCount {
  Weight weight = 0;
  std::uint64_t pairs = 0;
};

/// Where words, from the highest Q down, come to weigh so much.
template <class Weight>
struct Quantile {
  /// Words of at least Q weigh at least (or more than) that; FixedPoint::impossible where all together do not.
  std::int64_t q = 0;
  /// Sums around it, highest first, down to the first that is not wanted any more; and what is above all these: words
  /// of at least `beyond_from`.
  std::vector<std::pair<std::int64_t, Weight>> around;
  std::int64_t beyond_from = 0;
  Weight beyond = 0;
};

/// All words of a matrix by the sums of their halves. Ordered by Q (FixedPoint); the few words whose Q leaves it open
/// on which side of a score they are get their score computed as it is defined.
template <class Weight>
class WordCount {
 public:
  /// Counts of words are made on `device` where the halves have at least `least_on_device` sums; the two references
  /// must outlive the object.
  WordCount(const ScoreMatrix& matrix, const FixedPoint& fixed, const Background& background,
            const Device* device = nullptr, std::size_t least_on_device = default_least_on_device);
  /// Of words with Q >= least only, on the host: the halves are lists of what such words have. Nothing below it may be
  /// asked.
  WordCount(const ScoreMatrix& matrix, const FixedPoint& fixed, const Background& background, std::int64_t least);

  /// What words with Q >= q weigh. O(sums of both halves).
  Weight sum_at_least(std::int64_t q) const;
  /// What words weigh whose score is at least so much.
  Weight at_least(double score) const;
  /// The same for many scores, in any order: the highest ones share one list of all words above them.
  std::vector<Weight> at_least(std::span<const double> scores) const;
  /// Words with first <= Q <= last by their scores, highest first.
  std::vector<ScoreGroup<Weight>> scores_between(std::int64_t first, std::int64_t last) const;
  /// The largest Q of a word such that words of at least that Q weigh at least (with `more`: more than) `weight`.
  Quantile<Weight> quantile(Weight weight, bool more) const;
  /// sum_at_least(q), and next_above(q), at or above a quantile, mostly without another look at the halves.
  Weight sum_at_least(const Quantile<Weight>& near, std::int64_t q) const;
  std::int64_t next_above(const Quantile<Weight>& near, std::int64_t q) const;
  /// The smallest Q of a word above `q`; FixedPoint::impossible where there is none.
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
  /// Every stride-th sum of both lists: of blocks of beginnings the first, the last and the weight, of ends the sum and
  /// the weights from there on.
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
  std::int64_t least_ = 0;                    ///< Q that is counted
  std::size_t largest_ = 0;                   ///< list
  std::vector<std::vector<Sample>> samples_;  ///< [coarse to fine][state]
};

// How much words at or above each of many scores weigh, in one pass over the halves of the words that reach the lowest.

template <class Weight>
struct ManyTails {
  std::vector<Weight> weight;  ///< [score]
  double relative_error = 0;   ///< of each; 0 for counts
};

/// Weights of the words that score at least scores[i], which ascend, each once. The same as WordCount::at_least(), but
/// for double rounded in another order. With N words that reach the lowest score and K scores O(sqrt(N * K)) where half
/// words that are of no such word can be told well; at most 4^(length / 2) * K. Nothing where so many words tie, or
/// nearly, with the scores that they cannot be looked at one by one.
template <class Weight>
std::optional<ManyTails<Weight>> many_tails(const ScoreMatrix& matrix, const FixedPoint& fixed,
                                            const WordModel<Weight>& model, std::span<const double> scores);

}  // namespace genocl::pwm
