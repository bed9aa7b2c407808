// The iterations and exchanges of one device on its partition. Used by one thread at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "jacobi/halo.hpp"
#include "jacobi/partition.hpp"
#include "jacobi/sweep.hpp"
#include "runtime/event.hpp"

namespace genocl::jacobi {

/// Seconds of one call of advance(), and the iterations done.
struct AdvanceTimes {
  double computing = 0, exchanging = 0;
  std::uint64_t iterations = 0;
};

template <class T>
class PartitionWorker {
 public:
  PartitionWorker(const Device& device, const Plan& plan, const RunSettings& settings)
      : interior_queue_(device.with_own_queue()),
        halo_queue_(device.with_own_queue()),
        plan_(plan),
        settings_(settings),
        cells_(interior_queue_, settings),
        meter_(settings.has_double) {}
  ~PartitionWorker();
  PartitionWorker(const PartitionWorker&) = delete;
  PartitionWorker& operator=(const PartitionWorker&) = delete;

  const Device& device() const noexcept { return interior_queue_; }
  const Plan& plan() const noexcept { return plan_; }
  const SliceRange& own() const noexcept { return cells_.own(); }
  PartitionCells<T>& cells() noexcept { return cells_; }

  /// The neighbours; null at the ends.
  void connect(HaloLink<T>* above, HaloLink<T>* below);

  /// Compiles the sweeps for these numbers of fused steps, and the measuring one, unless done before. The cells are
  /// unchanged. Not concurrently with other devices.
  void prepare(const FusedStepSet& all_fused_steps);

  /// Does `iterations` iterations with an exchange after each `halo_depth` of them, or fewer if the stop point is
  /// requested. The halo is valid at the end. `squares`: null, or receives the sums of squares of the last iteration
  /// for each row of the grid, and change_max() is set.
  AdvanceTimes advance(std::uint64_t iterations, std::vector<double>* squares, const StopFlag& stop,
                       StopPoint& stop_point);
  /// The same without neighbours and exchanges.
  AdvanceTimes advance_alone(std::uint64_t iterations, std::vector<double>* squares, const StopFlag& stop,
                             StopPoint& stop_point);
  bool has_neighbours() const noexcept { return above_ != nullptr || below_ != nullptr; }
  T change_max() const noexcept { return change_max_; }
  /// Iterations since the cells were loaded. Thread-safe.
  std::uint64_t iterations() const noexcept { return done_.load(std::memory_order_relaxed); }
  void count_from(std::uint64_t iterations) noexcept { done_.store(iterations, std::memory_order_relaxed); }

  /// For tests: a function called with the iterations done before those of each exchange (at intervals without
  /// exchanges).
  void on_step(std::function<void(std::uint64_t)> call) { on_step_ = std::move(call); }

 private:
  /// The iterations up to an exchange, and the exchange. Kernels may still be running at the return. Returns the
  /// seconds in which the device was idle.
  double advance_to_exchange(unsigned length, std::vector<double>* squares, const StopFlag& stop);
  /// In a ring on a single device: refreshes `slices` halo slices on each side.
  void copy_ring_halo(std::uint64_t halo);
  /// The range with `more` slices on each side, as far as they are held.
  SliceRange with_slices(const SliceRange& range, std::uint64_t more) const noexcept;
  /// Enqueues a sweep from the current array to a range of the other.
  void enqueue(const Device& on, const SliceRange& range, unsigned fused_steps);
  /// Sweeps the partition, measures the change, and swaps the arrays. Returns when it is done.
  void measured_sweep(std::vector<double>& squares);
  /// Calls sweep_with_change() for the partition, into the other array.
  T measure(std::span<double> squares);
  // The parts of an exchange, on the halo queue and the current array. The sweep of the sent halo may still be running
  // in that queue.
  void read_halos(const SliceRange& upper, const SliceRange& lower);
  void send_halos();
  void receive_halos(const StopFlag& stop, const std::function<void()>& meanwhile);

  Device interior_queue_, halo_queue_;  // two queues of the same device
  Plan plan_;
  RunSettings settings_;
  PartitionCells<T> cells_;
  HaloLink<T>*above_ = nullptr, *below_ = nullptr;
  Event halos_read_;
  ChangeMeter<T> meter_;
  T change_max_ = 0;
  std::atomic<std::uint64_t> done_ = 0;
  FusedStepSet prepared_;
  bool change_prepared_ = false;
  std::function<void(std::uint64_t)> on_step_;
};

}  // namespace genocl::jacobi
