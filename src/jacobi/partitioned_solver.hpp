// Relaxes a grid that is partitioned among devices.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "jacobi/device_table.hpp"
#include "jacobi/halo.hpp"
#include "jacobi/partition_worker.hpp"

namespace genocl::jacobi {

// One host thread for each device; the calling thread waits for them.

class DeviceThreads {
 public:
  explicit DeviceThreads(std::size_t count);
  ~DeviceThreads();
  DeviceThreads(const DeviceThreads&) = delete;
  DeviceThreads& operator=(const DeviceThreads&) = delete;

  /// Calls job(i) on each thread i and returns when all are done; calls `look` on the calling thread every 20 ms
  /// meanwhile. The first exception of any of them sets the stop flag and is rethrown here when all have ended.
  void run(const std::function<void(std::size_t)>& job, const std::function<void()>& look);

  const StopFlag& stop() const noexcept { return stop_; }

 private:
  void work(std::size_t thread);
  void fail(std::exception_ptr error) noexcept;

  StopFlag stop_ = false;
  std::mutex mutex_;  // guards the following members
  std::condition_variable called_, ended_;
  const std::function<void(std::size_t)>* job_ = nullptr;
  std::size_t calls_ = 0, running_ = 0;
  bool closed_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

/// The ranges of the partitions in the order of the devices; empty for devices without one. `first`: the number of the
/// grid's first slice (Layout).
std::vector<SliceRange> ranges_of(const PartitionSizes& sizes, std::uint64_t first = 0);

/// Totals of one device in a run.
struct DeviceTotals {
  double updates = 0;                    ///< of cells
  double computing = 0, exchanging = 0;  ///< seconds

  DeviceTotals& operator+=(const DeviceTotals& more) noexcept {
    updates += more.updates;
    computing += more.computing;
    exchanging += more.exchanging;
    return *this;
  }
};

/// Called at intervals, on the thread that runs, with the number of iterations done; may throw.
using IterationCallback = std::function<void(double iterations)>;

/// Sizes, ranges and indices are those of all devices in the table; everything else is of this process. start(),
/// load(), move(), change() and store() are collective, as is advance() if any process has a partition. All of them
/// throw DeviceFailed with the index of the failed device; after that, or after any other error except one of the
/// callback in advance(), the object can only be destroyed.
template <class T>
class PartitionedSolver {
 public:
  /// `report_iterations` may be empty. `spare_memory`: devices allocate more than their partition, so that slices can
  /// be moved.
  PartitionedSolver(std::span<const RunDevice> run_devices, DeviceTable table, const RunSettings& settings,
                    const Hooks& hooks, IterationCallback report_iterations, bool spare_memory);

  /// Allocates memory and compiles kernels for later sizes. Before start().
  void reserve(const PartitionSizes& first, const PartitionSizes& later, std::span<const FusedStepSet> fused_steps);
  /// Creates the partitions with their cells, and compiles the sweeps for these numbers of fused steps.
  void start(const PartitionSizes& sizes, const HostGrid<T>& grid, std::span<const FusedStepSet> fused_steps);
  /// Loads other cells and restarts the count of iterations.
  void restart(const HostGrid<T>& grid);
  /// Compiles the sweeps for these numbers of fused steps.
  void prepare(std::span<const FusedStepSet> fused_steps);
  /// Changes the sizes. Slices move through host memory.
  void move(const PartitionSizes& sizes);
  /// Returns the seconds that it took. `with_change`: change() then returns that of the last iteration. An exception of
  /// the callback stops all devices after the same exchange and is rethrown; the run may then continue. (With several
  /// processes it is an error like others.)
  double advance(std::uint64_t iterations, bool with_change);
  Change change();
  /// Downloads the cells: into the whole grid, or through functions those of each device in the order of slices.
  void store(const HostGrid<T>& grid);
  /// Transfer slices from `first` on of this process's partitions. Written slices also go to the halos that contain
  /// them.
  void read_slices(std::uint64_t first, std::span<T> cells);
  void write_slices(std::uint64_t first, std::span<const T> cells);
  /// Iterations since load.
  std::uint64_t iterations() const noexcept { return iterations_; }

  const PartitionSizes& sizes() const noexcept { return sizes_; }
  /// Times of each device in the last advance().
  std::span<const AdvanceTimes> times() const noexcept { return times_; }
  std::span<const DeviceTotals> done() const noexcept { return done_; }

 private:
  PartitionWorker<T>& worker(std::size_t entry) { return *workers_[entry - table_.first]; }
  std::vector<SliceRange> ranges(const PartitionSizes& sizes) const {
    return ranges_of(sizes, settings_.layout.first());
  }
  SliceRange allocated_for(std::size_t entry, const SliceRange& range) const;
  void place(const PartitionSizes& sizes);
  /// Calls use(upper, lower) for each pair of devices with neighbouring partitions.
  template <class Use>
  void for_neighbours(const PartitionSizes& sizes, Use&& use) const;
  const std::shared_ptr<HaloLink<T>>& link(std::size_t upper, std::size_t lower);
  void allocate_staging();
  /// `target`: the number of the first slice at the destination.
  void transfer_range(std::size_t from, std::size_t to, const SliceRange& range, std::uint64_t target);
  void transfer_range(std::size_t to, const SliceRange& range, std::span<const T> slices);
  void load(const HostGrid<T>& grid);
  /// Null if the process is on another machine. Both processes call it in the same order.
  SharedChannel<T>* channel(std::size_t process);
  void send(std::size_t process, std::span<const T> cells);
  void receive(std::size_t process, std::span<T> cells);
  template <class Do>
  void on_workers(Do&& what) {  // one device after the other
    for (std::size_t i = 0; i < workers_.size(); ++i)
      attribute_errors(table_.first + i, [&] { what(*workers_[i], i); });
  }
  template <class Do>
  void transfer_all(Do&& what) {  // all at once
    threads_.run(
        [&](std::size_t i) {
          if (i < workers_.size()) transfer(table_.first + i, [&] { what(*workers_[i]); });
        },
        [] {});
  }
  template <class Do>
  void transfer(std::size_t entry, Do&& what) {
    attribute_errors(entry, [&] {
      if (fail_transfer_) fail_transfer_(entry);
      what();
    });
  }
  void report();

  std::vector<RunDevice> run_devices_;
  DeviceTable table_;
  RunSettings settings_;
  IterationCallback report_iterations_;
  std::function<void(std::size_t)> fail_transfer_;
  std::uint64_t iterations_ = 0;
  bool spare_memory_ = false;
  std::vector<double> simulated_;  // in tests: the seconds of a slice and iteration on each device
  std::vector<std::unique_ptr<PartitionWorker<T>>> workers_;
  std::map<std::pair<std::size_t, std::size_t>, std::shared_ptr<HaloLink<T>>> links_;  // by the indices of both devices
  MpiHaloLink<T> mpi_links_;
  std::map<std::size_t, std::unique_ptr<SharedChannel<T>>> channels_;  // by process
  PartitionSizes sizes_;
  std::vector<AdvanceTimes> times_;
  std::vector<DeviceTotals> done_;
  HostArray<T> staging_;         // of moved slices, page-locked
  std::vector<double> squares_;  // of each row of the grid
  StopPoint stop_point_;
  DeviceThreads threads_;  // last member: its threads end before the others are destroyed
};

}  // namespace genocl::jacobi
