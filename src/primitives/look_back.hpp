// Single-pass forms by decoupled look-back, for devices with has_ptx(). See cl/primitives/look_back.clh.
#pragma once

#include <cstddef>
#include <cstdint>

#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "genocl/primitives/tuning.hpp"
#include "runtime/defines.hpp"
#include "runtime/scratch.hpp"

namespace genocl::primitives {

/// The tile counter and the tiles' states, zeroed in queue order. `wide`: for 64-bit values.
runtime::Scratch tile_states(const Device& device, std::uint64_t tiles, bool wide);

/// `defines`: those of combine_defines(), and INCLUSIVE.
void scan_in_one_pass(const Device& device, runtime::Defines& defines, const cl::Buffer& values, std::uint64_t count,
                      const cl::Buffer& results, std::uint64_t results_count, std::size_t result_bytes,
                      const Tuning& tuning, std::uint64_t bytes_moved);

}  // namespace genocl::primitives
