// Relaxes one grid on the devices of several MPI ranks, on one machine or many.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "genocl/cluster/communicator.hpp"
#include "genocl/jacobi/solve.hpp"

namespace genocl::cluster {

/// A grid that no rank holds as a whole: functions for slices of it (rows; planes in three dimensions). `cells` are
/// whole slices from `first` on, in the order of jacobi::Grid. The functions are called on the thread that calls
/// solve(), for some tens of MB at a time.
template <class T>
struct GridSlices {
  /// Fills in the initial cells. Each rank reads those of its devices and of their halos.
  std::function<void(std::uint64_t first, std::span<T> cells)> read = {};
  /// Receives the final cells: each slice once, on the rank whose device has it. Empty: the cells are dropped.
  std::function<void(std::uint64_t first, std::span<const T> cells)> write = {};
  /// Fills in the mask: nonzero for cells with a fixed value. Called for any slices and at any time. Empty: only the
  /// outermost cells are fixed.
  std::function<void(std::uint64_t first, std::span<std::uint8_t> cells)> fixed = {};
  /// Fill in the source and the coefficients of the equation (jacobi::Equation), like `fixed`. Empty: none.
  std::function<void(std::uint64_t first, std::span<T> cells)> source = {}, coefficients = {};
};

/// Collective. Relaxes a grid like jacobi::solve(), with the same bits, on the devices of all ranks. Their order is
/// that of the ranks, and within a rank that of `devices` (at least one). `cuts`, `weights` and the load balancing
/// apply to all of them. Balancing measures all devices, moves slices between ranks during the run, and leaves out
/// devices that do not help: a rank without slices only waits. `devices` may differ between ranks, and ranks may share
/// a device.
///
/// Neighbouring ranks exchange `halo_depth` slices at a time during computing: ranks of one machine through shared
/// memory (MPI_Win_allocate_shared), others by messages. The change is known on all ranks after one all-reduce, of 8
/// bytes for each row of the grid, every `check_every` iterations.
///
/// The options are rank 0's; those of other ranks are ignored. Only its `progress` is called. With options.fixed_cells
/// every rank allocates a bit for each cell, and with a source or coefficients in options.equation a whole array of
/// them. `grid` is rank 0's and receives the result; the cells are sent from it to the ranks and back. On other ranks
/// it is ignored and may be null.
///
/// Returns the same report on every rank, with the devices of all and rank 0's times; `decisions` are on rank 0 only.
/// Throws as jacobi::solve() does: InputError for the options on every rank; an error of one rank, or Cancelled, on
/// that rank, which then ends the job (see Communicator). Bands are not supported: throws CapacityError on every rank
/// if the devices of all ranks do not hold the grid.
template <class T>
jacobi::Report solve(const Communicator& ranks, Devices devices, jacobi::Grid<T>* grid,
                     const jacobi::SolveOptions& options = {});

/// Collective. The same for a distributed grid. The shape and the options are rank 0's; fixed_cells and the arrays of
/// the equation must be empty. All ranks or none have the optional functions of `slices`. A cell that is infinite or
/// not a number is reported by the rank that reads it.
template <class T>
jacobi::Report solve(const Communicator& ranks, Devices devices, const jacobi::Shape& shape,
                     const GridSlices<T>& slices, const jacobi::SolveOptions& options = {});

extern template GENOCL_EXPORT jacobi::Report solve<float>(const Communicator&, Devices, jacobi::Grid<float>*,
                                                          const jacobi::SolveOptions&);
extern template GENOCL_EXPORT jacobi::Report solve<double>(const Communicator&, Devices, jacobi::Grid<double>*,
                                                           const jacobi::SolveOptions&);
extern template GENOCL_EXPORT jacobi::Report solve<float>(const Communicator&, Devices, const jacobi::Shape&,
                                                          const GridSlices<float>&, const jacobi::SolveOptions&);
extern template GENOCL_EXPORT jacobi::Report solve<double>(const Communicator&, Devices, const jacobi::Shape&,
                                                           const GridSlices<double>&, const jacobi::SolveOptions&);

}  // namespace genocl::cluster
