// How a long call tells where it is, and how it is stopped.
#pragma once

#include <cstdint>
#include <functional>

namespace genocl {

struct ProgressState {
  double fraction = 0;            ///< 0 to 1, never falling; 0 throughout when the total is not known.
  std::uint64_t items_done = 0;   ///< Counted in the operation's own unit (reads, residues, iterations).
  std::uint64_t items_total = 0;  ///< 0 when not known.
};

/// Called from the thread that called the operation, between pieces of work. Return false to stop: the operation then
/// throws Cancelled and leaves no half-written result. An empty function is never called.
using Progress = std::function<bool(const ProgressState&)>;

}  // namespace genocl
