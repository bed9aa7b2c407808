// The suffix array of one text, and what follows from it, by pieces: on several devices, of texts too long for one or
// for 32 bits.
#pragma once

#include <cstdint>
#include <span>

#include "genocl/device.hpp"
#include "overlap/built_text.hpp"
#include "overlap/inputs.hpp"
#include "overlap/options.hpp"

namespace program {

/// Whether the array of so many symbols and breaks cannot be made as a whole by the first device, or several GPUs share
/// it.
bool better_in_pieces(std::span<const genocl::Device> devices, std::uint64_t size, bool with_breaks);

/// Whether the array is asked for in pieces, or can or shall not be made as a whole.
bool goes_in_pieces(const ArraySettings& settings, const TextInput& input, std::span<const genocl::Device> devices);

void write_in_pieces(const ArraySettings& settings, TextInput input, std::span<const genocl::Device> devices,
                     Steps steps);

}  // namespace program
