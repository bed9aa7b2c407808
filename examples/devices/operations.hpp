// Operations of the library that --tune times.
#pragma once

#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <string_view>

#include "genocl/device.hpp"

namespace program {

/// Draws `count` letters out of `letters`.
std::string random_letters(std::mt19937& random, std::string_view letters, std::size_t count);

/// Does the operation once; it may be still running when this returns.
using Work = std::function<void()>;
/// Makes the operation ready to run as one device's tuning has it. What it reads and writes is shared by all devices
/// that it is made ready for, which have one queue.
using Operation = std::function<Work(const genocl::Device&)>;

/// Each allocates on the device what it needs. Throw genocl::Error where that is not there.
Operation copying(const genocl::Device& device);
Operation summing(const genocl::Device& device);
Operation scanning(const genocl::Device& device);
Operation counting(const genocl::Device& device);   ///< a histogram of 256 bins
Operation gathering(const genocl::Device& device);  ///< in random order
Operation sorting(const genocl::Device& device);
Operation searching(const genocl::Device& device);  ///< two queries among 500 proteins
Operation relaxing(const genocl::Device& device);   ///< 500 x 500 cells of float, 200 iterations

/// Million updates of double in a second that each of the device's units does in a relaxation; of float / 1.7 where it
/// has no double. The best of four runs, of fewer where they are long.
double relaxation_rate(const genocl::Device& device);

}  // namespace program
