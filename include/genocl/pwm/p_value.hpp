// P-values of scores, and scores for P-values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/progress.hpp"
#include "genocl/pwm/background.hpp"
#include "genocl/pwm/score_matrix.hpp"
#include "genocl/sequence/strands.hpp"

namespace genocl::pwm {

using genocl::Strands;

// The score of a word is the sum of its columns from the first to the last in double (ScoreMatrix::score()), and
// exactly this sum is compared. Words that tie mathematically may differ in the last bit, and are then on different
// sides of a threshold, as in a scan.

enum class PValueMethod : std::uint8_t {
  /// Proved bounds. Exact if words can be counted by meeting in the middle, that is if neither half has more than
  /// 2^24 different words (columns whose letters score alike have fewer): always up to 24 columns, with a Markov
  /// background of order k up to about 24 - k. O(4^(length / 2)) for each threshold. Beyond, tables of both halves'
  /// scores leave a gap of about (length * 2^-20 of the range) in score.
  certified,
  /// Giraud and Varre's BUCKET SCORE DISTRIBUTION: N slices, B buckets. All words of each slice are enumerated, O(N *
  /// 4^(length / N) + N * B^2). It counts words, as published, for a uniform background, and adds their probabilities
  /// for another one of order 0, in about three times the time. Slices have at most 20 columns; at most 65,536 buckets
  /// (otherwise InputError; `certified` takes every background).
  bucket,
};

struct PValueOptions {
  PValueMethod method = PValueMethod::certified;
  Background background = {};  ///< order 0 to 2; of the forward strand
  /// Strand of the random word. `reverse`: the reverse complement of a word of the forward strand, which is a word of
  /// background.reverse_complement(). `both`: the average of both probabilities, for a word of a random strand. All
  /// are equal if the background is its own reverse complement.
  Strands strands = Strands::forward;
  unsigned slices = 2;      ///< bucket: N
  unsigned buckets = 3600;  ///< bucket: B
  /// bucket, GPU kernels, uniform background: one item of a work-group counts the words of all, without atomic
  /// operations of local memory. The paper compares both. The counts are the same.
  bool serialised_buckets = false;
  /// Largest score with P >= p, as in the paper; default: smallest attainable score with P <= p.
  bool paper_convention = false;
  Progress progress = {};
};

/// The names of 0.1.
using PMethod [[deprecated("use PValueMethod")]] = PValueMethod;
using POptions [[deprecated("use PValueOptions")]] = PValueOptions;

/// P(score of a random word >= score) is within [low, high].
struct PValue {
  double low = 0, high = 1;
  /// The probability of exactly the words with at least this score. low and high differ only by the rounding of their
  /// sums, and not at all if words are counted (a count above 2^53 is rounded once).
  bool exact = false;
  /// Number of words at or above the score, if exact and the background is uniform (up to 31 columns).
  std::optional<std::uint64_t> words;
};

struct Threshold {
  bool none = false;  ///< the best word alone is more probable than p: no score qualifies
  /// Exact: the score of a word. Otherwise a score with P certainly at most (paper: at least) p; with `bucket` an
  /// edge, by the distribution's own P. With `none` the best word's score; minus infinity if only that is probable
  /// enough (paper).
  double score = 0;
  PValue p;  ///< of that score
};

/// results[i][j]: of matrices[i] and scores[j]. One pass for all of a collection.
GENOCL_EXPORT std::vector<std::vector<PValue>> p_values(Devices devices, std::span<const ScoreMatrix> matrices,
                                                        std::span<const std::vector<double>> scores,
                                                        const PValueOptions& options = {});
/// results[i][j]: of matrices[i] for probability ps[j], 0 < p <= 1 (InputError otherwise).
GENOCL_EXPORT std::vector<std::vector<Threshold>> thresholds(Devices devices, std::span<const ScoreMatrix> matrices,
                                                             std::span<const double> ps,
                                                             const PValueOptions& options = {});

GENOCL_EXPORT PValue p_value(const Device& device, const ScoreMatrix& matrix, double score,
                             const PValueOptions& options = {});
GENOCL_EXPORT Threshold threshold(const Device& device, const ScoreMatrix& matrix, double p,
                                  const PValueOptions& options = {});

/// The tail: P(score >= edge[i]) is within [low[i], high[i]]; edges from the lowest to the highest score of any word.
/// certified: PValueOptions::buckets edges; bucket: one more, the ends of its buckets.
struct Distribution {
  std::vector<double> edge, low, high;
  /// Maximum distance of a word's score from its bucket: (1 + ceil(log2 N)) * delta for `bucket` (the paper's bound).
  double error = 0;
};
GENOCL_EXPORT Distribution distribution(const Device& device, const ScoreMatrix& matrix,
                                        const PValueOptions& options = {});

}  // namespace genocl::pwm
