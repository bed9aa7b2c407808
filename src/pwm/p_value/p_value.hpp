// Both methods for one matrix.
#pragma once

#include <span>
#include <vector>

#include "genocl/pwm/p_value.hpp"

namespace genocl::pwm {

/// Up to so many sums in a half words are counted; beyond, tables bound P.
inline constexpr double most_half_sums = 1 << 24;
/// Places of the tables then.
inline constexpr std::uint64_t table_bins = std::uint64_t{1} << 21;

/// Bounds of the average of two probabilities.
PValue average_of(const PValue& a, const PValue& b);

std::vector<PValue> certified_p_values(const Device& device, const ScoreMatrix& matrix, std::span<const double> scores,
                                       const Background& background);
std::vector<Threshold> certified_thresholds(const Device& device, const ScoreMatrix& matrix, std::span<const double> ps,
                                            const Background& background, bool paper_convention);
/// Of the average of both backgrounds' probabilities.
std::vector<Threshold> certified_average_thresholds(const Device& device, const ScoreMatrix& matrix,
                                                    std::span<const double> ps, const Background& first,
                                                    const Background& second, bool paper_convention);
Distribution certified_distribution(const ScoreMatrix& matrix, const Background& background, unsigned edges);

/// `bucket`: cl/pwm/p_value/bucket.cl. A uniform background only (InputError otherwise).
Distribution bucket_distribution(const Device& device, const ScoreMatrix& matrix, unsigned slices, unsigned buckets);
PValue bucket_p_value(const Distribution& distribution, double score);
/// By the edges of the distribution and its own P (its lower bound), as the paper has it.
Threshold bucket_threshold(const Distribution& distribution, const ScoreMatrix& matrix, double p,
                           bool paper_convention);

}  // namespace genocl::pwm
