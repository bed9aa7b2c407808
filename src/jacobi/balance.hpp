// How many slices each device gets. Arithmetic only: what is measured comes from elsewhere, so that it can be tested.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace genocl::jacobi {

/// Slices of each device; 0: it takes no part.
using Shares = std::vector<std::uint64_t>;

/// One iteration takes fixed + slice * slices seconds.
struct Speed {
  double fixed = 0, slice = 0;

  double seconds(double slices) const noexcept { return fixed + slice * slices; }
};

/// The line through two measurements, as far as it makes sense: neither part is negative, and a slice costs something.
Speed fit_speed(double slices1, double seconds1, double slices2, double seconds2);

/// What holds for every division.
struct Bounds {
  std::uint64_t slices = 0;         ///< to be shared out
  std::uint64_t least = 1;          ///< a device with fewer takes no part
  std::vector<std::uint64_t> most;  ///< what each device's memory holds
  double exchange = 0;              ///< seconds of each iteration that exchanges take when several take part
};

struct Division {
  Shares shares;
  double seconds = 0;  ///< of one iteration
  std::size_t devices() const noexcept;
};

/// Shares of equal time among the devices of `candidates`; those whose share would be under the least are left out.
/// None when the slices do not fit.
std::optional<Division> divide(std::span<const Speed> speeds, const Bounds& bounds, std::vector<bool> candidates);
/// Finds the best of: the fastest device, the two fastest, ... all.
std::optional<Division> best_division(std::span<const Speed> speeds, const Bounds& bounds);
/// The best device that holds all slices.
std::optional<Division> best_alone(std::span<const Speed> speeds, const Bounds& bounds);

/// Shares as the weights are to one another, each at least `least` (slices >= least * weights.size()).
Shares share_by_weights(std::span<const double> weights, std::uint64_t slices, std::uint64_t least);

/// Moves slices while a run goes on: from measured times, smoothed, only when it pays, and back again when it did not.
class Rebalancer {
 public:
  Rebalancer(Shares shares, Bounds bounds) : shares_(std::move(shares)), bounds_(std::move(bounds)) {}

  /// `run`: seconds of an iteration of the whole run since the last look; `computing`: those in which each device
  /// computed. New shares, where they differ.
  std::optional<Shares> look(double run, std::span<const double> computing);
  const Shares& shares() const noexcept { return shares_; }
  /// What the last look decided, for a report: empty when nothing.
  const std::string& said() const noexcept { return said_; }

 private:
  std::optional<Shares> improved(double& predicted) const;

  Shares shares_, before_;
  Bounds bounds_;
  std::vector<double> slice_seconds_;  // smoothed
  double run_before_ = 0;              // of the shares before the last move
  bool moved_ = false;
  unsigned patience_ = 1, resting_ = 0;  // looks to sit out after a move that did not pay
  std::string said_;
};

}  // namespace genocl::jacobi
