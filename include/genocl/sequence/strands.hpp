// Which strands of DNA are looked at.
#pragma once

#include <cstdint>

namespace genocl {

/// `forward`: as the letters stand; `reverse`: the reverse complement of that.
enum class Strands : std::uint8_t { both, forward, reverse };

}  // namespace genocl
