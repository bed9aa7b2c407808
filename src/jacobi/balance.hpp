// The arithmetic of load balancing: the number of slices of each device. Measurements come from the caller.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace genocl::jacobi {

/// The number of slices of each device; 0: the device takes no part.
using PartitionSizes = std::vector<std::uint64_t>;

/// One iteration takes fixed + slice * slices seconds.
struct DeviceSpeed {
  double fixed = 0, slice = 0;

  double seconds(double slices) const noexcept { return fixed + slice * slices; }
};

/// The line through two measurements, corrected so that neither part is negative and a slice takes some time.
DeviceSpeed fit_speed(double slices1, double seconds1, double slices2, double seconds2);

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

}  // namespace genocl::jacobi
