// The devices that take part in a run, and the grid on them: in shares, or in bands that go through them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jacobi/banded_solver.hpp"
#include "jacobi/load_balancer.hpp"
#include "jacobi/partitioned_solver.hpp"

namespace genocl::jacobi {

/// Throws DeviceFailed as PartitionedSolver does; the crew is then of no more use.
template <class T>
class DeviceGroup {
 public:
  /// `options`: as for all of its devices (and those of other processes). Adds to `report` what measuring takes and
  /// what is decided.
  DeviceGroup(ProcessGroup* processes, std::span<const Device> devices, const RunSettings& settings,
              SolveOptions options, Hooks hooks, IterationCallback tell, Report& report);

  const DeviceTable& table() const noexcept { return table_; }

  /// Takes the cells to begin with, or to begin with anew. The first time shares are chosen.
  void load(const HostGrid<T>& grid);
  void store(const HostGrid<T>& grid);
  /// Compiles what so many iterations need, with looks at the change every `check_every` (0: none but at the end).
  void prepare(std::uint64_t iterations, std::uint64_t check_every);
  /// Moves slices where the balance wants that, and returns the iterations after which it wants to look again.
  std::uint64_t steer();
  /// As PartitionedSolver has them.
  void advance(std::uint64_t iterations, bool with_change);
  Change change() { return partitions_ ? partitions_->change() : bands_->change(); }
  std::uint64_t iterations() const noexcept;
  /// Iterations between exchanges, or of a round of all bands.
  std::uint64_t step() const noexcept { return bands_ ? bands_->plan().iterations : settings_.halo_depth; }

  /// What the balance has decided while it ran.
  std::vector<std::string> decisions() const;
  /// What this process's devices have done.
  std::vector<DeviceTotals> done() const;
  /// What each device has at last; empty ones for bands.
  std::vector<SliceRange> ranges() const;

 private:
  [[noreturn]] void refuse_bands() const;

  SolveOptions options_;
  Hooks hooks_;
  IterationCallback tell_;
  RunSettings settings_;
  Report& report_;
  std::vector<RunDevice> run_devices_;
  DeviceTable table_;
  std::optional<FirstShares<T>> first_;
  std::unique_ptr<PartitionedSolver<T>> partitions_;
  std::unique_ptr<BandedSolver<T>> bands_;
  // Since the balance has looked.
  std::uint64_t stretch_ = 0;
  double stretch_seconds_ = 0;
  std::vector<double> computing_;
};

extern template class DeviceGroup<float>;
extern template class DeviceGroup<double>;

}  // namespace genocl::jacobi
