// The director of a run, whom all processes follow.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jacobi/balance/balance_director.hpp"
#include "jacobi/exchange/processes.hpp"

namespace genocl::jacobi {

/// Process 0 decides, by what all have measured. Calls are collective but for those that only tell.
class Steering {
 public:
  Steering(Processes* processes, std::vector<Speed> speeds, Bounds bounds, Prospect prospect);

  // As Director has them; speeds, shares and times are those of all devices.
  const Shares& shares() const noexcept { return shares_; }
  const Shares& expected() const noexcept { return expected_; }
  std::uint64_t wanted() const noexcept { return wanted_; }
  /// `run` and `computing`: what this process has measured, of its own devices.
  std::optional<Shares> look(std::uint64_t iterations, double run, std::span<const double> computing);
  /// Empty on processes other than 0.
  std::vector<std::string> decisions() const { return director_ ? director_->decisions() : std::vector<std::string>(); }

 private:
  Processes* processes_;
  std::optional<Director> director_;  // process 0's
  Shares shares_, expected_;
  std::uint64_t wanted_ = 1;
};

}  // namespace genocl::jacobi
