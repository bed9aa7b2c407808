// Progress reports and cancellation of long calls.
#pragma once

#include <cstdint>
#include <functional>

namespace genocl {

struct ProgressState {
  double fraction = 0;            ///< 0 to 1, never decreasing; 0 if the total is unknown
  std::uint64_t items_done = 0;   ///< in the operation's unit (reads, residues, iterations)
  std::uint64_t items_total = 0;  ///< 0 if unknown
};

/// Called on the thread of the operation, between pieces of work. Return false to stop: the operation throws Cancelled
/// and leaves no partial result. An empty function is not called.
using Progress = std::function<bool(const ProgressState&)>;

}  // namespace genocl
