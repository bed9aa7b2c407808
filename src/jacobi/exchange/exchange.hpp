// Neighbouring devices meet in page-locked host memory, with an atomic handshake. No event crosses a context.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "genocl/array.hpp"

namespace genocl::jacobi {

/// Raised when one device fails or the caller cancels: every wait looks at it.
using StopFlag = std::atomic<bool>;

/// Thrown by a wait that ends because the run does. Says nothing of its own: what raised the flag does.
struct Stopped {};

/// Returns when `ready()` is true, throws Stopped when the flag is up. Yields at first, then sleeps: PoCL's workers
/// need the cores.
template <class Ready>
void wait_until(const StopFlag& stop, Ready&& ready) {
  using Clock = std::chrono::steady_clock;
  constexpr auto yielding = std::chrono::microseconds(200);
  constexpr auto nap = std::chrono::microseconds(50);
  const auto start = Clock::now();
  while (!ready()) {
    if (stop.load(std::memory_order_relaxed)) throw Stopped();
    if (Clock::now() - start < yielding)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(nap);
  }
}

/// Takes frontier slices from one device to one neighbour. Exchange n goes through slot n % 2: who receives n -
/// 1 knows that the other side is done with n - 2, because it sends n - 1 after that.
template <class T>
class Channel {
 public:
  /// The memory is page-locked by `owner`: a device that gains by it, so not a CPU next to a GPU.
  Channel(const Device& owner, std::size_t elements) {
    for (HostArray<T>& slot : slots_) slot = HostArray<T>(owner, elements);
  }

  T* slot(std::uint64_t exchange) noexcept { return slots_[exchange % slots_.size()].data(); }
  /// Counts from 0 again. Nothing may be under way.
  void restart() noexcept { sent_.store(0); }
  void send(std::uint64_t exchange) noexcept { sent_.store(exchange + 1, std::memory_order_release); }
  bool has(std::uint64_t exchange) const noexcept { return sent_.load(std::memory_order_acquire) > exchange; }

 private:
  std::array<HostArray<T>, 2> slots_;
  std::atomic<std::uint64_t> sent_ = 0;
};

/// Has both ways between a device and the one below it (towards the last slice).
template <class T>
struct Border {
  Border(const Device& owner, std::size_t elements) : down(owner, elements), up(owner, elements) {}
  Channel<T> down, up;
};

}  // namespace genocl::jacobi
