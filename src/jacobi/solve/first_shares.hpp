// The shares with which a run begins, and how often its devices exchange.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "jacobi/kernels/sweep_levels.hpp"
#include "jacobi/solve/solve_shares.hpp"
#include "jacobi/solve/steering.hpp"

namespace genocl::jacobi {

/// Collective where there are several processes.
template <class T>
class FirstShares {
 public:
  /// Sets `settings`' exchange_every; adds to `report` what measuring takes and what is decided.
  FirstShares(std::span<const Worker> workers, const Roster& roster, RunSettings& settings, const SolveOptions& options,
              const Hooks& hooks, Report& report)
      : workers_(workers),
        roster_(roster),
        settings_(settings),
        options_(options),
        hooks_(hooks),
        report_(report),
        updates_(static_cast<double>(settings.layout.changing())) {}

  /// Without a result the devices do not hold the grid.
  std::optional<Shares> choose() { return options_.balance == Balance::fixed ? fixed() : automatic(); }
  /// Who moves slices while it runs; null: nobody.
  Steering* steering() noexcept { return steering_ ? &*steering_ : nullptr; }
  const Steering* steering() const noexcept { return steering_ ? &*steering_ : nullptr; }
  /// The levels of all sweeps that a device may come to make in so many iterations: stretches end after every
  /// `check_every` (0: never) and with the last.
  SweepLevels levels_of(const Worker& worker, std::uint64_t iterations, std::uint64_t check_every) const;
  /// The same for all of the options' iterations.
  SweepLevels levels_of(const Worker& worker) const {
    return levels_of(worker, options_.iterations, options_.tolerance > 0 ? options_.check_every : 0);
  }

 private:
  std::uint64_t slices() const noexcept { return settings_.layout.slices; }
  std::uint64_t most_own(const Member& member) const;
  bool too_large() const;
  void set_exchange_every(std::uint64_t smallest);
  std::optional<Shares> fixed();
  std::optional<Shares> automatic();
  std::optional<Shares> equal_shares();
  std::optional<Shares> guessed_alone();
  std::vector<Speed> measure();

  std::span<const Worker> workers_;
  const Roster& roster_;
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
