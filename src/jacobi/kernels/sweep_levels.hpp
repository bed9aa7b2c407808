// Into which sweeps iterations are cut. Kernels are compiled for each number of levels, the iterations that a sweep
// fuses: knowing these beforehand keeps compilers out of the timed run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>

namespace genocl::jacobi {

using SweepLevels = std::set<unsigned>;

/// Adds the levels of the sweeps of a stretch without exchanges: as many as go, and what is left. The last iteration is
/// a sweep of its own where the change is measured, and is not among them.
inline void add_sweeps(SweepLevels& levels, unsigned most, std::uint64_t iterations, bool with_change) {
  if (with_change && iterations > 0) --iterations;
  if (iterations >= most) levels.insert(most);
  if (iterations % most != 0) levels.insert(static_cast<unsigned>(iterations % most));
}

/// The levels of each of the fewest sweeps that `iterations` between two exchanges need, but perhaps of the last one:
/// they are about the same for all.
inline unsigned even_levels(unsigned most, std::uint64_t iterations) {
  const std::uint64_t sweeps = std::max<std::uint64_t>(1, (iterations + most - 1) / most);
  return static_cast<unsigned>(std::max<std::uint64_t>(1, (iterations + sweeps - 1) / sweeps));
}

/// Does the same where an exchange follows on every `exchange_every` iterations.
inline void add_sweeps_between_exchanges(SweepLevels& levels, unsigned most, unsigned exchange_every,
                                         std::uint64_t iterations, bool with_change) {
  const auto add = [&](std::uint64_t length, bool measured) {
    add_sweeps(levels, even_levels(most, measured ? length - 1 : length), length, measured);
  };
  if (iterations == 0) return;
  const std::uint64_t last = iterations % exchange_every != 0 ? iterations % exchange_every : exchange_every;
  add(last, with_change);
  if (iterations > last) add(exchange_every, false);
}

}  // namespace genocl::jacobi
