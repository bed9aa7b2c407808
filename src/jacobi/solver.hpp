// A relaxation that goes on: what solve() does at once, and Relaxation bit by bit.
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
#include "jacobi/device_gpu.hpp"
#include "jacobi/device_table.hpp"
#include "jacobi/layout.hpp"
#include "jacobi/partition.hpp"
#include "jacobi/process_gpu.hpp"
#include "jacobi/sweep.hpp"

namespace genocl::jacobi {

/// What the devices are told of the options.
/// `readers`: for fields of the equation that the options have not as a whole.
template <class T>
RunSettings run_settings(const Shape& shape, const SolveOptions& options, const Hooks& hooks,
                         const FieldReaders<T>& readers = {});

/// Whose memory the cells are in that a run is given.
enum class InputCells : std::uint8_t {
  borrow,  ///< they stay as they are until they are stored there
  copy,    ///< the caller has them back
};

// Copies of the grid in the host's memory, from which the other devices go on when one fails.

/// There is always a whole one: a new copy is made beside the last.
template <class T>
class GridBackup {
 public:
  explicit GridBackup(std::uint64_t cells) : cells_(cells) {}

  /// The cells at that iteration are there, and stay as they are.
  void refer_to(const HostGrid<T>& grid, std::uint64_t iteration) {
    grid_ = grid;
    iteration_ = iteration;
    own_ = slots_.size();
  }
  /// What there is to go on from is about to change.
  void drop_if_in(std::span<const T> cells) {
    if (grid_ && !grid_->whole.empty() && grid_->whole.data() == cells.data()) grid_.reset();
  }
  void drop() { grid_.reset(); }

  bool any() const noexcept { return grid_.has_value(); }
  const HostGrid<T>& grid() const noexcept { return *grid_; }
  std::uint64_t iteration() const noexcept { return iteration_; }

  /// Bytes that the next copy takes of the host.
  std::uint64_t new_bytes() const noexcept { return slots_[next()] ? 0 : cells_ * sizeof(T); }
  /// fill(place) copies the cells of that iteration into it; when it throws, the last copy is what there is.
  template <class Fill>
  void keep(std::uint64_t iteration, Fill&& fill) {
    const std::size_t slot = next();
    if (!slots_[slot]) slots_[slot].reset(new T[cells_]);  // pages come where they are first written, by many threads
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
  std::size_t own_ = 2;  // the slot that has the last copy; 2: it is elsewhere
  std::optional<HostGrid<T>> grid_;
  std::uint64_t iteration_ = 0;
};

/// Calls are collective where there are several processes. A device that fails is left out: the others go on from the
/// last copy in the host's memory, to where the run was. Where there is none, or no other device, what it has thrown is
/// thrown on, and the run holds no grid.
template <class T>
class Solver {
 public:
  /// Options are checked. What they show stays as long as the run.
  Solver(ProcessGroup* processes, std::span<const Device> devices, const RunSettings& settings,
         const SolveOptions& options, const Hooks& hooks);
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// The cells to begin with, after so many iterations.
  void load(const HostGrid<T>& grid, std::uint64_t iterations, InputCells input);
  bool loaded() const noexcept { return loaded_; }
  /// So many iterations more. `tolerance`, if not 0: stops after one that is a multiple of check_every and changed no
  /// cell by as much, or diverged. `measured`: the last one is looked at in any case. Throws Cancelled, or what the
  /// progress throws, with the grid as at the last exchange that all devices have done. After another error the run
  /// holds no grid.
  void advance(std::uint64_t more, double tolerance, bool measured);
  /// Gives the cells to the caller.
  void store(const HostGrid<T>& grid);
  /// The same where more than the cells begins anew when a device fails on the way: calls write(fetch), perhaps more
  /// than once; fetch(grid) gives the cells.
  void store_by(const std::function<void(const std::function<void(const HostGrid<T>&)>& fetch)>& write);

