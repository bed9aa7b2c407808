// The run of solve() and Relaxation: a grid on a group of devices, in partitions, or in bands if the devices do not
// hold it. If a device fails, another group without it takes over.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "genocl/jacobi/solve.hpp"
#include "jacobi/banded_solver.hpp"
#include "jacobi/device_table.hpp"
#include "jacobi/layout.hpp"
#include "jacobi/load_balancer.hpp"
#include "jacobi/partition.hpp"
#include "jacobi/partitioned_solver.hpp"
#include "jacobi/process_group.hpp"
#include "jacobi/sweep.hpp"

namespace genocl::jacobi {

/// The settings of a run. `readers`: of fields that options.equation does not contain as arrays.
template <class T>
RunSettings run_settings(const Shape& shape, const SolveOptions& options, const Hooks& hooks,
                         const FieldReaders<T>& readers = {});

/// The ownership of the cells passed to a solver.
enum class InputCells : std::uint8_t {
  borrow,  ///< they remain valid and unchanged until the next store() into them
  copy,    ///< the caller may change them after the call
};

/// Copies of the grid in host memory, from which other devices resume after a failure. A new copy is written next to
/// the last one, so one complete copy always exists.
template <class T>
class GridBackup {
 public:
  explicit GridBackup(std::uint64_t cells) : cells_(cells) {}

  /// Uses cells in the caller's memory, which stay unchanged.
  void refer_to(const HostGrid<T>& grid, std::uint64_t iteration) {
    grid_ = grid;
    iteration_ = iteration;
    own_ = slots_.size();
  }
  /// Drops the copy if it is in memory that the caller is about to overwrite.
  void drop_if_in(std::span<const T> cells) {
    if (grid_ && !grid_->whole.empty() && grid_->whole.data() == cells.data()) grid_.reset();
  }
  void drop() { grid_.reset(); }

  bool any() const noexcept { return grid_.has_value(); }
  const HostGrid<T>& grid() const noexcept { return *grid_; }
  std::uint64_t iteration() const noexcept { return iteration_; }

  /// Bytes of host memory that the next copy allocates.
  std::uint64_t new_bytes() const noexcept { return slots_[next()] ? 0 : cells_ * sizeof(T); }
  /// Calls fill(copy), which writes the cells of that iteration. If it throws, the last copy remains.
  template <class Fill>
  void write(std::uint64_t iteration, Fill&& fill) {
    const std::size_t slot = next();
    if (!slots_[slot]) slots_[slot].reset(new T[cells_]);  // pages are allocated by the threads that write first
    const HostGrid<T> copy{{slots_[slot].get(), static_cast<std::size_t>(cells_)}, {}, {}};
    fill(copy);
    grid_ = copy;
    iteration_ = iteration;
    own_ = slot;
  }

 private:
  std::size_t next() const noexcept { return own_ == 0 ? 1 : 0; }

  std::uint64_t cells_;
  std::array<std::unique_ptr<T[]>, 2> slots_;
  std::size_t own_ = 2;  // slot of the last copy; 2: elsewhere
  std::optional<HostGrid<T>> grid_;
  std::uint64_t iteration_ = 0;
};

/// Relaxes a grid. Calls are collective with several processes. If a device fails, the others resume from the last copy
/// in host memory and repeat the iterations since. Without a copy or another device, its error is rethrown and the
/// solver holds no grid. After any error the solver can be loaded again. Used by one thread at a time.
template <class T>
class Solver {
 public:
  /// Requires valid options. The arrays that they refer to must remain valid.
  Solver(ProcessGroup* processes, Devices devices, const RunSettings& settings, const SolveOptions& options,
         const Hooks& hooks);
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// Takes the initial cells, at `iterations`. The first call chooses the partitions. Throws CapacityError.
  void load(const HostGrid<T>& grid, std::uint64_t iterations, InputCells input);
  bool loaded() const noexcept { return loaded_; }
  /// Does `more` iterations. `tolerance` > 0: stops after an iteration that is a multiple of check_every and changed no
  /// cell by as much, or diverged. `measured`: measures the last iteration in any case. Throws Cancelled, or the
  /// exception of the progress, with the grid at the last exchange that all devices have completed. After another error
  /// it holds no grid.
  void advance(std::uint64_t more, double tolerance, bool measured);
  /// Downloads the cells.
  void store(const HostGrid<T>& grid);
  /// The same for a writer that must restart if a device fails: calls write(fetch), possibly more than once;
  /// fetch(grid) downloads the cells.
  void store_by(const std::function<void(const std::function<void(const HostGrid<T>&)>& fetch)>& write);

  /// Transfer slices from `first` on, between iterations, for a coupling. After write_slices() no copy for other
  /// devices is kept, since its iterations could not be repeated. Throws CapacityError for a grid in bands.
  void read_slices(std::uint64_t first, std::span<T> cells);
  void write_slices(std::uint64_t first, std::span<const T> cells);

