// One task on another thread.
#pragma once

#include <functional>
#include <future>
#include <system_error>
#include <utility>

namespace genocl::io {

/// Runs tasks on another thread, one at a time, in the order of the calls. For one caller.
class Background {
 public:
  Background() = default;
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  ~Background() {
    if (running_.valid()) running_.wait();
  }

  /// Waits for the task before, then starts `task`. If the system cannot create a thread, the caller runs it. Rethrows
  /// the exception of the task before.
  void start(const std::function<void()>& task) {
    wait();
    try {
      running_ = std::async(std::launch::async, task);
    } catch (const std::system_error&) {
      task();
    }
  }
  /// Waits for the last task and rethrows its exception.
  void wait() {
    if (running_.valid()) std::exchange(running_, {}).get();
  }

 private:
  std::future<void> running_;
};

}  // namespace genocl::io
