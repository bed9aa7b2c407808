#include "jacobi/solve/solve_team.hpp"

#include <chrono>
#include <utility>

namespace genocl::jacobi {

Team::Team(std::size_t members) {
  try {
    threads_.reserve(members);
    for (std::size_t i = 0; i < members; ++i) threads_.emplace_back([this, i] { work(i); });
  } catch (...) {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    called_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    throw;
  }
}

Team::~Team() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  called_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Team::fail(std::exception_ptr error) noexcept {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(error);
  stop_.store(true);
}

void Team::work(std::size_t member) {
  std::size_t done = 0;
  for (;;) {
    const std::function<void(std::size_t)>* job = nullptr;
    {
      std::unique_lock lock(mutex_);
      called_.wait(lock, [&] { return closed_ || calls_ != done; });
      if (closed_) return;
      done = calls_;
      job = job_;
    }
    try {
      (*job)(member);
    } catch (const Stopped&) {  // another one has failed
    } catch (...) {
      fail(std::current_exception());
    }
    const std::lock_guard lock(mutex_);
    if (--running_ == 0) ended_.notify_all();
  }
}

void Team::run(const std::function<void(std::size_t)>& job, const std::function<void()>& look) {
  constexpr auto between_looks = std::chrono::milliseconds(20);
  std::unique_lock lock(mutex_);
  failure_ = nullptr;  // of a call before
  stop_.store(false);
  job_ = &job;
  running_ = threads_.size();
  ++calls_;
  called_.notify_all();
  while (!ended_.wait_for(lock, between_looks, [&] { return running_ == 0; })) {
    if (stop_.load()) continue;
    lock.unlock();
    try {
      look();
    } catch (...) {
      fail(std::current_exception());
    }
    lock.lock();
  }
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace genocl::jacobi
