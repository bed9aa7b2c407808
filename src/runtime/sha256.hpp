// SHA-256 (FIPS 180-4), which CMake can compute too: what is hashed at build time can be compared with what is found at
// run time.
#pragma once

#include <string>
#include <string_view>

namespace genocl::runtime {

/// Gives 64 hexadecimal digits, lower case.
std::string sha256(std::string_view bytes);

}  // namespace genocl::runtime
