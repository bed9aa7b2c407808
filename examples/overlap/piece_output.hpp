// The suffix array of one text and arrays derived from it, in pieces: on several devices, or for texts that exceed one
// device or 32-bit positions.
#pragma once

#include <cstdint>
#include <span>

#include "genocl/device.hpp"
#include "overlap/built_text.hpp"
#include "overlap/inputs.hpp"
#include "overlap/options.hpp"

namespace program {

/// Whether an array of `size` symbols exceeds the first device, or several GPUs build it faster in pieces.
/// `with_breaks`: the text has separators.
bool better_in_pieces(std::span<const genocl::Device> devices, std::uint64_t size, bool with_breaks);

/// Whether the array is built in pieces: by --pieces, or by better_in_pieces().
bool goes_in_pieces(const ArraySettings& settings, const TextInput& input, std::span<const genocl::Device> devices);

void write_in_pieces(const ArraySettings& settings, TextInput input, std::span<const genocl::Device> devices,
                     Steps steps);

}  // namespace program
