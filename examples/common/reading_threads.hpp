// How many threads read and write files.
#pragma once

#include <algorithm>
#include <thread>

namespace program {

/// --threads: threads of the host, and compute units of CPU devices. 0: all.
inline unsigned max_threads = 0;

/// Threads beside the caller's: the host's other cores, up to 15, or as --threads says.
inline unsigned reading_threads() {
  return (max_threads > 0 ? max_threads : std::clamp(std::thread::hardware_concurrency(), 1u, 16u)) - 1;
}

}  // namespace program
