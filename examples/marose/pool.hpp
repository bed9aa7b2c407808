// A pool of reusable objects.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace program {

/// Objects that threads take and return. Creates an object if none is free.
template <class T>
class Pool {
 public:
  template <class Make>
  std::unique_ptr<T> take(Make&& make) {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<T> one = std::move(idle_.back());
        idle_.pop_back();
        return one;
      }
    }
    return make();
  }
  void give(std::unique_ptr<T> one) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(one));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> idle_;
};

}  // namespace program
