// The devices of a run and the grid on them: in partitions, or in bands if the devices do not hold it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "jacobi/banded_solver.hpp"
#include "jacobi/load_balancer.hpp"
#include "jacobi/partitioned_solver.hpp"

namespace genocl::jacobi {

/// Throws DeviceFailed as PartitionedSolver does; after that the group can only be destroyed. Used by one thread.
template <class T>
class DeviceGroup {
 public:
  /// `options`: for the devices of all processes. Adds the time for measuring and the decisions to `report`.
  DeviceGroup(ProcessGroup* processes, Devices devices, const RunSettings& settings, SolveOptions options, Hooks hooks,
              IterationCallback report_iterations, Report& report);

  const DeviceTable& table() const noexcept { return table_; }

  /// Takes the initial cells. The first call chooses the partitions. Throws CapacityError.
  void load(const HostGrid<T>& grid);
  void store(const HostGrid<T>& grid);
  /// Compiles the kernels of `iterations` iterations whose change is measured every `check_every` (0: at the end only).
  void prepare(std::uint64_t iterations, std::uint64_t check_every);
  /// Moves slices if the load balancer decides so. Returns the iterations until the next call is due.
  std::uint64_t balance();
  /// As PartitionedSolver::advance() and BandedSolver::advance().
  void advance(std::uint64_t iterations, bool with_change);
  Change change() { return partitions_ ? partitions_->change() : bands_->change(); }
  std::uint64_t iterations() const noexcept;
  /// Iterations between exchanges, or of a round of all bands.
  std::uint64_t step() const noexcept { return bands_ ? bands_->plan().iterations : settings_.halo_depth; }

  /// The decisions of the load balancer; on process 0.
  const std::vector<std::string>& decisions() const noexcept { return balancer_.decisions(); }
  /// Totals of this process's devices.
  std::vector<DeviceTotals> done() const;
  /// The present partition of each device; empty ranges for bands.
  std::vector<SliceRange> ranges() const;

 private:
  [[noreturn]] void refuse_bands() const;
  std::vector<MeasuredSpeed> measure() const;
  /// The numbers of fused steps of all sweeps that each device may launch in `iterations` iterations.
  std::vector<FusedStepSet> fused_steps(std::uint64_t iterations, std::uint64_t check_every) const;
  std::vector<FusedStepSet> fused_steps() const {
    return fused_steps(options_.iterations, options_.tolerance > 0 ? options_.check_every : 0);
  }

  SolveOptions options_;
  Hooks hooks_;
  IterationCallback report_iterations_;
  RunSettings settings_;
  Report& report_;
  std::vector<RunDevice> run_devices_;
  DeviceTable table_;
  LoadBalancer balancer_;
  std::unique_ptr<PartitionedSolver<T>> partitions_;
  std::unique_ptr<BandedSolver<T>> bands_;
  // Since the last update of the balancer: iterations, seconds of the run, seconds of each device.
  std::uint64_t interval_ = 0;
  double interval_seconds_ = 0;
  std::vector<double> computing_;
};

extern template class DeviceGroup<float>;
extern template class DeviceGroup<double>;

}  // namespace genocl::jacobi
