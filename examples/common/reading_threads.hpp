// Number of threads that read and write files.
#pragma once

#include <algorithm>
#include <thread>

namespace program {

/// --threads: host threads, and compute units of CPU devices. 0: all.
inline unsigned max_threads = 0;

/// Number of threads besides the caller's: --threads minus 1; by default the other cores of the host, at most 15.
inline unsigned reading_threads() {
  return (max_threads > 0 ? max_threads : std::clamp(std::thread::hardware_concurrency(), 1u, 16u)) - 1;
}

}  // namespace program
