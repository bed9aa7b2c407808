// How many threads read files.
#pragma once

#include <algorithm>
#include <thread>

namespace program {

/// Besides the caller's: the host's other cores, up to 15. On two cores a second thread makes the scan of a plain
/// genome for one motif a sixth faster, and costs nothing that shows where kernels keep both busy.
inline unsigned reading_threads() { return std::clamp(std::thread::hardware_concurrency(), 1u, 16u) - 1; }

}  // namespace program
