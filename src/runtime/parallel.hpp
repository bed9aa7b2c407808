// Distributes work over host threads. Header-only, since genocl::io uses it also.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace genocl::runtime {

/// Number of threads for `work` units if a thread should have at least `least` units: 1 to the number of cores, and at
/// most `most`.
inline std::size_t threads_for(std::size_t work, std::size_t least, std::size_t most = 8) noexcept {
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  return std::clamp<std::size_t>(work / std::max<std::size_t>(least, 1), 1,
                                 std::max<std::size_t>(1, std::min(cores, most)));
}

/// Calls task(0) to task(tasks - 1) once each on up to `threads` threads, including the caller's; a free thread takes
/// the next task. If the system cannot create more threads, the existing ones do all tasks. Returns after all have
/// ended. Rethrows the first exception of a task; tasks not yet started are then skipped.
inline void parallel_for(std::size_t tasks, std::size_t threads, const std::function<void(std::size_t)>& task) {
  if (threads <= 1 || tasks <= 1) {
    for (std::size_t i = 0; i < tasks; ++i) task(i);
    return;
  }
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stop = false;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&]() noexcept {
    while (!stop.load(std::memory_order_relaxed)) {
      const std::size_t i = next.fetch_add(1, std::memory_order_relaxed);
      if (i >= tasks) return;
      try {
        task(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        stop = true;
      }
    }
  };
  {
    std::vector<std::jthread> helpers;
    helpers.reserve(std::min(threads, tasks) - 1);
    try {
      while (helpers.size() + 1 < std::min(threads, tasks)) helpers.emplace_back(work);
    } catch (const std::system_error&) {  // the system cannot create more threads
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace genocl::runtime
