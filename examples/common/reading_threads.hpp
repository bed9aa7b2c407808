// How many threads read and write files.
#pragma once

#include <algorithm>
#include <thread>

namespace program {

/// --threads: threads of the host, and compute units of CPU devices. 0: all.
inline unsigned max_threads = 0;

/// Number of threads in addition to the caller's: --threads minus 1, by default the host's other cores, at most 15.
inline unsigned reading_threads() {
  return (max_threads > 0 ? max_threads : std::clamp(std::thread::hardware_concurrency(), 1u, 16u)) - 1;
}

}  // namespace program