  std::uint64_t iterations() const noexcept { return iterations_; }
  bool converged() const noexcept { return converged_; }
  /// Whether the last iteration was measured and its change is infinite or not a number.
  bool diverged() const noexcept { return change_ && diverges(*change_); }
  /// The change of the last iteration, if measured.
  const std::optional<Change>& change() const noexcept { return change_; }
  Report report();

 private:
  /// The devices of the run with the grid on them, until one of them fails. It can then only be destroyed.
  struct Group {
    RunSettings settings;  // with the halo depth
    std::vector<RunDevice> run_devices;
    DeviceTable table;
    LoadBalancer balancer;
    std::unique_ptr<PartitionedSolver<T>> partitions;
    std::unique_ptr<BandedSolver<T>> bands;  // instead, if the devices do not hold the grid
    // Since the last update of the balancer: iterations, seconds of the run, seconds of each device.
    std::uint64_t interval = 0;
    double interval_seconds = 0;
    std::vector<double> computing;

    /// Iterations between exchanges, or of a round of all bands.
    std::uint64_t step() const noexcept { return bands ? bands->plan().iterations : settings.halo_depth; }
    std::vector<DeviceTotals> done() const;
  };

  template <class Do>
  void with_failover(Do&& step);
  void continue_without(const DeviceFailed& failed);
  void drop_grid();
  void make_group();
  void load_group(const HostGrid<T>& grid);
  void store_group(const HostGrid<T>& grid);
  [[noreturn]] void refuse_bands() const;
  std::vector<MeasuredSpeed> measure() const;
  /// The numbers of fused steps of all sweeps that each device may launch in `iterations` iterations whose change is
  /// measured every `check_every` (0: at the end only).
  std::vector<FusedStepSet> fused_steps(std::uint64_t iterations, std::uint64_t check_every) const;
  void prepare(std::uint64_t iterations, std::uint64_t check_every);
  /// Moves slices if the load balancer decides so. Returns the iterations until the next call is due.
  std::uint64_t balance();
  void iterate(std::uint64_t goal, double tolerance, bool measured);
  void count_interval(std::uint64_t length, double seconds);
  void report_progress(double done);
  bool keeps_backup() const;
  std::uint64_t until_backup() const;
  void back_up_if_due();
  void account();

  ProcessGroup* processes_;
  std::vector<Device> devices_;
  std::vector<std::size_t> original_index_;  // [device of the group]: its index among the given devices
  RunSettings settings_;
  SolveOptions options_;
  Hooks hooks_, group_hooks_;         // with the indices of the given devices, and of the group
  Report report_;                     // all fields except the totals of the devices are up to date
  std::vector<DeviceTotals> before_;  // totals of earlier groups, by given index
  std::unique_ptr<Group> group_;
  bool loaded_ = false, converged_ = false;
  std::uint64_t base_ = 0, iterations_ = 0,
                advanced_ = 0;  // at the start of the group; now; done here, without those of a file
  std::optional<Change> change_;
  std::uint64_t entry_ = 0, goal_ = 0;  // start and end of the current call
  double reported_ = 0;
  std::exception_ptr progress_error_;  // the exception of the progress
  GridBackup<T> backup_;
  bool no_memory_ = false;
  double backup_seconds_ = 0, since_backup_ = 0,
         rate_ = 0;  // seconds of a copy; seconds since the last copy; iterations per second
};

/// check_memory() of the public header, with hooks for tests.
template <class T>
void check_memory_with(Devices devices, const Shape& shape, const Hooks& hooks);

/// solve() by several processes, each with its own devices. All call it with the same shape and options, except for the
/// progress, which is process 0's. All return the same report, except `decisions`, which are process 0's. `fixed` may
/// be empty and is called in any order, on the calling thread; options.fixed_cells is ignored. `readers`: of fields
/// that options.equation does not contain as arrays, like `fixed`. Bands are not supported: CapacityError if all
/// devices together do not hold the grid.
template <class T>
Report solve_among(ProcessGroup& processes, Devices devices, const Shape& shape, const HostGrid<T>& grid,
                   const ReadFixed& fixed, const SolveOptions& options, const Hooks& hooks,
                   const FieldReaders<T>& readers = {});

// Used by the cluster library.
extern template GENOCL_EXPORT Report solve_among<float>(ProcessGroup&, Devices, const Shape&, const HostGrid<float>&,
                                                        const ReadFixed&, const SolveOptions&, const Hooks&,
                                                        const FieldReaders<float>&);
extern template GENOCL_EXPORT Report solve_among<double>(ProcessGroup&, Devices, const Shape&, const HostGrid<double>&,
                                                         const ReadFixed&, const SolveOptions&, const Hooks&,
                                                         const FieldReaders<double>&);

}  // namespace genocl::jacobi
