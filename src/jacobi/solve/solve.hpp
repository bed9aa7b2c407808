// solve() with what tests need besides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "genocl/jacobi/solve.hpp"
#include "jacobi/equation/formula.hpp"
#include "jacobi/exchange/host_grid.hpp"
#include "jacobi/exchange/processes.hpp"

namespace genocl::jacobi {

struct Hooks {
  /// Of a grid that goes through one device in bands.
  enum class Bands : std::uint8_t { automatic, with_ghosts, slanted };
  std::uint64_t memory = 0;       ///< bytes that a device may take; 0: what it has
  std::uint64_t host_memory = 0;  ///< bytes that the host still has; 0: what it has
  /// What a slice takes on each device in each iteration, on a clock that is played. Nothing is measured then.
  std::vector<double> slice_seconds;
  /// Called by each device's thread before the iterations between two exchanges, or now and then where there are none,
  /// and before a band goes up; may throw. Devices have their numbers among those given.
  std::function<void(std::size_t device, std::uint64_t iteration)> fail_at;
  /// Called before cells come to a device or leave it, but for exchanges; may throw. Not by several processes.
  std::function<void(std::size_t device)> fail_transfer;
  Bands bands = Bands::automatic;
  bool has_double = true;  ///< false: sums of squares as on devices without double
  double short_run = -1;   ///< seconds of a run that are not worth measuring; below 0: the default
};

/// This is check_memory() of the public header with hooks.
template <class T>
void check_memory_with(std::span<const Device> devices, const Shape& shape, const Hooks& hooks);

template <class T>
Report solve_with(std::span<const Device> devices, Grid<T>& grid, const SolveOptions& options, const Hooks& hooks);

/// The same run by several processes, each with devices of its own; all call it with the same shape and options but for
/// the progress, which is process 0's. The report is the same for all, but `decisions` are process 0's. `fixed` may be
/// empty and is called in any order, on the calling thread; options.fixed_cells are not looked at. `readers`: for the
/// fields that options.equation has not as a whole, like `fixed`. There are no bands: CapacityError where all devices
/// together do not hold the grid.
template <class T>
Report solve_among(Processes& processes, std::span<const Device> devices, const Shape& shape, const HostGrid<T>& grid,
                   const ReadFixed& fixed, const SolveOptions& options, const Hooks& hooks,
                   const FieldReaders<T>& readers = {});

extern template void check_memory_with<float>(std::span<const Device>, const Shape&, const Hooks&);
extern template void check_memory_with<double>(std::span<const Device>, const Shape&, const Hooks&);
extern template Report solve_with<float>(std::span<const Device>, Grid<float>&, const SolveOptions&, const Hooks&);
extern template Report solve_with<double>(std::span<const Device>, Grid<double>&, const SolveOptions&, const Hooks&);

// The library for many machines calls these.
extern template GENOCL_EXPORT Report solve_among<float>(Processes&, std::span<const Device>, const Shape&,
                                                        const HostGrid<float>&, const ReadFixed&, const SolveOptions&,
                                                        const Hooks&, const FieldReaders<float>&);
extern template GENOCL_EXPORT Report solve_among<double>(Processes&, std::span<const Device>, const Shape&,
                                                         const HostGrid<double>&, const ReadFixed&, const SolveOptions&,
                                                         const Hooks&, const FieldReaders<double>&);

}  // namespace genocl::jacobi
