// A grid that the devices' memory does not hold: bands of it go through them, some iterations at a time.
#pragma once

#include <span>

#include "jacobi/solve/solve_shares.hpp"

namespace genocl::jacobi {

/// How a grid is cut for streaming.
struct BandPlan {
  std::uint64_t slices = 0;  ///< of a band, without ghosts
  unsigned iterations = 1;   ///< of a round: every band goes up and comes back once
};

/// The best for devices that hold at least `most` slices, ghosts included, in two arrays. `exchange_every`:
/// iterations of a round, 0: chosen, in whole sweeps of `levels`. Throws CapacityError when not even one slice with its
/// ghosts fits.
BandPlan plan_bands(const Layout& layout, std::size_t element, std::uint64_t most, unsigned exchange_every,
                    unsigned levels);

/// Options as solve() has them, checked. Fills the report but for what solve() knows. Needs memory on the host for
/// another grid, and for the frontiers of bands: throws CapacityError before anything is taken.
template <class T>
void solve_in_bands(std::span<const Worker> workers, const RunSettings& settings, Grid<T>& grid,
                    const SolveOptions& options, const Hooks& hooks, Report& report);

extern template void solve_in_bands(std::span<const Worker>, const RunSettings&, Grid<float>&, const SolveOptions&,
                                    const Hooks&, Report&);
extern template void solve_in_bands(std::span<const Worker>, const RunSettings&, Grid<double>&, const SolveOptions&,
                                    const Hooks&, Report&);

}  // namespace genocl::jacobi
