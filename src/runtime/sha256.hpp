// SHA-256 (FIPS 180-4). CMake computes it also, so a run-time hash can be compared with a build-time hash.
#pragma once

#include <string>
#include <string_view>

namespace genocl::runtime {

/// The hash as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace genocl::runtime
