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
  PValueMethod method = PValueMethod::certified;  ///< bucket: the paper's two-dimensional distribution
  Background background = {};                     ///< order 0
  unsigned slices = 0;                            ///< bucket: N; 0: the fastest number, 2 or more
  unsigned buckets = 256;                         ///< bucket: B in each direction
  Progress progress = {};
};

/// All shifts from -(length of b) to length of a, those without a common position included, in both orientations: m + n
/// + 1 each, forward first. Exact where the hits of both can be listed: up to 2^26 of a matrix of at most 13 columns,
/// 2^22 of a longer one (31 columns at most). Otherwise proved bounds from losses rounded to 2^-12 of the threshold's
/// distance from the best score, or to 2^-8 in the columns that both share where neither is listed. A background that
/// is not uniform needs a device with fp64 for that; without it all is by rounded losses. Throws InputError for a
/// threshold that is no number and a background that is not of order 0; Cancelled.
GENOCL_EXPORT std::vector<Overlap> compare(const Device& device, const ScoreMatrix& a, double threshold_a,
                                           const ScoreMatrix& b, double threshold_b,
                                           const CompareOptions& options = {});

/// The best overlap (highest similarity, by the middle of its bounds; ties: smaller |shift|, then the smaller shift,
/// then forward) of every pair of two collections: result[i * b.size() + j]. As compare() has it, but that at most 2^20
/// hits of a matrix are listed. All pairs of listed matrices are joined at once, one length of overlap after the other:
/// the work is that of the words which meet, and 12 bytes of the device for each hit of both strands (28 where the
/// background is not uniform) besides 32 for each pair of a device's share.
GENOCL_EXPORT std::vector<Overlap> best_overlaps(Devices devices, std::span<const ScoreMatrix> a,
                                                 std::span<const double> thresholds_a, std::span<const ScoreMatrix> b,
                                                 std::span<const double> thresholds_b,
                                                 const CompareOptions& options = {});

}  // namespace genocl::pwm
