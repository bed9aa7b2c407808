// Work of the host shared by a few threads. In a header, so that genocl::io, a library of its own, has it too.
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

/// Threads that are worth starting for `work` units of which one thread should have `least`: 1 to the host's cores, and
/// at most `most`.
inline std::size_t threads_for(std::size_t work, std::size_t least, std::size_t most = 8) noexcept {
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  return std::clamp<std::size_t>(work / std::max<std::size_t>(least, 1), 1,
                                 std::max<std::size_t>(1, std::min(cores, most)));
}

/// Calls task(0) to task(tasks - 1), each once, on up to `threads` threads, the caller's among them; a thread that is
/// done takes the next. Where the system has no more threads to give, those there are do all. Returns when all have
/// ended; the first exception of a task is thrown again here, and tasks not yet begun are left out then.
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
    } catch (const std::system_error&) {  // no more threads to be had
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace genocl::runtime
