// Chooses the partition of each device and changes it during the run. No prediction is trusted: several devices stay
// together only if that was measured to be faster than the best device alone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "jacobi/device_table.hpp"
#include "jacobi/process_group.hpp"

namespace genocl::jacobi {

/// Constraints of every partitioning.
struct PartitionLimits {
  std::uint64_t slices = 0;               ///< of the whole grid
  std::uint64_t min_slices = 1;           ///< a device with fewer takes no part
  std::vector<std::uint64_t> max_slices;  ///< that the memory of each device holds
  double exchange = 0;                    ///< seconds of each iteration for exchanges if several devices take part
};

struct Partitioning {
  PartitionSizes sizes;
  double seconds = 0;  ///< of one iteration
  std::size_t devices() const noexcept;
};

/// Sizes of equal time for the devices in `candidates`. Devices that would get fewer than min_slices are left out.
/// Empty if the slices do not fit.
std::optional<Partitioning> partition_slices(std::span<const DeviceSpeed> speeds, const PartitionLimits& limits,
                                             std::vector<bool> candidates);
/// The best partitioning for the fastest device, the two fastest, ..., all devices.
std::optional<Partitioning> best_partitioning(std::span<const DeviceSpeed> speeds, const PartitionLimits& limits);
/// The fastest device that holds all slices.
std::optional<Partitioning> best_single(std::span<const DeviceSpeed> speeds, const PartitionLimits& limits);

/// Sizes in the proportions of the weights, each at least `min_slices`. Requires slices >= min_slices * weights.size().
PartitionSizes partition_by_weights(std::span<const double> weights, std::uint64_t slices, std::uint64_t min_slices);

/// Moves slices during a run. Times are smoothed; slices move only if that pays, and move back if it did not.
class Rebalancer {
 public:
  Rebalancer(PartitionSizes sizes, PartitionLimits limits) : sizes_(std::move(sizes)), limits_(std::move(limits)) {}

  /// `run`: seconds of an iteration of the whole run since the last update. `computing`: the seconds in which each
  /// device computed. Returns the new sizes if they change.
  std::optional<PartitionSizes> update(double run, std::span<const double> computing);
  const PartitionSizes& sizes() const noexcept { return sizes_; }
  /// The last change, for a report; empty if there was none.
  const std::string& decision() const noexcept { return decision_; }

 private:
  std::optional<PartitionSizes> improved(double& predicted) const;

  PartitionSizes sizes_, before_;
  PartitionLimits limits_;
  std::vector<double> slice_seconds_;  // smoothed
  double run_before_ = 0;              // with the sizes before the last move
  bool moved_ = false;
  unsigned patience_ = 1, waiting_ = 0;  // updates without a move after a move that did not pay
  std::string decision_;
};

/// Properties of the run that the balancer weighs.
struct RunOutlook {
  std::uint64_t iterations = 0;
  std::uint64_t halo_depth = 1;  ///< iterations between exchanges
  double updates = 0;            ///< cells that change in one iteration; for the messages
  /// Factor on the times of each device: above 1 if its speed varies, so that the others need not wait. Empty: 1.
  std::vector<double> caution;
  double slice_move_seconds = 0;   ///< to move one slice between two devices
  std::vector<std::string> names;  ///< of the devices
};

/// Process 0 decides, from the measurements of all processes. All calls are collective except the const ones.
/// Used by one thread at a time.
class LoadBalancer {
 public:
  /// Measures each device of this process. Called by choose() if the run is long enough to pay for it.
  using Measure = std::function<std::vector<MeasuredSpeed>()>;

  /// `processes`: null for one process.
  explicit LoadBalancer(ProcessGroup* processes) : processes_(processes) {}

  /// The sizes for the start of the run; empty if the devices do not hold the grid. Sets settings.halo_depth. Adds the
  /// measuring time and the decisions to `report`. `element`: sizeof(T). Throws CapacityError if fixed partitions do
  /// not fit their devices, InputError if they are smaller than the halo.
  std::optional<PartitionSizes> choose(const DeviceTable& table, RunSettings& settings, const SolveOptions& options,
                                       const Hooks& hooks, std::size_t element, Report& report, const Measure& measure);
  /// Chooses from the speeds of all devices, and balances from then on. Throws InputError if the slices do not fit all
  /// devices together.
  void start(std::vector<DeviceSpeed> speeds, PartitionLimits limits, RunOutlook outlook);

  /// Whether start() was called: the sizes may change during the run.
  bool is_active() const noexcept { return !sizes_.empty(); }
  const PartitionSizes& sizes() const noexcept { return sizes_; }
  /// The sizes that may follow, so that memory can be allocated early; empty if unknown.
  const PartitionSizes& predicted() const noexcept { return predicted_; }
  /// Iterations until the next update(); at least 1.
  std::uint64_t next_update() const noexcept { return next_update_; }
  /// After `iterations` more: the run's seconds for each iteration, and the seconds in which each device of this
  /// process computed. Returns the new sizes if they change.
  std::optional<PartitionSizes> update(std::uint64_t iterations, double run, std::span<const double> computing);
  /// Empty on processes other than 0.
  const std::vector<std::string>& decisions() const noexcept { return decisions_; }

 private:
  // warm_up: the best device alone, before its time counts. measure_single and measure_together: trials.
  // recheck_single: a second trial of the best device, after the others. balance: together, sizes follow the times.
  // done: no change.
  enum class State { warm_up, measure_single, measure_together, recheck_single, balance, done };

  bool is_root() const { return processes_ == nullptr || processes_->rank() == 0; }
  void choose_first(const std::vector<DeviceSpeed>& speeds);
  std::optional<PartitionSizes> decide(std::uint64_t iterations, double run, std::span<const double> computing);
  std::optional<PartitionSizes> enter(State state, const PartitionSizes& sizes);
  std::optional<PartitionSizes> tune_together(double run, std::span<const double> computing);
  std::optional<PartitionSizes> keep_faster();
  std::optional<PartitionSizes> rebalance(std::uint64_t iterations, double run, std::span<const double> computing);
  double caution(std::size_t device) const { return outlook_.caution.empty() ? 1 : outlook_.caution[device]; }
  double single_seconds_now(std::span<const double> computing) const;
  void schedule_update(double seconds, double iteration);
  void log(const std::string& text) { decisions_.push_back(text); }
  std::string rate(double seconds) const;
  std::string named(const PartitionSizes& sizes) const;

  ProcessGroup* processes_;
  PartitionSizes sizes_, predicted_;
  std::uint64_t next_update_ = 1;
  // The rest is process 0's.
  PartitionLimits limits_;
  RunOutlook outlook_;
  std::optional<Partitioning> single_, together_;  // predicted: the best device alone, the best set of devices
  State state_ = State::done;
  std::optional<Rebalancer> rebalancer_;
  double single_seconds_ = 0;    // measured
  double together_seconds_ = 0;  // the best measured, with best_sizes_
  PartitionSizes best_sizes_;
  unsigned adjustments_ = 0;
  bool warm_ = false;  // the first interval together does not count: caches, clocks and threads wake up
  double interval_seconds_ = 0;
  double max_loss_ = 0, loss_ = 0;  // seconds that the devices together may lose against the best one, and have lost
  std::vector<std::string> decisions_;
};

}  // namespace genocl::jacobi
