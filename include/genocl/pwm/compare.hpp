// How alike the hits of two matrices are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/progress.hpp"
#include "genocl/pwm/p_value.hpp"
#include "genocl/pwm/score_matrix.hpp"

namespace genocl::pwm {

/// What a random word does that covers both matrices, the second one `shift` positions after the first (negative:
/// before): the probability that both, only the first, only the second score at least their thresholds.
struct Overlap {
  int shift = 0;
  bool reverse = false;  ///< the second matrix's reverse complement
  std::uint32_t union_length = 0;
  PValue both, only_first, only_second;
  /// both / (both + only_first + only_second), 0 where that is 0 / 0; the middle of its bounds.
  double similarity = 0;
};

struct CompareOptions {
  PMethod method = PMethod::certified;  ///< bucket: the paper's two-dimensional distribution
  Background background;                ///< order 0
  unsigned slices = 2, buckets = 256;   ///< bucket: N, and B in each direction
  Progress progress;
};

/// Over all shifts from -(length of b) + 1 - 1 to length of a (those without a common position included) and both
/// orientations: m + m' + 1 shifts each. Exact by enumeration of the union's words up to 13, certified bounds beyond.
GENOCL_EXPORT std::vector<Overlap> compare(const Device& device, const ScoreMatrix& a, double threshold_a,
                                           const ScoreMatrix& b, double threshold_b,
                                           const CompareOptions& options = {});

/// The best overlap (highest similarity; ties: smaller |shift|, then the smaller shift, then forward) of every pair of
/// two collections: result[i * b.size() + j].
GENOCL_EXPORT std::vector<Overlap> best_overlaps(std::span<const Device> devices, std::span<const ScoreMatrix> a,
                                                 std::span<const double> thresholds_a, std::span<const ScoreMatrix> b,
                                                 std::span<const double> thresholds_b,
                                                 const CompareOptions& options = {});

}  // namespace genocl::pwm
