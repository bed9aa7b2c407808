// Operations of the library that --tune times.
#pragma once

#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <string_view>

#include "genocl/device.hpp"

namespace program {

/// Returns `count` random letters of `letters`.
std::string random_letters(std::mt19937& random, std::string_view letters, std::size_t count);

/// Enqueues the operation once. It may still run after the call.
using Work = std::function<void()>;
/// Prepares the operation for a device with its tuning. All devices of an operation have one queue and share its input
/// and output.
using Operation = std::function<Work(const genocl::Device&)>;

/// Each allocates memory on the device. Throw genocl::Error if it is insufficient.
Operation copying(const genocl::Device& device);
Operation summing(const genocl::Device& device);
Operation scanning(const genocl::Device& device);
Operation counting(const genocl::Device& device);   ///< a histogram of 256 bins
Operation gathering(const genocl::Device& device);  ///< in random order
Operation sorting(const genocl::Device& device);
Operation searching(const genocl::Device& device);  ///< two queries among 500 proteins
Operation relaxing(const genocl::Device& device);   ///< 500 x 500 cells of float, 200 iterations

/// Million updates of double per second and compute unit of the device in a relaxation; without double, of float / 1.7.
/// The best of up to four runs.
double relaxation_rate(const genocl::Device& device);

}  // namespace program
