// Relaxes a grid in shares, one for each device that takes part.
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

#include "jacobi/balance.hpp"
#include "jacobi/device_table.hpp"
#include "jacobi/halo.hpp"
#include "jacobi/partition_worker.hpp"

namespace genocl::jacobi {

// Each device has one host thread, and the caller's thread directs them.

class DeviceThreads {
 public:
  explicit DeviceThreads(std::size_t count);
  ~DeviceThreads();
  DeviceThreads(const DeviceThreads&) = delete;
  DeviceThreads& operator=(const DeviceThreads&) = delete;

  /// job(i) on thread i, for every member; returns when all are done. Meanwhile `look` is called here now and then. The
  /// first exception of any of them raises the stop flag, and is thrown here again when all have ended.
  void run(const std::function<void(std::size_t)>& job, const std::function<void()>& look);

  const StopFlag& stop() const noexcept { return stop_; }

 private:
  void work(std::size_t thread);
  void fail(std::exception_ptr error) noexcept;

  StopFlag stop_ = false;
  std::mutex mutex_;  // guards what follows
  std::condition_variable called_, ended_;
  const std::function<void(std::size_t)>* job_ = nullptr;
  std::size_t calls_ = 0, running_ = 0;
  bool closed_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

/// The shares as parts of the grid, in the order of the devices; a device without a share has an empty one. `first`:
/// the number of the grid's first slice (Layout).
std::vector<SliceRange> ranges_of(const PartitionSizes& sizes, std::uint64_t first = 0);

/// What a device has done in a run.
struct DeviceTotals {
  AdvanceTimes spent;
  double updates = 0;
};

/// Is told now and then, on the thread that runs, how many iterations are done; may throw.
using IterationCallback = std::function<void(double iterations)>;

/// PartitionSizes, parts and their numbers are those of all devices of the roster; whatever else is asked for is of
/// this process's. start(), load(), move(), change() and store() are collective, as is advance() with a share anywhere.
/// All of them throw DeviceFailed for the device, by its number here, that made them fail: the run is then of no more
/// use.
template <class T>
class PartitionedSolver {
 public:
  /// `tell` may be empty. `roomy`: devices take memory for more than their share, so that slices can be moved.
  PartitionedSolver(std::span<const RunDevice> run_devices, DeviceTable table, const RunSettings& settings,
                    const Hooks& hooks, IterationCallback report_iterations, bool spare_memory);

  /// Memory and kernels for what may come later, where they are not there from the first. Before start().
  void reserve(const PartitionSizes& first, const PartitionSizes& later, std::span<const FusedStepSet> fused_steps);
  /// Gives the devices their first shares, with the cells, and kernels for sweeps of those numbers of levels.
  void start(const PartitionSizes& sizes, const HostGrid<T>& grid, std::span<const FusedStepSet> fused_steps);
  /// Gives them other cells, with which they begin anew.
  void restart(const HostGrid<T>& grid);
  /// Compiles what sweeps of those numbers of levels need.
  void prepare(std::span<const FusedStepSet> fused_steps);
  /// Gives them other shares: slices go through host memory.
  void move(const PartitionSizes& sizes);
  /// Seconds that it took. `with_change`: change() then is that of the last iteration. What `tell` throws ends it at
  /// the next exchange that all devices reach: it is thrown again then, and the run may go on. (With several processes
  /// it is an error like others.)
  double advance(std::uint64_t iterations, bool with_change);
  Change change();
  /// Gives the cells to the caller: all of them, or with functions those of each device in the slices' order.
  void store(const HostGrid<T>& grid);
  /// Iterations since the cells came.
  std::uint64_t iterations() const noexcept { return iterations_; }

  const PartitionSizes& sizes() const noexcept { return sizes_; }
  /// What the last advance() took of each device.
  std::span<const AdvanceTimes> times() const noexcept { return times_; }
  std::span<const DeviceTotals> done() const noexcept { return done_; }

 private:
  PartitionWorker<T>& worker(std::size_t entry) { return *workers_[entry - table_.first]; }
  std::vector<SliceRange> ranges(const PartitionSizes& sizes) const {
    return ranges_of(sizes, settings_.layout.first());
  }
  SliceRange allocated_for(std::size_t entry, const SliceRange& range) const;
  void place(const PartitionSizes& sizes);
  /// use(upper, lower) for every two devices with shares of neighbouring slices.
  template <class Use>
  void for_neighbours(const PartitionSizes& sizes, Use&& use) const;
  const std::shared_ptr<HaloLink<T>>& link(std::size_t upper, std::size_t lower);
  void allocate_staging();
  /// `there`: the number that the part's first slice has where it goes.
  void transfer_range(std::size_t from, std::size_t to, const SliceRange& range, std::uint64_t there);
  void transfer_range(std::size_t to, const SliceRange& range, std::span<const T> slices);
  void load(const HostGrid<T>& grid);
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
  void look();

  std::vector<RunDevice> run_devices_;
  DeviceTable table_;
  RunSettings settings_;
  IterationCallback report_iterations_;
  std::function<void(std::size_t)> fail_transfer_;
  std::uint64_t iterations_ = 0;
  bool spare_memory_ = false, simulated_ = false;
  std::vector<std::unique_ptr<PartitionWorker<T>>> workers_;
  std::map<std::pair<std::size_t, std::size_t>, std::shared_ptr<HaloLink<T>>> links_;  // by the two devices
  MpiHaloLink<T> mpi_links_;
  PartitionSizes sizes_;
  std::vector<AdvanceTimes> times_;
  std::vector<DeviceTotals> done_;
  HostArray<T> staging_;         // of what is moved
  std::vector<double> squares_;  // of each row of the grid
  StopPoint stop_point_;
  DeviceThreads threads_;  // last: its threads end before what they use
};

extern template class PartitionedSolver<float>;
extern template class PartitionedSolver<double>;

}  // namespace genocl::jacobi
