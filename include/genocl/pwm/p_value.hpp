// The probability that a random word scores at least so much, and the score for a probability.
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

// What a word scores is the sum of its columns from the first to the last in double (ScoreMatrix::score()), and that
// very sum is compared: words that tie on paper may differ in their last bit here, and are then on different sides of a
// threshold, as they are in a scan.

enum class PValueMethod : std::uint8_t {
  /// Bounds that are proved. Exact where words can be counted by meeting in the middle, that is where neither half has
  /// more than 2^24 different words (columns whose letters score alike have fewer): always up to 24 columns, with a
  /// Markov background of order k up to 24 - k or so. O(4^(length / 2)) for each threshold. Beyond, tables of both
  /// halves' scores leave a gap of about (length * 2^-20 of the range) in score.
  certified,
  /// Giraud and Varre's BUCKET SCORE DISTRIBUTION: N slices, B buckets. All words of each slice are enumerated,
  /// O(N * 4^(length / N) + N * B^2). It counts words, as published: a uniform background only, slices of at most 20
  /// columns, at most 65,536 buckets (InputError otherwise; `certified` takes every background).
  bucket,
};

struct PValueOptions {
  PValueMethod method = PValueMethod::certified;
  Background background = {};  ///< order 0 to 2; of the forward strand
  /// Which strand of a random word is scored; `reverse`: the reverse complement of a word of the forward strand, that
  /// is a word of background.reverse_complement(); `both`: the average of both probabilities, that of a word of a
  /// strand drawn at random. All are the same where the background is its own reverse complement.
  Strands strands = Strands::forward;
  unsigned slices = 2;      ///< bucket: N
  unsigned buckets = 3600;  ///< bucket: B
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
  /// The probability of exactly the words that score so much; low and high differ by the rounding of their own sums
  /// only, and not at all where words are counted (a count above 2^53 is rounded once).
  bool exact = false;
  /// Words at or above the score, where exact and the background uniform (up to 31 columns).
  std::optional<std::uint64_t> words;
};

struct Threshold {
  bool none = false;  ///< the best word alone is more probable than p: no score qualifies
  /// Exact: of a word. Otherwise a score of which P is surely at most (paper: at least) p; with bucket an edge, by the
  /// distribution's own P. With `none` the best word's; minus infinity where only that is probable enough (paper).
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

/// The tail: P(score >= edge[i]) within [low[i], high[i]], edges from the lowest score of any word to the highest.
/// certified: PValueOptions::buckets edges; bucket: one more, the ends of its buckets.
struct Distribution {
  std::vector<double> edge, low, high;
  /// How far a word's score may be from its place: bucket: (1 + ceil(log2 N)) * delta (the paper's bound).
  double error = 0;
};
GENOCL_EXPORT Distribution distribution(const Device& device, const ScoreMatrix& matrix,
                                        const PValueOptions& options = {});

}  // namespace genocl::pwm
