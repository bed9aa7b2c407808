// first_error() with pieces of a given size.
#pragma once

#include <cstdint>
#include <optional>

#include "genocl/overlap/suffix_pieces.hpp"

namespace genocl::overlap::pieces {

/// Looks at `piece` positions at a time, fewer where the device has too little memory for it. There are text.size().
std::optional<std::uint64_t> first_error(const Device& device, const Text& text, const PositionSource& positions,
                                         std::uint64_t piece, const Progress& progress = {});

}  // namespace genocl::overlap::pieces
