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

namespace genocl::pwm {

enum class PMethod : std::uint8_t {
  certified,  ///< bounds that are proved, closed to the exact value wherever words can be counted
  bucket,     ///< Giraud and Varre's BUCKET SCORE DISTRIBUTION: N slices, B buckets
};

struct POptions {
  PMethod method = PMethod::certified;
  Background background;    ///< order 0 to 2
  unsigned slices = 2;      ///< bucket: N
  unsigned buckets = 3600;  ///< bucket: B
  /// Largest score with P >= p, as in the paper; default: smallest attainable score with P <= p.
  bool paper_convention = false;
  Progress progress;
};

/// P(score of a random word >= score) is within [low, high].
struct PValue {
  double low = 0, high = 1;
  bool exact = false;  ///< low and high differ by rounding of their own sums only
  /// Words at or above the score, where exact and the background uniform (up to 31 columns).
  std::optional<std::uint64_t> words;
};

struct Threshold {
  bool none = false;  ///< the best word alone is more probable than p: no score qualifies
  double score = 0;
  PValue p;  ///< of that score
};

/// results[i][j]: of matrices[i] and scores[j]. One pass for all of a collection.
GENOCL_EXPORT std::vector<std::vector<PValue>> p_values(std::span<const Device> devices,
                                                        std::span<const ScoreMatrix> matrices,
                                                        std::span<const std::vector<double>> scores,
                                                        const POptions& options = {});
/// results[i][j]: of matrices[i] for probability ps[j], 0 < p <= 1 (InputError otherwise).
GENOCL_EXPORT std::vector<std::vector<Threshold>> thresholds(std::span<const Device> devices,
                                                             std::span<const ScoreMatrix> matrices,
                                                             std::span<const double> ps, const POptions& options = {});

GENOCL_EXPORT PValue p_value(const Device& device, const ScoreMatrix& matrix, double score,
                             const POptions& options = {});
GENOCL_EXPORT Threshold threshold(const Device& device, const ScoreMatrix& matrix, double p,
                                  const POptions& options = {});

/// The tail as bucket's algorithm or the dynamic programme has it: P(score >= edge[i]) within [low[i], high[i]].
struct Distribution {
  std::vector<double> edge, low, high;
  double error = 0;  ///< in score; bucket: (1 + ceil(log2 N)) * delta (the paper's bound)
};
GENOCL_EXPORT Distribution distribution(const Device& device, const ScoreMatrix& matrix, const POptions& options = {});

}  // namespace genocl::pwm
