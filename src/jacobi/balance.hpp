// How many slices each device gets. Arithmetic only: what is measured comes from elsewhere, so that it can be tested.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace genocl::jacobi {

/// Slices of each device; 0: it takes no part.
using PartitionSizes = std::vector<std::uint64_t>;

/// One iteration takes fixed + slice * slices seconds.
struct DeviceSpeed {
  double fixed = 0, slice = 0;

  double seconds(double slices) const noexcept { return fixed + slice * slices; }
};

/// The line through two measurements, as far as it makes sense: neither part is negative, and a slice costs something.
DeviceSpeed fit_speed(double slices1, double seconds1, double slices2, double seconds2);

/// What holds for every division.
struct PartitionLimits {
  std::uint64_t slices = 0;         ///< to be shared out
  std::uint64_t min_slices = 1;          ///< a device with fewer takes no part
  std::vector<std::uint64_t> max_slices;  ///< what each device's memory holds
  double exchange = 0;              ///< seconds of each iteration that exchanges take when several take part
};

struct Partitioning {
  PartitionSizes sizes;
  double seconds = 0;  ///< of one iteration
  std::size_t devices() const noexcept;
};

/// PartitionSizes of equal time among the devices of `candidates`; those whose share would be under the least are left
/// out. None when the slices do not fit.
std::optional<Partitioning> partition_slices(std::span<const DeviceSpeed> speeds, const PartitionLimits& limits,
                                             std::vector<bool> candidates);
/// Finds the best of: the fastest device, the two fastest, ... all.
std::optional<Partitioning> best_partitioning(std::span<const DeviceSpeed> speeds, const PartitionLimits& limits);
/// The best device that holds all slices.
std::optional<Partitioning> best_single(std::span<const DeviceSpeed> speeds, const PartitionLimits& limits);

/// PartitionSizes as the weights are to one another, each at least `min_slices` (slices >= min_slices * weights.size()).
PartitionSizes partition_by_weights(std::span<const double> weights, std::uint64_t slices, std::uint64_t min_slices);

/// Moves slices while a run goes on: from measured times, smoothed, only when it pays, and back again when it did not.
class Rebalancer {
 public:
  Rebalancer(PartitionSizes sizes, PartitionLimits limits) : sizes_(std::move(sizes)), limits_(std::move(limits)) {}

  /// `run`: seconds of an iteration of the whole run since the last look; `computing`: those in which each device
  /// computed. New shares, where they differ.
  std::optional<PartitionSizes> look(double run, std::span<const double> computing);
  const PartitionSizes& sizes() const noexcept { return sizes_; }
  /// What the last look decided, for a report: empty when nothing.
  const std::string& said() const noexcept { return said_; }

 private:
  std::optional<PartitionSizes> improved(double& predicted) const;

  PartitionSizes sizes_, before_;
  PartitionLimits limits_;
  std::vector<double> slice_seconds_;  // smoothed
  double run_before_ = 0;              // of the shares before the last move
  bool moved_ = false;
  unsigned patience_ = 1, resting_ = 0;  // looks to sit out after a move that did not pay
  std::string said_;
};

}  // namespace genocl::jacobi
