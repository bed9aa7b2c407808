// Decides, while a run goes on, who takes part and with how much. It trusts no prediction: several devices stay
// together only where that was measured to be faster than the best one alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jacobi/balance.hpp"
#include "jacobi/device_table.hpp"
#include "jacobi/process_gpu.hpp"
#include "jacobi/sweep.hpp"

namespace genocl::jacobi {

/// What the run is about.
struct RunOutlook {
  std::uint64_t iterations = 0;
  std::uint64_t halo_depth = 1;  ///< iterations between exchanges
  double updates = 0;            ///< cells that change in one iteration, for the messages
  /// For each device, what its times are multiplied by: above 1 for one whose speed is not to be relied on, so that
  /// others need not wait for it. Empty: 1.
  std::vector<double> caution;
  double slice_move_seconds = 0;   ///< for one slice to go from one device to another
  std::vector<std::string> names;  ///< of the devices
};

class Director {
 public:
  /// Throws InputError when the slices do not fit all devices together.
  Director(std::vector<DeviceSpeed> speeds, PartitionLimits limits, RunOutlook outlook);

  /// With what to begin.
  const PartitionSizes& sizes() const noexcept { return sizes_; }
  /// What it may come to next, as far as that is known: empty when nothing.
  PartitionSizes expected() const { return state_ == State::settled ? PartitionSizes() : together_->sizes; }
  /// Iterations after which it wants to look again; at least 1.
  std::uint64_t wanted() const noexcept { return wanted_; }
  /// After `iterations` more: seconds of the run for each of them, and those in which each device computed. New shares,
  /// where they change.
  std::optional<PartitionSizes> look(std::uint64_t iterations, double run, std::span<const double> computing);
  const std::vector<std::string>& decisions() const noexcept { return decisions_; }

 private:
  enum class State { warming, trying_alone, trying_together, checking_alone, watching, settled };

  std::optional<PartitionSizes> go_on_with(const PartitionSizes& sizes, State state);
  std::optional<PartitionSizes> decide();
  std::optional<PartitionSizes> try_together(double run, std::span<const double> computing);
  std::optional<PartitionSizes> watch(std::uint64_t iterations, double run, std::span<const double> computing);
  double caution(std::size_t device) const { return outlook_.caution.empty() ? 1 : outlook_.caution[device]; }
  double alone_now(std::span<const double> computing) const;
  void want(double seconds, double iteration);
  void say(const std::string& text) { decisions_.push_back(text); }
  std::string rate(double seconds) const;
  std::string named(const PartitionSizes& sizes) const;

  PartitionLimits limits_;
  RunOutlook outlook_;
  std::optional<Partitioning> alone_, together_;
  State state_ = State::settled;
  PartitionSizes sizes_;
  std::uint64_t wanted_ = 1;
  std::optional<Rebalancer> rebalancer_;
  double alone_seconds_ = 0;     // measured
  double together_seconds_ = 0;  // the best measured, with best_sizes_
  PartitionSizes best_sizes_;
  unsigned adjustments_ = 0;
  bool warm_ = false;  // the first stretch together is not looked at: caches, clocks and threads wake up
  double watch_seconds_ = 0;
  double allowance_ = 0, lost_ = 0;  // seconds that together may lose against alone, and has
  std::vector<std::string> decisions_;
};

// The director of a run, whom all processes follow.

/// Process 0 decides, by what all have measured. Calls are collective but for those that only tell.
class Steering {
 public:
  Steering(ProcessGroup* processes, std::vector<DeviceSpeed> speeds, PartitionLimits limits, RunOutlook outlook);

  // As Director has them; speeds, shares and times are those of all devices.
  const PartitionSizes& sizes() const noexcept { return sizes_; }
  const PartitionSizes& expected() const noexcept { return expected_; }
  std::uint64_t wanted() const noexcept { return wanted_; }
  /// `run` and `computing`: what this process has measured, of its own devices.
  std::optional<PartitionSizes> look(std::uint64_t iterations, double run, std::span<const double> computing);
  /// Empty on processes other than 0.
  std::vector<std::string> decisions() const { return director_ ? director_->decisions() : std::vector<std::string>(); }

 private:
  ProcessGroup* processes_;
  std::optional<Director> director_;  // process 0's
  PartitionSizes sizes_, expected_;
  std::uint64_t wanted_ = 1;
};

// The shares with which a run begins, and how often its devices exchange.

/// Collective where there are several processes.
template <class T>
class FirstShares {
 public:
  /// Sets `settings`' halo_depth; adds to `report` what measuring takes and what is decided.
  FirstShares(std::span<const RunDevice> run_devices, const DeviceTable& table, RunSettings& settings,
              const SolveOptions& options, const Hooks& hooks, Report& report)
      : run_devices_(run_devices),
        table_(table),
        settings_(settings),
        options_(options),
        hooks_(hooks),
        report_(report),
        updates_(static_cast<double>(settings.layout.changing())) {}

  /// Without a result the devices do not hold the grid.
  std::optional<PartitionSizes> choose() { return options_.balance == Balance::fixed ? fixed() : automatic(); }
  /// Who moves slices while it runs; null: nobody.
  Steering* steering() noexcept { return steering_ ? &*steering_ : nullptr; }
  const Steering* steering() const noexcept { return steering_ ? &*steering_ : nullptr; }
  /// The levels of all sweeps that a device may come to make in so many iterations: stretches end after every
  /// `check_every` (0: never) and with the last.
  FusedStepSet fused_steps_of(const RunDevice& run_device, std::uint64_t iterations, std::uint64_t check_every) const;
  /// The same for all of the options' iterations.
  FusedStepSet fused_steps_of(const RunDevice& run_device) const {
    return fused_steps_of(run_device, options_.iterations, options_.tolerance > 0 ? options_.check_every : 0);
  }

 private:
  std::uint64_t slices() const noexcept { return settings_.layout.slices; }
  std::uint64_t max_own_slices(const DeviceEntry& entry) const;
  bool too_large() const;
  void set_halo_depth(std::uint64_t smallest);
  std::optional<PartitionSizes> fixed();
  std::optional<PartitionSizes> automatic();
  std::optional<PartitionSizes> equal_shares();
  std::optional<PartitionSizes> guessed_alone();
  std::vector<DeviceSpeed> measure();

  std::span<const RunDevice> run_devices_;
  const DeviceTable& table_;
  RunSettings& settings_;
  const SolveOptions& options_;
  const Hooks& hooks_;
  Report& report_;
  double updates_;  // cells that change in an iteration
  std::optional<Steering> steering_;
};

extern template class FirstShares<float>;
extern template class FirstShares<double>;

}  // namespace genocl::jacobi
