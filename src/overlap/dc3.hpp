// DC3 on strings of numbers, for whoever has names instead of a text.
#pragma once

#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "genocl/overlap/suffix_array.hpp"
#include "overlap/text_state.hpp"

namespace genocl::overlap {

/// build_dc3() with windows of at most so many bits as the names of level 0, up to 64; 0: as many as a random text of
/// its size needs.
void build_dc3_by_windows(const Device& device, const Text::State& text, Array<std::uint32_t>& positions,
                          const SuffixArrayOptions& options, BuildReport& report, unsigned window_bits);

/// Fills order[0, size) with the suffix array of names[0, size), numbers in [1, largest]. Returns the levels of
/// recursion. Waits once a level.
unsigned sort_suffixes_of_names(const Device& device, const cl::Buffer& names, std::uint64_t size,
                                std::uint64_t largest, const cl::Buffer& order);

/// What that takes besides names and order.
std::uint64_t names_dc3_bytes(const Device& device, std::uint64_t size);

}  // namespace genocl::overlap
