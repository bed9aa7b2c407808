// Into which passes iterations are cut. Kernels are compiled for each number of iterations of a pass: knowing these
// beforehand keeps compilers out of the timed run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>

namespace genocl::jacobi {

using PassDepths = std::set<unsigned>;

/// Iterations of the passes of a stretch without exchanges: as many as go, and what is left. The last iteration is a
/// pass of its own where the change is measured, and is not among them.
inline void add_passes(PassDepths& depths, unsigned most, std::uint64_t iterations, bool with_change) {
  if (with_change && iterations > 0) --iterations;
  if (iterations >= most) depths.insert(most);
  if (iterations % most != 0) depths.insert(static_cast<unsigned>(iterations % most));
}

/// Iterations of each of the fewest passes that `iterations` between two exchanges need, but perhaps of the last one:
/// about the same for all.
inline unsigned even_depth(unsigned most, std::uint64_t iterations) {
  const std::uint64_t passes = std::max<std::uint64_t>(1, (iterations + most - 1) / most);
  return static_cast<unsigned>(std::max<std::uint64_t>(1, (iterations + passes - 1) / passes));
}

/// The same with an exchange every `period` iterations.
inline void add_period_passes(PassDepths& depths, unsigned most, unsigned period, std::uint64_t iterations,
                              bool with_change) {
  const auto add = [&](std::uint64_t length, bool measured) {
    add_passes(depths, even_depth(most, measured ? length - 1 : length), length, measured);
  };
  if (iterations == 0) return;
  const std::uint64_t last = iterations % period != 0 ? iterations % period : period;
  add(last, with_change);
  if (iterations > last) add(period, false);
}

}  // namespace genocl::jacobi
