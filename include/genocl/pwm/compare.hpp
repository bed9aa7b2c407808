// Similarity of the hits of two matrices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/progress.hpp"
#include "genocl/pwm/p_value.hpp"
#include "genocl/pwm/score_matrix.hpp"

namespace genocl::pwm {

/// Probabilities for a random word that covers both matrices, the second one `shift` positions after the first
/// (negative: before): that both, only the first, or only the second score at least their thresholds.
struct Overlap {
  int shift = 0;
  bool reverse = false;  ///< with the reverse complement of the second matrix
  std::uint32_t union_length = 0;
  PValue both, only_first, only_second;
  /// both / (both + only_first + only_second), 0 if that is 0 / 0; the middle of its bounds. By buckets the value of
  /// the distribution, within its bounds.
  double similarity = 0;
};

struct CompareOptions {
  PValueMethod method = PValueMethod::certified;  ///< bucket: the paper's two-dimensional distribution
  Background background = {};                     ///< order 0
  unsigned slices = 0;                            ///< bucket: N; 0: the fastest number, 2 or more
  unsigned buckets = 0;                           ///< bucket: B in each direction; 0: the most that take about a second
  Progress progress = {};
};

/// All shifts from -(length of b) to length of a, including those without a common position, in both orientations: m
/// + n + 1 each, forward first. Exact if the hits of both can be listed: up to 2^26 of a matrix of at most 13
/// columns, 2^22 of a longer one (at most 31 columns). Otherwise proved bounds, from losses rounded to 2^-12 of the
/// threshold's distance from the best score, or to 2^-8 in the common columns if neither is listed. Lists with a
/// background that is not uniform need a device with fp64; without it rounded losses are used. Throws InputError for
/// a NaN threshold and a background that is not of order 0; Cancelled.
GENOCL_EXPORT std::vector<Overlap> compare(const Device& device, const ScoreMatrix& a, double threshold_a,
                                           const ScoreMatrix& b, double threshold_b,
                                           const CompareOptions& options = {});

/// The best overlap of every pair of two collections: result[i * b.size() + j]. The best has the highest similarity,
/// by the middle of its bounds; ties: smaller |shift|, then the smaller shift, then forward. As compare(), except
/// that at most 2^20 hits of a matrix are listed. All pairs of listed matrices are joined at once, one length of
/// overlap after the other: the work is that of the words that meet. The device memory is 12 bytes for each hit of
/// both strands (28 if the background is not uniform), and 32 for each pair of a device's share.
GENOCL_EXPORT std::vector<Overlap> best_overlaps(Devices devices, std::span<const ScoreMatrix> a,
                                                 std::span<const double> thresholds_a, std::span<const ScoreMatrix> b,
                                                 std::span<const double> thresholds_b,
                                                 const CompareOptions& options = {});

}  // namespace genocl::pwm
