// A relaxation that goes on: what solve() does at once, and Relaxation bit by bit.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "genocl/jacobi/solve.hpp"
#include "jacobi/exchange/device_failed.hpp"
#include "jacobi/kernels/change_meter.hpp"
#include "jacobi/solve/crew.hpp"
#include "jacobi/solve/kept_grid.hpp"
#include "jacobi/solve/solve.hpp"

namespace genocl::jacobi {

/// What the devices are told of the options.
/// `readers`: for fields of the equation that the options have not as a whole.
template <class T>
RunSettings run_settings(const Shape& shape, const SolveOptions& options, const Hooks& hooks,
                         const FieldReaders<T>& readers = {});

/// Whose memory the cells are in that a run is given.
enum class Cells : std::uint8_t {
  stay,  ///< they stay as they are until they are stored there
  go,    ///< the caller has them back
};

/// Calls are collective where there are several processes. A device that fails is left out: the others go on from the
/// last copy in the host's memory, to where the run was. Where there is none, or no other device, what it has thrown is
/// thrown on, and the run holds no grid.
template <class T>
class SolveRun {
 public:
  /// Options are checked. What they show stays as long as the run.
  SolveRun(Processes* processes, std::span<const Device> devices, const RunSettings& settings,
           const SolveOptions& options, const Hooks& hooks);
  SolveRun(const SolveRun&) = delete;
  SolveRun& operator=(const SolveRun&) = delete;

  /// The cells to begin with, after so many iterations.
  void load(const HostGrid<T>& grid, std::uint64_t iterations, Cells whose);
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
  void make_crew();
  void tell(double done);
  bool keeps() const;
  std::uint64_t until_kept() const;
  void keep_if_due();
  void account();

  Processes* processes_;
  std::vector<Device> devices_;
  std::vector<std::size_t> given_;  // [device of the crew]: its number among those given
  RunSettings settings_;
  SolveOptions options_;
  Hooks hooks_;
  Report report_;                 // all but what devices have done is up to date
  std::vector<WorkDone> before_;  // of crews that were before this one; by the numbers given
  std::unique_ptr<Crew<T>> crew_;
  bool loaded_ = false, converged_ = false;
  std::uint64_t base_ = 0, iterations_ = 0, advanced_ = 0;  // those with which the crew began; all; without a file's
  std::optional<Change> change_;
  std::uint64_t entry_ = 0, goal_ = 0;  // of the call that goes on
  double told_ = 0;
  std::exception_ptr ended_by_;  // what the progress threw
  KeptGrid<T> kept_;
  bool no_room_ = false;
  double keep_seconds_ = 0, since_kept_ = 0, rate_ = 0;  // a copy; of running since; iterations in a second
};

extern template class SolveRun<float>;
extern template class SolveRun<double>;

}  // namespace genocl::jacobi
