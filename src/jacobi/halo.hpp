// Halo exchange between neighbouring devices: through page-locked host memory, with an atomic handshake. No event
// crosses a context.
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
#include "jacobi/process_group.hpp"

namespace genocl::jacobi {

/// Set when a device fails or the caller cancels. Every wait checks it.
using StopFlag = std::atomic<bool>;

/// Thrown by a wait that the flag ends. The cause is thrown by the thread that set the flag.
struct Stopped {};

/// Returns when `ready()` is true; throws Stopped when the flag is set. Yields at first, then sleeps: PoCL's threads
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

/// Halo slices from one device to one neighbour. Exchange n uses slot n % 2. A device that has received exchange n - 1
/// knows that its neighbour no longer uses slot n - 2, because the neighbour sends n - 1 after that.
template <class T>
class HaloBuffer {
 public:
  /// Page-locked by `owner`. Of a CPU and a GPU, the GPU should own it.
  HaloBuffer(const Device& owner, std::size_t elements) {
    for (HostArray<T>& slot : slots_) slot = HostArray<T>(owner, elements);
  }

  T* slot(std::uint64_t exchange) noexcept { return slots_[exchange % slots_.size()].data(); }
  /// Counts exchanges from 0 again. No exchange may be in progress.
  void restart() noexcept { sent_.store(0); }
  void send(std::uint64_t exchange) noexcept { sent_.store(exchange + 1, std::memory_order_release); }
  bool has(std::uint64_t exchange) const noexcept { return sent_.load(std::memory_order_acquire) > exchange; }

 private:
  std::array<HostArray<T>, 2> slots_;
  std::atomic<std::uint64_t> sent_ = 0;
};

/// Both directions between a device and the one below it (towards the last slice).
template <class T>
struct HaloLink {
  HaloLink(const Device& owner, std::size_t elements) : down(owner, elements), up(owner, elements) {}
  HaloBuffer<T> down, up;
};

/// Stops all devices of a run after the same exchange, so that their partitions form one grid. Thread-safe.
class StopPoint {
 public:
  /// Counts steps from 0 again. No device may be running.
  void reset() {
    const std::lock_guard lock(mutex_);
    furthest_ = 0;
    requested_ = false;
  }
  /// No device begins a step that no device has begun yet; all devices complete the steps already begun.
  void request() {
    const std::lock_guard lock(mutex_);
    requested_ = true;
  }
  /// Every device calls this before each step (the iterations up to an exchange). False: the device stops here.
  bool may_begin(std::uint64_t step) {
    const std::lock_guard lock(mutex_);
    if (step < furthest_) return true;
    if (requested_) return false;
    furthest_ = step + 1;
    return true;
  }

 private:
  std::mutex mutex_;
  std::uint64_t furthest_ = 0;  // steps begun
  bool requested_ = false;
};

/// Exchanges halos with neighbours in other processes. The device of this process sees an ordinary HaloLink; this
/// object plays the other side.
template <class T>
class MpiHaloLink {
 public:
  /// Null: a run of one process.
  explicit MpiHaloLink(ProcessGroup* processes) : processes_(processes) {}
  ~MpiHaloLink();
  MpiHaloLink(const MpiHaloLink&) = delete;
  MpiHaloLink& operator=(const MpiHaloLink&) = delete;

  /// Removes all neighbours.
  void disconnect();
  /// The device on the lower (or upper) side of the link is here, its neighbour in `process`. Exchanges of `elements`
  /// elements are counted from 0.
  void connect_above(std::size_t process, const std::shared_ptr<HaloLink<T>>& link, std::size_t elements);
  void connect_below(std::size_t process, const std::shared_ptr<HaloLink<T>>& link, std::size_t elements);

  /// Performs `exchanges` exchanges with each neighbour and returns when they are complete. Throws Stopped when the
  /// flag is set.
  void exchange(std::uint64_t exchanges, const StopFlag& stop);

 private:
  struct Neighbour {
    std::shared_ptr<HaloLink<T>> link;  // null: no neighbour
    HaloBuffer<T>*out = nullptr, *in = nullptr;
    MessageKind out_kind = MessageKind::halo_down, in_kind = MessageKind::halo_up;
    std::size_t process = 0, elements = 0;
    std::uint64_t exchange = 0, end = 0;
    std::unique_ptr<MessageTransfer> sending, receiving;
  };
  /// Returns whether there was progress.
  bool advance(Neighbour& neighbour);

  ProcessGroup* processes_;
  std::array<Neighbour, 2> neighbours_;
};

extern template class MpiHaloLink<float>;
extern template class MpiHaloLink<double>;

}  // namespace genocl::jacobi
