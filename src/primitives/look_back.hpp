// Single-pass forms by decoupled look-back, for devices with has_ptx(). See cl/primitives/look_back.clh.
#pragma once

#include <cstddef>
#include <cstdint>

#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "runtime/defines.hpp"
#include "runtime/scratch.hpp"

namespace genocl::primitives {

/// `wide`: for 64-bit values.
inline std::uint64_t tile_states_bytes(std::uint64_t tiles, bool wide) { return 16 + tiles * (wide ? 16 : 8); }
/// The tile counter and the tiles' states, all 0 in queue order. Kernels take both members (retire.clh).
struct TileStates {
  runtime::Scratch memory;
  std::uint64_t cleared_words;  ///< the kernel sets these words to 0 again
};
TileStates tile_states(const Device& device, std::uint64_t bytes);

/// Number of tiles of scan_in_one_pass(): also its number of groups.
std::uint64_t one_pass_scan_tiles(const Device& device, std::uint64_t results, std::size_t result_bytes,
                                  const LaunchTuning& tuning);
/// `defines`: those of combine_defines(), and INCLUSIVE.
void scan_in_one_pass(const Device& device, runtime::Defines& defines, const cl::Buffer& values, std::uint64_t count,
                      const cl::Buffer& results, std::uint64_t results_count, std::size_t result_bytes,
                      const LaunchTuning& tuning, std::uint64_t bytes_moved);

}  // namespace genocl::primitives
