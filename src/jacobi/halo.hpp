// Neighbouring devices meet in page-locked host memory, with an atomic handshake. No event crosses a context.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

#include "genocl/array.hpp"
#include "jacobi/process_gpu.hpp"

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
class HaloBuffer {
 public:
  /// The memory is page-locked by `owner`: a device that gains by it, so not a CPU next to a GPU.
  HaloBuffer(const Device& owner, std::size_t elements) {
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
struct HaloLink {
  HaloLink(const Device& owner, std::size_t elements) : down(owner, elements), up(owner, elements) {}
  HaloBuffer<T> down, up;
};

// Lets the devices of a run stop at one exchange, all at the same, so that what they hold is one grid.

class StopPoint {
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

// Carries frontiers between a device of this process and its neighbour in another one. To the device it is a neighbour
// like any other: a HaloLink, whose far side is here.

template <class T>
class MpiHaloLink {
 public:
  /// Null: there are no other processes.
  explicit MpiHaloLink(ProcessGroup* processes) : processes_(processes) {}
  ~MpiHaloLink();
  MpiHaloLink(const MpiHaloLink&) = delete;
  MpiHaloLink& operator=(const MpiHaloLink&) = delete;

  /// Forgets all neighbours.
  void disconnect();
  /// The device at the border's lower (or upper) side is here, its neighbour in that process. Exchanges of `elements`
  /// are counted from 0.
  void connect_above(std::size_t process, const std::shared_ptr<HaloLink<T>>& border, std::size_t elements);
  void connect_below(std::size_t process, const std::shared_ptr<HaloLink<T>>& border, std::size_t elements);

  /// Carries so many exchanges; returns when all have come and gone. Throws Stopped when the flag goes up.
  void carry(std::uint64_t exchanges, const StopFlag& stop);

 private:
  struct Link {
    std::shared_ptr<HaloLink<T>> border;  // null: no neighbour there
    HaloBuffer<T>*out = nullptr, *in = nullptr;
    MessageKind out_kind = MessageKind::halo_down, in_kind = MessageKind::halo_up;
    std::size_t process = 0, elements = 0;
    std::uint64_t exchange = 0, end = 0;
    std::unique_ptr<MessageTransfer> sending, receiving;
  };
  /// Whether anything went on.
  bool go_on(Link& link);

  ProcessGroup* processes_;
  std::array<Link, 2> links_;
};

extern template class MpiHaloLink<float>;
extern template class MpiHaloLink<double>;

}  // namespace genocl::jacobi
