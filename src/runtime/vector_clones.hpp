// Functions that are compiled for several instruction sets.
#pragma once

/// Before a function with loops over arrays: the dynamic loader selects the version for the processor. Elsewhere the
/// function is compiled once.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define GENOCL_VECTOR_CLONES __attribute__((target_clones("default", "avx2")))
#else
#define GENOCL_VECTOR_CLONES
#endif
