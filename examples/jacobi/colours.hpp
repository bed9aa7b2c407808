// A colour map whose steps look alike.
#pragma once

#include <array>
#include <cstdint>

namespace program {

using Colour = std::array<std::uint8_t, 3>;  ///< red, green, blue

/// From dark violet (0) over blue and green to light yellow (1): lightness rises evenly in OKLab (Ottosson 2020), so
/// that equal differences look equal, in grey and to the colour-blind too. Values outside are taken as 0 or 1.
Colour colour_of(double value);

}  // namespace program
