// Relaxes one grid on the devices of many processes, on one machine or many.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "genocl/cluster/communicator.hpp"
#include "genocl/jacobi/solve.hpp"

namespace genocl::cluster {

/// A grid of which no rank needs to hold more than its part: functions for slices of it (rows, in three dimensions
/// planes). `cells` are whole slices from `first` on, as jacobi::Grid has them; they are called on the thread that
/// calls solve(), for some tens of MB at a time.
template <class T>
struct GridSlices {
  /// Fills in cells as they are at first. Each rank asks for those of its devices, and for some of their neighbours'.
  std::function<void(std::uint64_t first, std::span<T> cells)> read = {};
  /// Is given the cells at the end: each slice once, on the rank whose device has it then. Empty: they are dropped.
  std::function<void(std::uint64_t first, std::span<const T> cells)> write = {};
  /// Fills in what is not 0 where a cell keeps its value, for any slices and at any time. Empty: only the outermost
  /// cells do.
  std::function<void(std::uint64_t first, std::span<std::uint8_t> cells)> fixed = {};
  /// Fill in the source and the coefficients of the equation (jacobi::Equation), like `fixed`. Empty: there are none.
  std::function<void(std::uint64_t first, std::span<T> cells)> source = {}, coefficients = {};
};

/// Collective. Relaxes a grid as jacobi::solve() does in one process, with the same bits, on the devices of all ranks
/// together: their order is that of the ranks, and in each that of `devices` (one at least). Options for several
/// devices are for all of these: `cuts` and `weights`, and the balance, which measures them, moves slices from rank to
/// rank while it runs, and leaves out who does not help: a rank without slices only waits. `devices` may differ from
/// rank to rank, and ranks may share a device.
///
/// Neighbouring ranks exchange `halo_depth` slices at a time, which go while the rest is computed. The change is
/// known everywhere after one all-reduce, of 8 bytes for each row of the grid, every `check_every` iterations.
///
/// The options are rank 0's; the others' are not looked at. Its `progress` alone is called. With options.fixed_cells
/// every rank takes a bit for each cell, and with options.equation's source or coefficients each rank takes a whole
/// array of them. `grid` is rank 0's and has the result there at the end: the cells go from it to the ranks and back.
/// On other ranks it is not looked at and may be null.
///
/// Returns the same report on every rank, with the devices of all and rank 0's times; `decisions` are on rank 0 alone.
/// Throws as jacobi::solve() does: InputError for the options on every rank, and what one rank meets (Cancelled too) on
/// that rank, which then ends the job (see Communicator). There are no bands: throws CapacityError on every rank where
/// the devices of all ranks do not hold the grid.
template <class T>
jacobi::Report solve(const Communicator& ranks, std::span<const Device> devices, jacobi::Grid<T>* grid,
                     const jacobi::SolveOptions& options = {});

/// Collective. The same for a grid that is not in one place. The shape is rank 0's, as the options are, of which
/// fixed_cells and the equation's arrays have to be empty; on all ranks or on none `slices` has their functions. A cell
/// that is no number or infinite is found by the rank that reads it.
template <class T>
jacobi::Report solve(const Communicator& ranks, std::span<const Device> devices, const jacobi::Shape& shape,
                     const GridSlices<T>& slices, const jacobi::SolveOptions& options = {});

extern template GENOCL_EXPORT jacobi::Report solve<float>(const Communicator&, std::span<const Device>,
                                                          jacobi::Grid<float>*, const jacobi::SolveOptions&);
extern template GENOCL_EXPORT jacobi::Report solve<double>(const Communicator&, std::span<const Device>,
                                                           jacobi::Grid<double>*, const jacobi::SolveOptions&);
extern template GENOCL_EXPORT jacobi::Report solve<float>(const Communicator&, std::span<const Device>,
                                                          const jacobi::Shape&, const GridSlices<float>&,
                                                          const jacobi::SolveOptions&);
extern template GENOCL_EXPORT jacobi::Report solve<double>(const Communicator&, std::span<const Device>,
                                                           const jacobi::Shape&, const GridSlices<double>&,
                                                           const jacobi::SolveOptions&);

}  // namespace genocl::cluster
