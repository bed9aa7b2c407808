// Marks what the shared library exports.
#pragma once

#if defined(GENOCL_STATIC) || defined(_WIN32)
#define GENOCL_EXPORT
#else
#define GENOCL_EXPORT __attribute__((visibility("default")))
#endif
