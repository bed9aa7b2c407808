// Reads a source on another thread, ahead of its reader.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace genocl::io {

/// For one reader. Holds at most 4 MiB of bytes that are read ahead.
class ReadAhead {
 public:
  /// Fills up to `size` bytes and returns their number; 0 at the end. May throw.
  using Source = std::function<std::size_t(char* to, std::size_t size)>;

  /// `source` is called on another thread from the first read() on, until it returns 0 or throws, or until this object
  /// is destroyed. If the system cannot create a thread, read() calls it.
  explicit ReadAhead(Source source) : source_(std::move(source)) {}
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;
  ~ReadAhead() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  /// The next bytes, up to `size`; 0 at the end. Rethrows an exception of the source after the bytes before it.
  std::size_t read(char* to, std::size_t size) {
    if (!started_) start();
    if (!thread_.joinable()) return source_(to, size);
    if (at_ == current_.size) {
      std::unique_lock lock(mutex_);
      if (current_.bytes) idle_.push_back(std::move(current_.bytes));
      current_ = {};
      at_ = 0;
      changed_.notify_all();
      changed_.wait(lock, [this] { return !full_.empty() || ended_; });
      if (full_.empty()) {
        if (failure_) std::rethrow_exception(failure_);
        return 0;
      }
      current_ = std::move(full_.front());
      full_.pop_front();
    }
    const std::size_t count = std::min(size, current_.size - at_);
    std::memcpy(to, current_.bytes.get() + at_, count);
    at_ += count;
    return count;
  }

 private:
  static constexpr std::size_t buffer_size = std::size_t{1} << 20, max_buffers = 4;
  /// Bytes of a call of the source. If it throws, the bytes of this call are lost.
  static constexpr std::size_t step = std::size_t{1} << 17;

  struct Buffer {
    std::unique_ptr<char[]> bytes;
    std::size_t size = 0;
  };

  void start() {
    started_ = true;
    for (std::size_t i = 0; i < max_buffers; ++i) idle_.push_back(std::unique_ptr<char[]>(new char[buffer_size]));
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {  // no thread: read() calls the source
    }
  }

  void run() {
    std::unique_lock lock(mutex_);
    while (!ended_) {
      changed_.wait(lock, [this] { return stop_ || !idle_.empty(); });
      if (stop_) return;
      Buffer buffer{std::move(idle_.back()), 0};
      idle_.pop_back();
      lock.unlock();
      std::exception_ptr failure;
      bool more = true;
      try {
        while (more && buffer.size < buffer_size) {
          const std::size_t count = source_(buffer.bytes.get() + buffer.size, step);
          more = count > 0;
          buffer.size += count;
          if (count < step) break;  // what a pipe has so far
        }
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      failure_ = failure;
      ended_ = failure || !more;
      if (buffer.size > 0) full_.push_back(std::move(buffer));
      changed_.notify_all();
    }
  }

  Source source_;
  bool started_ = false;
  Buffer current_;
  std::size_t at_ = 0;  // of the first byte of `current_` that was not read
  std::mutex mutex_;    // guards all below
  std::condition_variable changed_;
  std::deque<Buffer> full_;
  std::deque<std::unique_ptr<char[]>> idle_;
  std::exception_ptr failure_;
  bool ended_ = false, stop_ = false;
  std::thread thread_;
};

}  // namespace genocl::io
