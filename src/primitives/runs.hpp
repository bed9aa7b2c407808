// Runs of equal elements, for unique(), reduce_by_key() and run_length_encode(). Defined in unique.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "genocl/device.hpp"
#include "genocl/opencl.hpp"

namespace genocl::primitives {

enum class RunFlag { start, end };

/// Writes a flag of one byte for each of `count` > 0 elements: 1 if it is the first, or the last, of a run of equal
/// elements. Elements are equal if all their bytes are.
void flag_runs(const Device& device, const cl::Buffer& elements, std::uint64_t count, std::size_t element_bytes,
               RunFlag which, const cl::Buffer& flags, const LaunchTuning& tuning);

}  // namespace genocl::primitives
