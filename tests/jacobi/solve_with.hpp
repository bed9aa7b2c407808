// jacobi::solve() with hooks.
#pragma once

#include "jacobi/solver.hpp"
#include "jacobi/validate.hpp"

namespace genocl_test {

template <class T>
genocl::jacobi::Report solve_with(genocl::Devices devices, genocl::jacobi::Grid<T>& grid,
                                  const genocl::jacobi::SolveOptions& options, const genocl::jacobi::Hooks& hooks) {
  using namespace genocl::jacobi;
  check_solve<T>(devices, grid, options);
  const RunSettings settings = run_settings<T>(grid.shape(), options, hooks);
  Solver<T> solver(nullptr, devices, settings, options, hooks);
  if (options.iterations == 0) return solver.report();
  const HostGrid<T> cells{grid.cells(), {}, {}};
  solver.load(cells, 0, InputCells::borrow);
  solver.advance(options.iterations, options.tolerance, true);
  solver.store(cells);
  return solver.report();
}

}  // namespace genocl_test
