// Exact thresholds of a collection, many matrices at once.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/pwm/p_value.hpp"
#include "genocl/pwm/score_matrix.hpp"

namespace genocl::pwm {

/// Whether the devices and the options are such that batched_thresholds() is worth asking: `certified`, a uniform
/// background of order 0, and group kernels on all devices.
bool can_batch_thresholds(Devices devices, const POptions& options);

/// results[i]: what certified_thresholds() has for matrices[i], where can_batch_thresholds(). Nothing for matrices that
/// have to go by themselves: too long, a P-value that all words together do not reach, too many words that tie.
/// O(P-values * half words) on the devices for all matrices together. options.progress counts those that have results.
/// A batch has as many matrices as a device has room for, and of at most `most_half_words`.
std::vector<std::optional<std::vector<Threshold>>> batched_thresholds(
    Devices devices, std::span<const ScoreMatrix> matrices, std::span<const double> ps, const POptions& options,
    std::uint64_t most_half_words = std::numeric_limits<std::uint64_t>::max());

}  // namespace genocl::pwm
