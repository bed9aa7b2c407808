// Strands of DNA.
#pragma once

#include <cstdint>

namespace genocl {

/// A strand of the reference.
enum class Strand : std::uint8_t { forward, reverse };

/// `forward`: as the letters stand; `reverse`: the reverse complement of that.
enum class Strands : std::uint8_t { both, forward, reverse };

}  // namespace genocl
