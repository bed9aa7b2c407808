// Each device has one host thread, and the caller's thread directs them.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "jacobi/exchange/exchange.hpp"

namespace genocl::jacobi {

class Team {
 public:
  explicit Team(std::size_t members);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  /// job(i) on thread i, for every member; returns when all are done. Meanwhile `look` is called here now and then. The
  /// first exception of any of them raises the stop flag, and is thrown here again when all have ended.
  void run(const std::function<void(std::size_t)>& job, const std::function<void()>& look);

  const StopFlag& stop() const noexcept { return stop_; }

 private:
  void work(std::size_t member);
  void fail(std::exception_ptr error) noexcept;

  StopFlag stop_ = false;
  std::mutex mutex_;  // guards what follows
  std::condition_variable called_, ended_;
  const std::function<void(std::size_t)>* job_ = nullptr;
  std::size_t calls_ = 0, running_ = 0;
  bool closed_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace genocl::jacobi
