// Halo exchange between neighbouring devices: through host memory, with an atomic handshake. No event crosses a
// context.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
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

/// Halo slices from one device to one neighbour, which may be in another process. The sender fills slot() and calls
/// send(); the receiver waits for has() and calls take(). Exchange n uses slot n % 2. A device that has received
/// exchange n - 1 knows that its neighbour no longer uses slot n - 2, because the neighbour sends n - 1 after that.
template <class T>
class HaloBuffer {
 public:
  /// In memory of this process, page-locked by `owner`. Of a CPU and a GPU, the GPU should own it.
  HaloBuffer(const Device& owner, std::size_t elements);
  /// In memory shared with another process: shared_bytes(elements) bytes, zeroed. `owner` is the device of this
  /// process. `page_locked`: halos pass through a page-locked copy, for devices that do not share the memory of the
  /// host.
  HaloBuffer(const Device& owner, std::size_t elements, std::byte* shared, bool page_locked);
  static constexpr std::size_t shared_bytes(std::size_t elements) noexcept {
    return header_bytes + 2 * slot_bytes(elements);
  }

  /// The memory to fill for the next exchange.
  T* slot() noexcept { return page_locked_copy() ? copy_.data() : at(sent_here_); }
  void send() noexcept {
    if (page_locked_copy()) copy_halo(copy_.data(), at(sent_here_));
    sent_->store(++sent_here_, std::memory_order_release);
  }
  /// Whether the next exchange has been sent.
  bool has() const noexcept { return sent_->load(std::memory_order_acquire) > taken_; }
  // Without messages in the other direction: the sender waits for may_fill(), the receiver calls release() after each
  // take().
  bool may_fill() const noexcept { return sent_here_ < released_->load(std::memory_order_acquire) + slots_.size(); }
  void release() noexcept { released_->store(taken_, std::memory_order_release); }
  /// The halo of the next exchange. Requires has(). Valid until the taker's next send() in the other direction.
  T* take() noexcept {
    T* const halo = at(taken_++);
    if (!page_locked_copy()) return halo;
    copy_halo(halo, copy_.data());
    return copy_.data();
  }

 private:
  static constexpr std::size_t header_bytes = 64;  // of the counters
  static constexpr std::size_t slot_bytes(std::size_t elements) noexcept {
    return (elements * sizeof(T) + 63) / 64 * 64;
  }
  bool page_locked_copy() const noexcept { return copy_.size() != 0; }
  T* at(std::uint64_t exchange) noexcept { return slots_[exchange % 2]; }
  void copy_halo(const T* from, T* to) noexcept;

  std::size_t elements_;
  std::array<T*, 2> slots_{};
  HostArray<T> own_;   // both slots; empty if they are shared with another process
  HostArray<T> copy_;  // of one slot
  std::atomic<std::uint64_t> own_sent_ = 0, own_released_ = 0;
  std::atomic<std::uint64_t>*sent_ = &own_sent_, *released_ = &own_released_;  // exchanges
  std::uint64_t sent_here_ = 0, taken_ = 0;  // used by the sender, and by the receiver
};

/// Both directions between a device and the one below it (towards the last slice).
template <class T>
struct HaloLink {
  HaloLink(const Device& owner, std::size_t elements) : down(owner, elements), up(owner, elements) {}
  /// In memory shared by the processes of both devices: shared_bytes(elements) bytes, zeroed.
  HaloLink(const Device& owner, std::size_t elements, std::byte* shared)
      : down(owner, elements, shared, !owner.info().host_unified_memory),
        up(owner, elements, shared + HaloBuffer<T>::shared_bytes(elements), !owner.info().host_unified_memory),
        is_shared(true) {}
  static constexpr std::size_t shared_bytes(std::size_t elements) noexcept {
    return 2 * HaloBuffer<T>::shared_bytes(elements);
  }

  HaloBuffer<T> down, up;
  bool is_shared = false;
};

/// Cells of any number between two processes that share memory, in pieces.
template <class T>
class SharedChannel {
 public:
  static constexpr std::size_t piece = (std::size_t{4} << 20) / sizeof(T);
  static constexpr std::size_t shared_bytes() noexcept { return 2 * HaloBuffer<T>::shared_bytes(piece); }

  /// `shared`: shared_bytes() bytes, zeroed. `is_first` differs between both processes. `device`: any of this process.
  SharedChannel(const Device& device, std::byte* shared, bool is_first)
      : out_(device, piece, shared + (is_first ? 0 : HaloBuffer<T>::shared_bytes(piece)), false),
        in_(device, piece, shared + (is_first ? HaloBuffer<T>::shared_bytes(piece) : 0), false) {}

  /// Returns when the cells are in shared memory. Throws Stopped when the flag is set.
  void send(std::span<const T> cells, const StopFlag& stop);
  void receive(std::span<T> cells, const StopFlag& stop);

 private:
  HaloBuffer<T> out_, in_;
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

/// Exchanges halos by messages with neighbours in processes that share no memory with this one. The device of this
/// process sees an ordinary HaloLink; this object plays the other side.
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
  /// The device on the lower (or upper) side of the link is here, its neighbour in `process`. An exchange has
  /// `elements` elements.
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
    std::uint64_t left = 0;  // exchanges to perform
    std::unique_ptr<MessageTransfer> sending, receiving;
  };
  /// Returns whether there was progress.
  bool advance(Neighbour& neighbour);

  ProcessGroup* processes_;
  std::array<Neighbour, 2> neighbours_;
};

}  // namespace genocl::jacobi
