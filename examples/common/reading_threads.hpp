// How many threads read files.
#pragma once

#include <algorithm>
#include <thread>

namespace program {

/// Besides the caller's: the host's other cores, up to 15. Already on two cores the second thread makes a database, and
/// the scan of a plain genome for one motif, a tenth faster.
inline unsigned reading_threads() { return std::clamp(std::thread::hardware_concurrency(), 1u, 16u) - 1; }

}  // namespace program