  std::uint64_t iterations() const noexcept { return iterations_; }
  bool converged() const noexcept { return converged_; }
  /// The last iteration was looked at, and its change is infinite or not a number.
  bool diverged() const noexcept { return change_ && diverges(*change_); }
  /// Of the last iteration, where it was looked at.
  const std::optional<Change>& change() const noexcept { return change_; }
  Report report();

 private:
  template <class Do>
  void with_others(Do&& step);
  void go_on_without(const DeviceFailed& failed);
  void drop_grid();
  void iterate(std::uint64_t goal, double tolerance, bool measured);
  void make_group();
  void report_progress(double done);
  bool keeps_backup() const;
  std::uint64_t until_backup() const;
  void back_up_if_due();
  void account();

  ProcessGroup* processes_;
  std::vector<Device> devices_;
  std::vector<std::size_t> original_index_;  // [device of the crew]: its number among those given
  RunSettings settings_;
  SolveOptions options_;
  Hooks hooks_;
  Report report_;                     // all but what devices have done is up to date
  std::vector<DeviceTotals> before_;  // of crews that were before this one; by the numbers given
  std::unique_ptr<DeviceGroup<T>> group_;
  bool loaded_ = false, converged_ = false;
  std::uint64_t base_ = 0, iterations_ = 0, advanced_ = 0;  // those with which the crew began; all; without a file's
  std::optional<Change> change_;
  std::uint64_t entry_ = 0, goal_ = 0;  // of the call that goes on
  double reported_ = 0;
  std::exception_ptr progress_error_;  // what the progress threw
  GridBackup<T> backup_;
  bool no_room_ = false;
  double backup_seconds_ = 0, since_backup_ = 0, rate_ = 0;  // a copy; of running since; iterations in a second
};

extern template class Solver<float>;
extern template class Solver<double>;

// solve() with what tests need besides.

/// This is check_memory() of the public header with hooks.
template <class T>
void check_memory_with(std::span<const Device> devices, const Shape& shape, const Hooks& hooks);

template <class T>
Report solve_with(std::span<const Device> devices, Grid<T>& grid, const SolveOptions& options, const Hooks& hooks);

/// The same run by several processes, each with devices of its own; all call it with the same shape and options but for
/// the progress, which is process 0's. The report is the same for all, but `decisions` are process 0's. `fixed` may be
/// empty and is called in any order, on the calling thread; options.fixed_cells are not looked at. `readers`: for the
/// fields that options.equation has not as a whole, like `fixed`. There are no bands: CapacityError where all devices
/// together do not hold the grid.
template <class T>
Report solve_among(ProcessGroup& processes, std::span<const Device> devices, const Shape& shape,
                   const HostGrid<T>& grid, const ReadFixed& fixed, const SolveOptions& options, const Hooks& hooks,
                   const FieldReaders<T>& readers = {});

extern template void check_memory_with<float>(std::span<const Device>, const Shape&, const Hooks&);
extern template void check_memory_with<double>(std::span<const Device>, const Shape&, const Hooks&);
extern template Report solve_with<float>(std::span<const Device>, Grid<float>&, const SolveOptions&, const Hooks&);
extern template Report solve_with<double>(std::span<const Device>, Grid<double>&, const SolveOptions&, const Hooks&);

// The library for many machines calls these.
extern template GENOCL_EXPORT Report solve_among<float>(ProcessGroup&, std::span<const Device>, const Shape&,
                                                        const HostGrid<float>&, const ReadFixed&, const SolveOptions&,
                                                        const Hooks&, const FieldReaders<float>&);
extern template GENOCL_EXPORT Report solve_among<double>(ProcessGroup&, std::span<const Device>, const Shape&,
                                                         const HostGrid<double>&, const ReadFixed&, const SolveOptions&,
                                                         const Hooks&, const FieldReaders<double>&);

}  // namespace genocl::jacobi
