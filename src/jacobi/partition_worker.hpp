// What a device does with its share. Used by one thread at a time.
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

/// What one call of advance() took, in seconds, and how far it came.
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

  /// Neighbours; null at the ends. Exchanges are counted from 0 again.
  void connect(HaloLink<T>* above, HaloLink<T>* below);

  /// Compiles what sweeps of these numbers of levels need, and the measured one, as far as it is not there yet. The
  /// cells stay as they are. Not at the same time as another device's.
  void prepare(const FusedStepSet& all_fused_steps);

  /// Does that many iterations, with one exchange after each `halo_depth` of them, or fewer where the gate closes.
  /// The ghosts are new at the end. `squares`: null, or where the last one's sums of squares go, for each row of the
  /// grid; change_max() is then set.
  AdvanceTimes advance(std::uint64_t iterations, std::vector<double>* squares, const StopFlag& stop,
                       StopPoint& stop_point);
  T change_max() const noexcept { return change_max_; }
  /// Iterations since the beginning; may be read by other threads.
  std::uint64_t iterations() const noexcept { return done_.load(std::memory_order_relaxed); }
  void count_from(std::uint64_t iterations) noexcept { done_.store(iterations, std::memory_order_relaxed); }

  /// For tests: a clock that is played (advance() reports so many seconds for a slice and iteration, whatever it took),
  /// and what is called with the number of iterations done before those of an exchange, or of a device alone now and
  /// then.
  void simulate_time(double slice_seconds) noexcept { slice_seconds_ = slice_seconds; }
  void on_step(std::function<void(std::uint64_t)> call) { on_step_ = std::move(call); }

 private:
  AdvanceTimes advance_steps(std::uint64_t iterations, std::vector<double>* squares, const StopFlag& stop,
                             StopPoint& stop_point);
  AdvanceTimes advance_alone(std::uint64_t iterations, std::vector<double>* squares, const StopFlag& stop,
                             StopPoint& stop_point);
  /// Iterations up to an exchange, with it; all but the exchange's waiting may still be under way. Returns the seconds
  /// that the device had nothing to do.
  double period(unsigned length, std::vector<double>* squares, const StopFlag& stop);
  /// In a ring, where one device has all slices: so many ghosts on each side become what they are ghosts of.
  void copy_ring_halo(std::uint64_t ghosts);
  /// Returns the part with so many slices more on each side, as far as they are held.
  SliceRange with_slices(const SliceRange& range, std::uint64_t more) const noexcept;
  /// Enqueues a sweep: a part of the other array, from the current one.
  void enqueue(const Device& on, const SliceRange& range, unsigned fused_steps);
  /// Sweeps the own part, measures how much it changes, and swaps. Returns when it is done.
  void measured_sweep(std::vector<double>& squares);
  /// Calls sweep_with_change() for the own part, into the other array.
  T measure(std::span<double> squares);
  // These are the exchange, on the edge's queue and the current array. The frontier may still be under way in that
  // queue.
  void read_halos(const SliceRange& upper, const SliceRange& lower);
  void send_halos();
  void receive_halos(const StopFlag& stop, const std::function<void()>& meanwhile);

  Device interior_queue_, halo_queue_;  // the same device, two queues
  Plan plan_;
  RunSettings settings_;
  PartitionCells<T> cells_;
  HaloLink<T>*above_ = nullptr, *below_ = nullptr;
  std::uint64_t exchange_ = 0;
  runtime::Event halos_read_;
  ChangeMeter<T> meter_;
  T change_max_ = 0;
  std::atomic<std::uint64_t> done_ = 0;
  FusedStepSet prepared_;
  bool change_prepared_ = false;
  double slice_seconds_ = 0;
  std::function<void(std::uint64_t)> on_step_;
};

extern template class PartitionWorker<float>;
extern template class PartitionWorker<double>;

}  // namespace genocl::jacobi
