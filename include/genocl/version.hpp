// Which genocl this is: of the headers at compile time, of the library at run time.
#pragma once

#include <string_view>

#include "genocl/export.hpp"

// CMakeLists.txt reads the version of the project from these three lines.
#define GENOCL_VERSION_MAJOR 0
#define GENOCL_VERSION_MINOR 2
#define GENOCL_VERSION_PATCH 0

/// For `#if`: 10203 is 1.2.3.
#define GENOCL_VERSION_NUMBER (GENOCL_VERSION_MAJOR * 10000 + GENOCL_VERSION_MINOR * 100 + GENOCL_VERSION_PATCH)

#define GENOCL_VERSION_TEXT_(major, minor, patch) #major "." #minor "." #patch
#define GENOCL_VERSION_TEXT(major, minor, patch) GENOCL_VERSION_TEXT_(major, minor, patch)
/// This is a string literal like "0.2.0".
#define GENOCL_VERSION GENOCL_VERSION_TEXT(GENOCL_VERSION_MAJOR, GENOCL_VERSION_MINOR, GENOCL_VERSION_PATCH)

namespace genocl {

/// GENOCL_VERSION of the library that the program runs with. Versions with the same major and minor number fit
/// together; a program that finds other ones here than in GENOCL_VERSION was compiled with another genocl's headers.
GENOCL_EXPORT std::string_view version() noexcept;

}  // namespace genocl
