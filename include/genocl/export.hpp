// Marks what the shared library exports.
#pragma once

#if defined(__cplusplus) && __cplusplus <= 201703L
#error "genocl's headers need C++20: compile with -std=c++20 or a later standard"
#endif

#if defined(GENOCL_STATIC) || defined(_WIN32)
#define GENOCL_EXPORT
#else
#define GENOCL_EXPORT __attribute__((visibility("default")))
#endif

namespace genocl::runtime {
struct StateAccess;  // gives the library access to the state behind its handles
}
