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

/// The same with an exchange every `period` iterations.
inline void add_period_passes(PassDepths& depths, unsigned most, unsigned period, std::uint64_t iterations,
                              bool with_change) {
  const std::uint64_t last = iterations % period != 0 ? iterations % period : period;
  add_passes(depths, most, std::min<std::uint64_t>(last, iterations), with_change);
  if (iterations > last) add_passes(depths, most, period, false);
}

}  // namespace genocl::jacobi
