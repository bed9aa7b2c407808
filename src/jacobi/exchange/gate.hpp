// Lets the devices of a run stop at one exchange, all at the same, so that what they hold is one grid.
#pragma once

#include <cstdint>
#include <mutex>

namespace genocl::jacobi {

class Gate {
 public:
  /// Steps are counted from 0 again. No device may be on its way.
  void open() {
    const std::lock_guard lock(mutex_);
    furthest_ = 0;
    closed_ = false;
  }
  /// Nobody begins a step from here on that none has begun before; those are done by all.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  /// Every device asks before each of its steps, the iterations up to an exchange. False: it stops there.
  bool may_begin(std::uint64_t step) {
    const std::lock_guard lock(mutex_);
    if (step < furthest_) return true;
    if (closed_) return false;
    furthest_ = step + 1;
    return true;
  }

 private:
  std::mutex mutex_;
  std::uint64_t furthest_ = 0;  // steps that were begun
  bool closed_ = false;
};

}  // namespace genocl::jacobi
