// A Tuning as text, and back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "genocl/tuning.hpp"

namespace genocl::runtime {

/// No value unless it is what to_string() makes of a Tuning within bounds, to the letter.
std::optional<Tuning> parse_tuning(std::string_view text);

/// Throws InputError that names the first value out of bounds.
void check_tuning(const Tuning& tuning);

}  // namespace genocl::runtime
